import type {Socket} from 'node:net';

/** An address that is open. */
export interface OpenSocket {
  /** The real one, where any was asked for. */
  readonly port: number;
  /** No more connections come from it. It closes, unless another instance of the plugin has taken it over. */
  close(): void;
}

/**
 * Addresses of a plugin's own, which the host opens for it. While a reload makes a plugin anew there are two instances of it
 * for a while, and only one can have an address open: so the host has it, and hands the connections over.
 */
export interface PluginSockets {
  /**
   * Has the connections that come to an address handed to `take` from now on, each unread. The instance that had them before
   * keeps those that it has, and gets new ones again should this one close the socket before its predecessor does. `name`
   * is as in `PluginStarted.addresses`. Rejects with the error of the system where the address cannot be opened.
   */
  open(
    name: string,
    address: {readonly host: string; readonly port: number},
    take: (socket: Socket) => void,
  ): Promise<OpenSocket>;
}

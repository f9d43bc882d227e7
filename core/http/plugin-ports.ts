import type {OpenSocket, PluginSockets} from '../api/sockets.js';
import {ownPorts, type Port, type Ports, type Taker} from './port.js';

interface Owned {
  readonly plugin: string;
  readonly name: string;
  readonly host: string;
  /** As it was asked for: 0 for any. */
  readonly asked: number;
  readonly port: Port;
  /** The instances that have it; the latest gets the connections. */
  readonly takers: Taker[];
}

/** The system's maximum of connections that wait. */
const BACKLOG = 0;

/** The addresses that plugins open themselves: they stay open while one instance follows another. */
export class PluginPorts {
  readonly #ports: Ports;
  readonly #owned = new Set<Owned>();

  constructor(ports: Ports = ownPorts) {
    this.#ports = ports;
  }

  /** Those of one plugin, by its id. */
  of(plugin: string): PluginSockets {
    return {
      open: async (name, {host, port: asked}, take) => {
        const taker = {take};
        const known = [...this.#owned].find(
          owned => owned.plugin === plugin && owned.name === name && owned.host === host && owned.asked === asked,
        );
        if (known === undefined) {
          const owned = {plugin, name, host, asked, port: this.#ports(taker), takers: [taker]};
          await owned.port.open(name, {host, port: asked, acceptQueueSize: BACKLOG});
          this.#owned.add(owned);
          return this.#handleOf(owned, taker);
        }
        known.takers.push(taker);
        known.port.serve(taker, BACKLOG);
        return this.#handleOf(known, taker);
      },
    };
  }

  #handleOf(owned: Owned, taker: Taker): OpenSocket {
    const close = (): void => {
      const at = owned.takers.indexOf(taker);
      if (at < 0) return;
      owned.takers.splice(at, 1);
      const last = owned.takers.at(-1);
      if (last !== undefined) {
        owned.port.serve(last, BACKLOG);
        return;
      }
      void owned.port.close();
      this.#owned.delete(owned);
    };
    return {port: owned.port.number, close};
  }
}

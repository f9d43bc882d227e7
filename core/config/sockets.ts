import type {AccessConfig} from './access.js';
import type {Problems} from './config-error.js';
import type {GatewayConfig, ListenerConfig, PluginConfig} from './gateway-config.js';
import {keyPath} from './key-path.js';

/** An address that the gateway opens: a listener's, or one that a plugin opens itself. */
export interface Socket {
  /** Its name in the ready line. */
  readonly name: string;
  /** What messages call it. */
  readonly owner: string;
  /** The path of the key that it comes from. */
  readonly key: string;
  readonly host: string;
  /** 0 takes any free one. */
  readonly port: number;
  readonly tls: boolean;
  /** Whether those who come are asked who they are: for credentials, or for a certificate. */
  readonly asks: boolean;
}

/** Every address that is going to be opened. */
export function socketsOf({
  listeners,
  plugins,
  access,
}: Pick<GatewayConfig, 'listeners' | 'plugins' | 'access'>): readonly Socket[] {
  return [
    ...listeners.map(listener => listenerSocket(listener, access)),
    ...plugins.flatMap((plugin, at) => pluginSockets(plugin, `plugins[${at}]`)),
  ];
}

export function listenerSocket(listener: ListenerConfig, credentials: AccessConfig | undefined): Socket {
  const {name, host, port, tls, access} = listener;
  const asks = tls?.clientCa !== undefined || (credentials !== undefined && access !== 'open');
  const key = keyPath(keyPath('listeners', name), 'port');
  return {name, owner: `the listener "${name}"`, key, host, port, tls: tls !== undefined, asks};
}

/** Those that a plugin opens itself. `path` is that of its entry. */
export function pluginSockets({id, definition, enabled, config}: PluginConfig, path: string): readonly Socket[] {
  const own = enabled ? (definition.sockets?.(config as never) ?? []) : [];
  return own.map(({name, key, host, port, tls = false, access: asks = false}) => {
    return {name, owner: `${key} of the plugin ${id}`, key: `${path}.config.${key}`, host, port, tls, asks};
  });
}

const WILDCARDS: readonly string[] = ['0.0.0.0', '::', '*'];

/** No two sockets may have one address; whichever is opened later would fail the start. */
export function checkAddresses(sockets: readonly Socket[], problems: Problems): void {
  for (const [index, socket] of sockets.entries()) {
    const same = sockets.slice(0, index).find(other => other.port !== 0 && overlap(other, socket));
    if (same === undefined) continue;
    const address = `${same.host}:${same.port}`;
    problems.add(socket.key, `found the address of ${same.owner}, ${address}; expected one of its own`);
  }
}

function overlap(a: Socket, b: Socket): boolean {
  const [x, y] = [a, b].map(({host}) => (host === 'localhost' ? '127.0.0.1' : host));
  return a.port === b.port && (x === y || WILDCARDS.includes(a.host) || WILDCARDS.includes(b.host));
}

/** Whether other machines may reach it. */
export function isOpen({host}: Pick<Socket, 'host'>): boolean {
  return !/^(?:localhost|127\.[\d.]+|::1|::ffff:127\.[\d.]+)$/i.test(host);
}

/** What it is without, as the end of a sentence, where other machines may reach it; undefined where all is well. */
export function exposureOf(socket: Pick<Socket, 'host' | 'tls' | 'asks'>): string | undefined {
  if (!isOpen(socket) || (socket.tls && socket.asks)) return undefined;
  if (socket.tls) return 'without credentials';
  return socket.asks
    ? 'without TLS, so that whoever is on the way reads the credentials'
    : 'without TLS and credentials';
}

/** Where it listens, in words: an address for every address of the machine says so. */
export function placeOf({host, port}: Pick<Socket, 'host' | 'port'>): string {
  const address = `${host.includes(':') ? `[${host}]` : host}:${port}`;
  return WILDCARDS.includes(host) ? `${address} (all addresses)` : address;
}

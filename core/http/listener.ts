import {isDeepStrictEqual} from 'node:util';
import type {Limits, ListenerConfig} from '../config/gateway-config.js';
import {HttpServer} from './http-server.js';
import type {Mount} from './mount.js';
import type {Port} from './port.js';
import type {HttpServices} from './services.js';
import {Site} from './site.js';

/** What a listener is made of at a time. */
export interface ListenerParts {
  readonly config: ListenerConfig;
  readonly limits: Limits;
  readonly port: Port;
  readonly server: HttpServer;
}

/** Keys of a listener, and of the limits, that its server holds; the others are the port's and the site's. */
const SERVER_KEYS = ['idleTimeout', 'readTimeout', 'accessLog', 'tls'] as const;

/** One address, the server that reads what comes there, and what it serves. Each of the three can be exchanged. */
export class Listener {
  readonly name: string;
  readonly #services: HttpServices;
  #parts: ListenerParts | undefined;
  /** The servers that have connections: the present one, and earlier ones until their clients have gone. */
  readonly #servers = new Set<HttpServer>();

  constructor(name: string, services: HttpServices) {
    this.name = name;
    this.#services = services;
  }

  get parts(): ListenerParts | undefined {
    return this.#parts;
  }

  /** Where it is reached, once it is open. */
  get url(): string {
    const {config, port} = this.#parts ?? {};
    const scheme = config?.tls === undefined ? 'http' : 'https';
    return `${scheme}://${reachable(config?.host ?? '')}:${port?.number}`;
  }

  /** How many connections have come so far. */
  get accepted(): number {
    return this.#parts?.port.accepted ?? 0;
  }

  /** A site and the server for it: the present server where nothing changes that it holds. */
  async prepare(mounts: readonly Mount[], config: ListenerConfig, limits: Limits, samePort: boolean) {
    const site = new Site(mounts, config, limits, this.#services);
    await site.ready();
    const now = this.#parts;
    const goesOn =
      now !== undefined &&
      samePort &&
      now.limits.headerBytes === limits.headerBytes &&
      SERVER_KEYS.every(key => isDeepStrictEqual(now.config[key], config[key]));
    return {site, server: goesOn ? now.server : new HttpServer(site, config, limits, this.#services)};
  }

  /** Exchanges everything at once. Clients of an earlier server are answered by the new site too, once each. */
  put(parts: ListenerParts, site: Site): void {
    const {server, port, config} = parts;
    this.#forget();
    if (this.#parts?.server !== server) this.endConnections();
    this.#parts = parts;
    this.#servers.add(server);
    for (const each of this.#servers) each.site = site;
    port.serve(server, config.acceptQueueSize);
  }

  /** From now on each answer ends its connection. May be called again. */
  endConnections(): void {
    for (const server of this.#servers) server.endConnections();
  }

  /** Resolves when the last connection has ended. */
  async empty(): Promise<void> {
    await Promise.all([...this.#servers].map(server => server.empty()));
  }

  /** Accepts no more connections and ends once every request in progress is answered. */
  async drain(): Promise<void> {
    await this.#parts?.port.close();
    await this.close();
  }

  /** Ends the connections that no request is on, and each other one with its answer; the port stays as it is. */
  async close(): Promise<void> {
    await Promise.all([...this.#servers].map(server => server.close()));
  }

  /** Ends every connection at once. */
  cut(): void {
    for (const server of this.#servers) server.cut();
  }

  /** Lets go of earlier servers whose last client has left. By now no port hands them connections. */
  #forget(): void {
    for (const server of this.#servers) {
      if (server === this.#parts?.server || !server.isEmpty) continue;
      this.#servers.delete(server);
      void server.close();
    }
  }
}

/** The host of a URL by which this machine reaches the listener. */
function reachable(host: string): string {
  if (host === '0.0.0.0') return '127.0.0.1';
  if (host === '::') return '[::1]';
  return host.includes(':') ? `[${host}]` : host;
}

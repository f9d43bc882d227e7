import type {ListenerConfig} from '../config/gateway-config.js';
import {HttpServer} from './http-server.js';
import type {Mount} from './mount.js';
import {Port} from './port.js';
import type {HttpServices} from './services.js';
import {Site} from './site.js';

/** One address, the server that reads what comes there, and what it serves. */
export class Listener {
  readonly #config: ListenerConfig;
  readonly #services: HttpServices;
  readonly #port: Port;
  readonly #server: HttpServer;
  #mounts: readonly Mount[] = [];
  #site: Site;

  constructor(config: ListenerConfig, services: HttpServices) {
    this.#config = config;
    this.#services = services;
    this.#site = new Site([], config, services);
    this.#server = new HttpServer(config, services, () => this.#site);
    this.#port = new Port(socket => this.#server.take(socket));
  }

  get name(): string {
    return this.#config.name;
  }

  /** Adds a mount; before `listen`. */
  mount(mount: Mount): void {
    this.#mounts = [...this.#mounts, mount];
  }

  /** Opens the address and gives its URL, with the real port. */
  async listen(): Promise<string> {
    this.#site = new Site(this.#mounts, this.#config, this.#services);
    await this.#site.ready();
    const port = await this.#port.open(this.name, this.#config);
    const scheme = this.#config.tls === undefined ? 'http' : 'https';
    return `${scheme}://${reachable(this.#config.host)}:${port}`;
  }

  /** How many connections have come so far. */
  get accepted(): number {
    return this.#port.accepted;
  }

  /** From now on each answer ends its connection. May be called again. */
  endConnections(): void {
    this.#server.endConnections();
  }

  /** Accepts no more connections and ends once every request in progress is answered. */
  async drain(): Promise<void> {
    const closed = this.#port.close();
    this.#server.close();
    await closed;
  }

  /** Ends every connection at once. */
  cut(): void {
    this.#server.cut();
  }
}

/** The host of a URL by which this machine reaches the listener. */
function reachable(host: string): string {
  if (host === '0.0.0.0') return '127.0.0.1';
  if (host === '::') return '[::1]';
  return host.includes(':') ? `[${host}]` : host;
}

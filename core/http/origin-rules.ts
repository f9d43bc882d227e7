import type {IncomingMessage} from 'node:http';
import {isIP} from 'node:net';
import type {ListenerConfig} from '../config/gateway-config.js';
import {isOpen} from '../config/sockets.js';

/**
 * Which names and which web pages a listener answers. A page of any origin can send a request to any address that its
 * visitor's browser reaches, and after a trick with DNS even read the answer; what gives it away is the `Origin` that the
 * browser adds, and the name in `Host`, which is the page's own.
 */
export class OriginRules {
  /** Undefined: every name is answered. */
  readonly #hosts: ReadonlySet<string> | undefined;
  readonly #origins: ReadonlySet<string>;
  readonly #scheme: 'http' | 'https';
  /** That was answered last: nearly all requests have the same. */
  #latest = '';

  constructor({host, hosts, cors, tls}: Pick<ListenerConfig, 'host' | 'hosts' | 'cors' | 'tls'>) {
    const names = hosts.map(name => name.toLowerCase());
    this.#hosts = isOpen({host}) && names.length === 0 ? undefined : new Set(['localhost', ...names]);
    this.#origins = new Set(cors.origins.map(origin => new URL(origin).origin));
    this.#scheme = tls === undefined ? 'http' : 'https';
  }

  /** Whether it may be called by this name. No browser leaves it out. */
  answersTo(host: string | undefined): boolean {
    if (this.#hosts === undefined || host === undefined || host === '' || host === this.#latest) return true;
    const name = host
      .replace(/:\d*$/, '')
      .replace(/^\[(.*)\]$/, '$1')
      .toLowerCase();
    if (!this.#hosts.has(name) && isIP(name) === 0) return false;
    this.#latest = host;
    return true;
  }

  /** Whether web pages of the origin are expected, by the configuration. */
  lists(origin: string): boolean {
    return this.#origins.has(origin.toLowerCase());
  }

  /** Whether the request comes from a page that this listener has served itself, by the name in the request. */
  isOwn(origin: string, {headers}: IncomingMessage): boolean {
    return origin.toLowerCase() === `${this.#scheme}://${headers.host ?? ''}`.toLowerCase();
  }
}

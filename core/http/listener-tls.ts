import {randomBytes} from 'node:crypto';
import type {SecureContextOptions, Server, TlsOptions} from 'node:tls';
import {tlsKeys} from '../config/credential-files.js';
import type {ListenerTls} from '../config/listener-access.js';
import {reloadSuccess, WatchedFiles} from '../toolkit/files/watched-files.js';
import {tellExpiry} from '../toolkit/tls/certificate-expiry.js';
import {type TlsMaterial, tlsFiles} from '../toolkit/tls/tls-files.js';
import type {HttpServices} from './services.js';

/** How long a handshake may take, in milliseconds. */
const HANDSHAKE_TIMEOUT = 15_000;
const TICKET_KEYS_BYTES = 48;

/** The TLS of one listener, with what its files hold at the time. */
export class TlsOfListener {
  readonly #name: string;
  readonly #config: ListenerTls;
  readonly #services: Pick<HttpServices, 'loggerOf' | 'meterOf'>;
  readonly #files: WatchedFiles<TlsMaterial>;

  /** Throws a `GatewayError` where the files cannot be used. */
  constructor(name: string, config: ListenerTls, services: Pick<HttpServices, 'loggerOf' | 'meterOf'>) {
    this.#name = name;
    this.#config = config;
    this.#services = services;
    const what = `tls:${name}`;
    const {certificate, key, clientCa: ca} = config;
    this.#files = new WatchedFiles(tlsFiles({certificate, key, ca}, tlsKeys(name)), {
      what,
      log: services.loggerOf('gateway'),
      success: reloadSuccess(services.meterOf('gateway'), what),
    });
    this.#tell(this.#files.value);
  }

  /** Whether every client has to show a certificate. */
  get asksClients(): boolean {
    return this.#config.clientCa !== undefined;
  }

  /** What a server is made with. */
  get options(): TlsOptions {
    const isClientAsked = {requestCert: this.asksClients, rejectUnauthorized: this.asksClients};
    return {...this.#context(this.#files.value), ...isClientAsked, handshakeTimeout: HANDSHAKE_TIMEOUT};
  }

  /**
   * New connections of the server get what the files hold, from now on. `changed` hears of it after that: connections that
   * are open stay as they are.
   */
  follow(server: Server, changed: () => void): void {
    this.#files.onChange(material => {
      server.setSecureContext(this.#context(material));
      this.#tell(material);
      changed();
    });
  }

  close(): void {
    this.#files.close();
  }

  /** Whole each time: a server takes what is left out as none. */
  #context({cert, key, ca}: TlsMaterial): SecureContextOptions {
    // New keys each time: a session that is resumed shows no certificate, so those of other authorities must not be.
    const ticketKeys = randomBytes(TICKET_KEYS_BYTES);
    const {minVersion} = this.#config;
    return {...(cert && {cert}), ...(key && {key}), ...(ca && {ca}), minVersion, ticketKeys};
  }

  #tell(material: TlsMaterial): void {
    const {loggerOf, meterOf} = this.#services;
    tellExpiry(material, this.#name, {meter: meterOf('gateway'), log: loggerOf('gateway')});
  }
}

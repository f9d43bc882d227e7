import {randomBytes} from 'node:crypto';
import type {SecureContextOptions, TlsOptions} from 'node:tls';
import type {ConfigMistake, JsonSchema} from '../../api/json-schema.js';
import type {Logger, Meter} from '../../api/telemetry.js';
import {readFiles} from '../files/file-set.js';
import {reloadSuccess, WatchedFiles} from '../files/watched-files.js';
import {tellExpiry} from './certificate-expiry.js';
import {type TlsFileKeys, type TlsMaterial, tlsFiles} from './tls-files.js';

/** Older versions are broken, and no client needs them. */
const MIN_VERSIONS = ['TLSv1.2', 'TLSv1.3'] as const;
/** How long a handshake may take, in milliseconds. */
const HANDSHAKE_TIMEOUT = 15_000;
const TICKET_KEYS_BYTES = 48;

/** What a socket that speaks TLS is made of: absolute paths of PEM files. */
export interface ServerTls {
  readonly certificate: string;
  readonly key: string;
  /** With it a client has to show a certificate of one of these authorities. */
  readonly clientCa?: string;
  readonly minVersion: (typeof MIN_VERSIONS)[number];
}

const file = (description: string): JsonSchema => ({type: 'string', format: 'path', minLength: 1, description});

export const serverTlsSchema = (description: string): JsonSchema => ({
  type: 'object',
  additionalProperties: false,
  description: `${description} The files are read again when they change.`,
  required: ['certificate', 'key'],
  properties: {
    certificate: file('The certificate in PEM, followed by those that lead to its root.'),
    key: file('Its private key in PEM, without a passphrase.'),
    clientCa: file('Authorities in PEM. With them every client has to show a certificate of one of them.'),
    minVersion: {enum: [...MIN_VERSIONS], default: 'TLSv1.2', description: 'The oldest version of TLS that is spoken.'},
  },
});

/** What is wrong with the files; `key` is that of the whole block. */
export function serverTlsMistakes(tls: ServerTls | undefined, key: string): readonly ConfigMistake[] {
  return tls === undefined ? [] : (readFiles(setOf(tls, key)).mistakes ?? []);
}

export interface ServerTlsOptions {
  /** The name of the socket in the ready line: `tls:<socket>` in warnings and metrics. */
  readonly socket: string;
  /** The key of the whole block, for messages. */
  readonly key: string;
  readonly log: Logger;
  readonly meter: Meter;
}

/** The TLS of one socket, with what its files hold at the time. */
export class WatchedServerTls {
  readonly #tls: ServerTls;
  readonly #options: ServerTlsOptions;
  readonly #files: WatchedFiles<TlsMaterial>;

  /** Throws a `GatewayError` when the files cannot be used. */
  constructor(tls: ServerTls, options: ServerTlsOptions) {
    const {socket, key, log, meter} = options;
    const what = `tls:${socket}`;
    this.#tls = tls;
    this.#options = options;
    this.#files = new WatchedFiles(setOf(tls, key), {what, log, success: reloadSuccess(meter, what)});
    tellExpiry(this.#files.value, socket, options);
  }

  /** Whether every client has to show a certificate. */
  get asksClients(): boolean {
    return this.#tls.clientCa !== undefined;
  }

  /** What connections that come now are to be served with. */
  get context(): SecureContextOptions {
    return this.#contextOf(this.#files.value);
  }

  /** What a server is made with. */
  get options(): TlsOptions {
    const asks = {requestCert: this.asksClients, rejectUnauthorized: this.asksClients};
    return {...this.context, ...asks, handshakeTimeout: HANDSHAKE_TIMEOUT};
  }

  /** Told of each change; connections that are open stay as they are. */
  onChange(listener: (context: SecureContextOptions) => void): void {
    this.#files.onChange(material => {
      listener(this.#contextOf(material));
      tellExpiry(material, this.#options.socket, this.#options);
    });
  }

  close(): void {
    this.#files.close();
  }

  /** Whole each time: a server takes what is left out as none. */
  #contextOf({cert, key, ca}: TlsMaterial): SecureContextOptions {
    const {minVersion} = this.#tls;
    // New keys each time: a session that is resumed shows no certificate, so those of other authorities must not be.
    const ticketKeys = randomBytes(TICKET_KEYS_BYTES);
    return {...(cert && {cert}), ...(key && {key}), ...(ca && {ca}), minVersion, ticketKeys};
  }
}

function setOf({certificate, key, clientCa: ca}: ServerTls, block: string) {
  const keys: TlsFileKeys = {certificate: `${block}.certificate`, key: `${block}.key`, ca: `${block}.clientCa`};
  return tlsFiles({certificate, key, ca}, keys);
}

import {type ChannelCredentials, credentials, Metadata} from '@grpc/grpc-js';
import type {Logger} from '../../core/api/telemetry.js';
import {WatchedFiles} from '../../core/toolkit/files/watched-files.js';
import {WatchedChannelCredentials} from '../../core/toolkit/grpc/channel-credentials.js';
import type {TlsFailureTerms} from '../../core/toolkit/tls/tls-failure.js';
import {type TlsMaterial, tlsFiles} from '../../core/toolkit/tls/tls-files.js';
import {type ProxySecurityOptions, TLS_FLAGS, TOKEN_FLAG} from './security-options.js';
import {tokenFile} from './token-file.js';

/** How the agent trusts the proxy, and what it shows: from files that are read again when they change. */
export class ProxySecurity {
  readonly credentials: ChannelCredentials;
  readonly terms: TlsFailureTerms;
  readonly #files: WatchedFiles<TlsMaterial> | undefined;
  readonly #token: WatchedFiles<string> | undefined;

  /** Throws a `GatewayError` when a file cannot be used. */
  constructor({tls, tokenFile: path}: ProxySecurityOptions, log: Logger) {
    this.#files = tls && new WatchedFiles(tlsFiles(tls, TLS_FLAGS), {what: 'tls', log});
    this.#token = path === undefined ? undefined : new WatchedFiles(tokenFile(path, TOKEN_FLAG), {what: 'token', log});
    this.credentials = this.#files ? new WatchedChannelCredentials(this.#files) : credentials.createInsecure();
    this.terms = {
      ca: `--${TLS_FLAGS.ca}`,
      certificate: `--${TLS_FLAGS.certificate}`,
      hasCertificate: tls?.certificate !== undefined,
    };
    if (this.#token !== undefined && tls === undefined) {
      log.warn('the token goes to the proxy in plain text, because --proxy-tls is not set');
    }
  }

  /** What goes with a call that is made now. */
  metadata(): Metadata {
    const metadata = new Metadata();
    if (this.#token !== undefined) metadata.set('authorization', `Bearer ${this.#token.value}`);
    return metadata;
  }

  close(): void {
    this.#files?.close();
    this.#token?.close();
  }
}

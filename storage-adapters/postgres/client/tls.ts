import {type ConnectionOptions, checkServerIdentity} from 'node:tls';
import type {Logger, Meter} from '../../../core/api/adapter.js';
import type {WatchedFiles} from '../../../core/toolkit/files/watched-files.js';
import type {TlsMaterial} from '../../../core/toolkit/tls/tls-files.js';
import {type TlsOption, watchTlsOption} from '../../../core/toolkit/tls/tls-option.js';

/** What the driver is told of TLS, with the files of the option `tls` as they are at the time. */
export class PostgresTls {
  readonly #files: WatchedFiles<TlsMaterial>;
  readonly #name: string;

  /** Throws when the files cannot be used. */
  constructor(option: TlsOption, host: string, log: Logger, meter: Meter) {
    this.#files = watchTlsOption(option, log, meter);
    this.#name = option.serverName ?? host;
  }

  get current(): ConnectionOptions {
    return this.#optionsOf(this.#files.value);
  }

  onChange(listener: (current: ConnectionOptions) => void): void {
    this.#files.onChange(material => listener(this.#optionsOf(material)));
  }

  close(): void {
    this.#files.close();
  }

  /** The driver tells Node.js the host only where it is a name, and no other name: so the check is given the one to expect. */
  #optionsOf({ca, cert, key}: TlsMaterial): ConnectionOptions {
    return {ca, cert, key, checkServerIdentity: (_, peer) => checkServerIdentity(this.#name, peer)};
  }
}

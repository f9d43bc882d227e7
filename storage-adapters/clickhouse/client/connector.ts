import type {Socket} from 'node:net';
import {buildConnector} from 'undici';
import type {Logger, Meter} from '../../../core/api/adapter.js';
import type {WatchedFiles} from '../../../core/toolkit/files/watched-files.js';
import type {TlsMaterial} from '../../../core/toolkit/tls/tls-files.js';
import {type TlsOption, watchTlsOption} from '../../../core/toolkit/tls/tls-option.js';

const CONNECT_TIME = 3000;

/** Makes connections to the server, with the files of the option `tls` as they are at the time. */
export class ClickHouseConnector {
  readonly #files: WatchedFiles<TlsMaterial> | undefined;
  readonly #serverName: string | undefined;
  /** Each has sessions of its own, so that none is resumed for which another authority, or certificate, stood. */
  #connect: buildConnector.connector;

  /** Throws when the files cannot be used. */
  constructor(option: TlsOption | undefined, log: Logger, meter: Meter) {
    this.#serverName = option?.serverName;
    this.#files = option === undefined ? undefined : watchTlsOption(option, log, meter);
    this.#connect = this.#connectorOf(this.#files?.value);
    this.#files?.onChange(material => {
      this.#connect = this.#connectorOf(material);
    });
  }

  readonly connect: buildConnector.connector = (options, callback) => {
    this.#connect(options, (...result) => {
      if (result[0] === null) keepFirstError(result[1]);
      callback(...result);
    });
  };

  close(): void {
    this.#files?.close();
  }

  #connectorOf(material: TlsMaterial | undefined): buildConnector.connector {
    const servername = this.#serverName;
    return buildConnector({timeout: CONNECT_TIME, ...material, ...(servername !== undefined && {servername})});
  }
}

/**
 * A server that turns down a certificate says so after the handshake, as its first answer, and closes. The client of HTTP
 * passes on that the connection was closed; why becomes the cause of that.
 */
function keepFirstError(socket: Socket): void {
  let first: Error | undefined;
  socket.on('error', error => {
    if (first === undefined) first = error;
    else error.cause ??= first;
  });
}

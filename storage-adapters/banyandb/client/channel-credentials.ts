import {isIP, type Socket} from 'node:net';
import {connect, createSecureContext, type SecureContext, type TLSSocket} from 'node:tls';
import {CallCredentials, ChannelCredentials} from '@grpc/grpc-js';
import type {WatchedFiles} from '../../../core/toolkit/files/watched-files.js';
import type {TlsMaterial} from '../../../core/toolkit/tls/tls-files.js';

type Connect = ChannelCredentials['_createSecureConnector'];

/** Credentials of a client that speaks TLS: each connection that its channel makes uses the files as they are then. */
export class WatchedChannelCredentials extends ChannelCredentials {
  readonly #name: string;
  #context: SecureContext;

  /** `name` is the name, or the address, that the certificate of the server must have. */
  constructor(files: WatchedFiles<TlsMaterial>, name: string) {
    super();
    this.#name = name;
    this.#context = createSecureContext(files.value);
    files.onChange(material => {
      this.#context = createSecureContext(material);
    });
  }

  override _isSecure(): boolean {
    return true;
  }

  override _equals(other: ChannelCredentials): boolean {
    return this === other;
  }

  override _createSecureConnector(
    ...[, , own = CallCredentials.createEmpty()]: Parameters<Connect>
  ): ReturnType<Connect> {
    return {
      connect: async socket => ({socket: await this.#secured(socket), secure: true}),
      waitForReady: async () => undefined,
      getCallCredentials: () => own,
      destroy: () => undefined,
    };
  }

  #secured(socket: Socket): Promise<TLSSocket> {
    const host = this.#name;
    // An address is checked as one, and is no name to ask for.
    const servername = isIP(host) === 0 ? {servername: host} : {};
    const options = {socket, secureContext: this.#context, ALPNProtocols: ['h2'], host, ...servername};
    return new Promise((resolve, reject) => {
      const secure = connect(options, () => resolve(secure));
      secure.on('error', reject).once('close', () => reject(new Error('the connection was closed')));
    });
  }
}

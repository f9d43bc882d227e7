import {isIP, type Socket} from 'node:net';
import {connect, createSecureContext, type SecureContext, type TLSSocket} from 'node:tls';
import {CallCredentials, ChannelCredentials} from '@grpc/grpc-js';
import type {WatchedFiles} from '../files/watched-files.js';
import type {TlsMaterial} from '../tls/tls-files.js';

type Connect = ChannelCredentials['_createSecureConnector'];

/** Credentials of a client that speaks TLS: each connection that its channel makes uses the files as they are then. */
export class WatchedChannelCredentials extends ChannelCredentials {
  readonly #name: string | undefined;
  #context: SecureContext;

  /** `name` is the name that the certificate of a server must have, where it is not the host that is connected to. */
  constructor(files: WatchedFiles<TlsMaterial>, name?: string) {
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
    ...[target, , own = CallCredentials.createEmpty()]: Parameters<Connect>
  ): ReturnType<Connect> {
    const host = this.#name ?? hostOf(target);
    return {
      connect: async socket => ({socket: await this.#secured(socket, host), secure: true}),
      waitForReady: async () => undefined,
      getCallCredentials: () => own,
      destroy: () => undefined,
    };
  }

  #secured(socket: Socket, host: string): Promise<TLSSocket> {
    // An address is checked as one, and is no name to ask for.
    const servername = isIP(host) === 0 ? {servername: host} : {};
    const options = {socket, secureContext: this.#context, ALPNProtocols: ['h2'], host, ...servername};
    return new Promise((resolve, reject) => {
      const secure = connect(options, () => resolve(secure));
      secure.on('error', reject).once('close', () => reject(new Error('the connection was closed')));
    });
  }
}

/** As other clients of gRPC have it, a Unix socket is `localhost`. */
function hostOf({scheme, path}: Parameters<Connect>[0]): string {
  if (scheme === 'unix' || scheme === 'unix-abstract') return 'localhost';
  return path.replace(/:\d+$/, '').replace(/^\[(.*)\]$/, '$1');
}

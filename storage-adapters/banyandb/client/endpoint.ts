import {type ChannelCredentials, Client, Metadata, type ServiceError} from '@grpc/grpc-js';
import {CheckHealth, GetAPIVersion, type GrpcMethod, type OutgoingMessage} from '../proto/methods.js';

export interface BanyanDBEndpointOptions {
  readonly credentials: ChannelCredentials;
  readonly username: string | undefined;
  readonly password: string | undefined;
  readonly maxMessageSize: number;
}

/** One address of the server: a channel that reconnects by itself. */
export class BanyanDBEndpoint {
  readonly address: string;
  /** Until when it is asked only when all others fail too; milliseconds of the monotonic clock. */
  avoidedUntil = 0;
  /** When it last answered a call; milliseconds of the monotonic clock. */
  answeredAt = Number.NEGATIVE_INFINITY;
  readonly #client: Client;
  readonly #metadata = new Metadata();

  constructor(address: string, {credentials, username, password, maxMessageSize}: BanyanDBEndpointOptions) {
    this.address = address;
    this.#client = new Client(address, credentials, {
      'grpc.max_receive_message_length': maxMessageSize,
      'grpc.max_send_message_length': -1,
      // By default a channel that lost its server would try again only after up to two minutes.
      'grpc.initial_reconnect_backoff_ms': 100,
      'grpc.max_reconnect_backoff_ms': 2000,
    });
    if (username !== undefined) this.#metadata.set('username', username);
    if (password !== undefined) this.#metadata.set('password', password);
  }

  /** Rejects with what gRPC says, or with the reason of the signal. */
  call<Request, Response>(
    method: GrpcMethod<Request, Response>,
    request: OutgoingMessage<Request>,
    timeout: number,
    signal: AbortSignal,
  ): Promise<Response> {
    signal.throwIfAborted();
    return new Promise((resolve, reject) => {
      const done = (error: ServiceError | null, response?: Response): void => {
        signal.removeEventListener('abort', abort);
        if (error === null) {
          this.answeredAt = performance.now();
          resolve(response as Response);
        } else reject(signal.aborted ? signal.reason : error);
      };
      const call = this.#client.makeUnaryRequest(
        method.path,
        method.requestSerialize,
        method.responseDeserialize,
        request,
        this.#metadata,
        {deadline: Date.now() + timeout},
        done,
      );
      const abort = (): void => call.cancel();
      signal.addEventListener('abort', abort, {once: true});
    });
  }

  async isServing(timeout: number, signal: AbortSignal): Promise<boolean> {
    const [{status}] = await Promise.all([
      this.call(CheckHealth, {service: ''}, timeout, signal),
      // The check of health asks for no user.
      this.call(GetAPIVersion, {}, timeout, signal),
    ]);
    return status === 'SERVING';
  }

  close(): void {
    this.#client.close();
  }
}

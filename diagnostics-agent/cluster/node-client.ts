import {Client, credentials, type ServiceError, status} from '@grpc/grpc-js';
import type {PartialMessage, RpcMethod} from '../../plugins/diagnostics/proto/contract.js';

/** The state of a large cluster, or the inspection of many groups, is more than the library takes unasked. */
const LARGEST_MESSAGE = 32 * 2 ** 20;

/** Calls a service of the database node beside the agent. */
export class NodeClient {
  readonly #client: Client;

  constructor(port: number) {
    // Not "localhost", which may be an IPv6 address where the database listens on IPv4 alone.
    this.#client = new Client(`127.0.0.1:${port}`, credentials.createInsecure(), {
      'grpc.max_receive_message_length': LARGEST_MESSAGE,
      // A node that starts must be seen at the next poll, not after a back-off of the library's own.
      'grpc.max_reconnect_backoff_ms': 1000,
    });
  }

  /** One call with an empty request; `timeout` in milliseconds. Rejects with the library's `ServiceError`. */
  call<Request, Response>(
    method: RpcMethod<Request, Response>,
    {timeout, signal}: {readonly timeout: number; readonly signal: AbortSignal},
  ): Promise<Response> {
    return new Promise((resolve, reject) => {
      const call = this.#client.makeUnaryRequest(
        method.path,
        method.requestSerialize,
        method.responseDeserialize,
        {} as PartialMessage<Request>,
        {deadline: Date.now() + timeout},
        (error, response) => {
          signal.removeEventListener('abort', cancel);
          if (error !== null) reject(error);
          else resolve(response as Response);
        },
      );
      const cancel = (): void => call.cancel();
      signal.addEventListener('abort', cancel);
      if (signal.aborted) cancel();
    });
  }

  close(): void {
    this.#client.close();
  }
}

/** Whether the other side does not know the method. */
export function isUnimplemented(error: unknown): boolean {
  return (error as ServiceError | undefined)?.code === status.UNIMPLEMENTED;
}

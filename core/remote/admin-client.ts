import {X509Certificate} from 'node:crypto';
import {readFileSync} from 'node:fs';
import {type IncomingMessage, Agent as PlainAgent, request as plainRequest, type RequestOptions} from 'node:http';
import {type AgentOptions, Agent as TlsAgent, request as tlsRequest} from 'node:https';
import {text} from 'node:stream/consumers';
import {type ErrorCode, GatewayError} from '../api/errors.js';
import type {ListenerConfig} from '../config/gateway-config.js';
import {excerpt} from '../toolkit/messages.js';

const WILDCARDS: Readonly<Record<string, string>> = {'0.0.0.0': '127.0.0.1', '::': '::1', '*': '127.0.0.1'};

/** What another status than 200 is; the others are failures. */
const CODES: Readonly<Record<number, ErrorCode>> = {
  400: 'bad_request',
  401: 'unauthenticated',
  403: 'forbidden',
  404: 'not_found',
  413: 'too_large',
  503: 'overloaded',
  504: 'timeout',
};

export interface AdminRequest {
  readonly method: 'GET' | 'POST';
  readonly path: string;
  readonly body?: Uint8Array;
  readonly signal: AbortSignal;
}

/** Asks a gateway that runs on this machine over its admin listener, as its configuration describes that. */
export class AdminClient {
  /** As a URL. */
  readonly address: string;
  readonly #request: typeof plainRequest;
  readonly #agent: PlainAgent;
  readonly #options: RequestOptions;

  /** `token` is of a caller with the right `admin`, where the gateway asks who they are. */
  constructor({host, port, tls}: ListenerConfig, token: string | undefined) {
    const name = WILDCARDS[host] ?? host;
    this.address = `${tls ? 'https' : 'http'}://${name.includes(':') ? `[${name}]` : name}:${port}`;
    this.#request = tls ? (tlsRequest as typeof plainRequest) : plainRequest;
    this.#agent = tls
      ? new TlsAgent({keepAlive: true, ...trustIn(tls.certificate)})
      : new PlainAgent({keepAlive: true});
    const headers = token === undefined ? {} : {authorization: `Bearer ${token}`};
    this.#options = {host: name, port, agent: this.#agent, headers};
  }

  /** The body of the answer, as it comes. Rejects with what the gateway says where its status is not 200. */
  async *ask(request: AdminRequest): AsyncGenerator<Uint8Array> {
    const answer = await this.#send(request);
    if (answer.statusCode !== 200) throw await this.#refusal(answer);
    try {
      yield* answer;
    } catch (cause) {
      request.signal.throwIfAborted();
      throw this.#unreachable(cause as Error);
    }
  }

  close(): void {
    this.#agent.destroy();
  }

  #send({method, path, body, signal}: AdminRequest): Promise<IncomingMessage> {
    return new Promise((resolve, reject) => {
      const send = (): void => {
        const request = this.#request({...this.#options, method, path, signal}, resolve);
        request.once('error', (cause: NodeJS.ErrnoException) => {
          // The gateway has just closed a connection on which nothing was asked for long.
          if (request.reusedSocket && cause.code === 'ECONNRESET') send();
          else reject(signal.aborted ? signal.reason : this.#unreachable(cause));
        });
        request.end(body);
      };
      send();
    });
  }

  async #refusal(answer: IncomingMessage): Promise<GatewayError> {
    const {statusCode = 0} = answer;
    const said = await text(answer);
    const reason = /^\{"error":("(?:[^"\\]|\\.)*")/.exec(said)?.[1];
    const code = CODES[statusCode] ?? 'storage_failed';
    const why = reason === undefined ? excerpt(said) : JSON.parse(reason);
    return new GatewayError(code, `the gateway at ${this.address} answers ${statusCode}: ${why}`);
  }

  #unreachable(cause: Error): GatewayError {
    return new GatewayError('storage_unavailable', `the gateway at ${this.address} cannot be asked: ${cause.message}`, {
      cause,
    });
  }
}

/** The very certificate that the configuration names, whoever has signed it and whatever names are in it. */
function trustIn(file: string): AgentOptions {
  const ca = readFileSync(file);
  const own = new X509Certificate(ca).raw;
  return {
    ca,
    allowPartialTrustChain: true,
    checkServerIdentity: (_name, {raw}) =>
      raw.equals(own) ? undefined : new Error(`it shows another certificate than the one in ${file}`),
  } as AgentOptions;
}

import type {IncomingMessage, ServerResponse} from 'node:http';
import type {Duplex} from 'node:stream';
import type {Reply} from '../api/http.js';
import type {LogFields, Logger} from '../api/telemetry.js';
import type {ListenerConfig} from '../config/gateway-config.js';
import {joinBraces} from './braces.js';
import {isWhole, pathOf} from './send.js';
import type {HttpServices} from './services.js';

/** The component of its lines, which are written at every `logLevel`. */
export const ACCESS_LOG = 'access';

/** Of the query string, and of a form body, so many characters are looked at: more than a query may have. */
const LONGEST = 64 * 1024;
/** Parameters whose value is a credential, whatever path they were meant for. */
const SECRET = /passw(?:or)?d|secret|token|authorization|credential|api_?key|access_?key/i;

/** A request, and what only those know who answer it. */
export interface LoggedRequest {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  /** Whose path it is. */
  readonly plugin: string;
  /** When its headers had come, on the clock of `performance.now()`. */
  readonly begun: number;
  /** The body, where it is a form. */
  readonly form?: string;
  /** The name of the token or the user. */
  readonly caller?: string | undefined;
}

/** One line for each request of a listener, when its answer has left or its client has gone. */
export class AccessLog {
  readonly #log: Logger;
  readonly #listener: string;

  constructor(log: Logger, listener: string) {
    this.#log = log;
    this.#listener = listener;
  }

  /** To be called before the answer is sent; gives what to send, whose bytes are counted. */
  answer(logged: LoggedRequest, reply: Reply): Reply {
    const {request, response, plugin, begun, form = '', caller} = logged;
    // Later the socket has forgotten it.
    const client = clientOf(request.socket);
    const {body} = reply;
    const isHead = request.method === 'HEAD';
    let bytes = isHead || !isWhole(body) ? 0 : Buffer.byteLength(body);
    const write = (): void => {
      const {headers, method, url = ''} = request;
      const {'user-agent': agent, 'x-forwarded-for': forwardedFor} = headers;
      const mark = url.indexOf('?');
      this.#write({
        client,
        ...(forwardedFor !== undefined && {forwardedFor}),
        ...(caller !== undefined && {caller}),
        plugin,
        method,
        path: pathOf(request),
        ...parametersOf(mark < 0 ? '' : url.slice(mark + 1), form),
        status: reply.status,
        bytes,
        ms: Math.round(1000 * (performance.now() - begun)) / 1000,
        ...(agent !== undefined && {agent}),
        ...(!response.writableFinished && {aborted: true}),
      });
    };
    if (response.closed) write();
    else response.once('close', write);
    if (isWhole(body)) return reply;
    const counted = (size: number): void => {
      bytes += size;
    };
    return {...reply, body: count(body, counted)};
  }

  /** What came was no request, or did not come in time. */
  refuse(socket: Duplex, status: number, problem: string): void {
    this.#write({client: clientOf(socket), status, problem});
  }

  #write(fields: LogFields): void {
    this.#log.info('request', {listener: this.#listener, ...fields});
  }
}

/** The log of a listener that has it switched on. */
export function accessLogOf(
  {name, accessLog}: Pick<ListenerConfig, 'name' | 'accessLog'>,
  {loggerOf}: Pick<HttpServices, 'loggerOf'>,
): AccessLog | undefined {
  return accessLog ? new AccessLog(loggerOf(ACCESS_LOG), name) : undefined;
}

async function* count(
  pieces: AsyncIterable<string | Uint8Array>,
  counted: (size: number) => void,
): AsyncGenerator<string | Uint8Array> {
  for await (const piece of pieces) {
    counted(Buffer.byteLength(piece));
    yield piece;
  }
}

/** The parameters as a handler reads them, decoded; a name that stands more than once has a list. */
function parametersOf(queryString: string, form: string): LogFields {
  if (queryString === '' && form === '') return {};
  const parameters: Record<string, string | string[]> = Object.create(null);
  for (const text of [queryString, form]) {
    for (const [name, value] of new URLSearchParams(joinBraces(text.slice(0, LONGEST)))) {
      const shown = SECRET.test(name) ? '(hidden)' : value;
      const known = parameters[name];
      parameters[name] = known === undefined ? shown : [known, shown].flat();
    }
  }
  return {parameters};
}

function clientOf(socket: Duplex): string {
  const {remoteAddress = ''} = socket as {readonly remoteAddress?: string};
  return remoteAddress.replace(/^::ffff:/, '');
}

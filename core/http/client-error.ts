import {type IncomingMessage, METHODS} from 'node:http';
import {Socket} from 'node:net';
import type {Duplex} from 'node:stream';
import {GatewayError} from '../api/errors.js';
import type {AccessLog} from './access-log.js';
import {hasBody} from './body.js';
import {Exchange} from './exchange.js';
import type {HttpServices} from './services.js';

/** How long a request may take to arrive, in seconds; 0 for no bound. */
export interface ReadTimeouts {
  readonly headers: number;
  readonly all: number;
}

/** How long a client that is refused may go on sending before it is cut off. To cut it at once could lose the answer. */
const LAST_WORDS = 500;

/** Of the connection, or of a handshake that has failed: nobody would read an answer. */
const BROKEN = /^(?:ECONNRESET|EPROTO|ERR_(?:SSL|TLS)_)/;

/** Answers what is not a request, once a connection, and ends it: before a path is known the answer is plain JSON. */
export class ClientErrors {
  readonly #services: HttpServices;
  readonly #timeouts: ReadTimeouts;
  readonly #accessLog: AccessLog | undefined;
  /** The latest request of each connection that has a body. */
  readonly #bodies = new WeakMap<Duplex, IncomingMessage>();
  readonly #refused = new WeakSet<Duplex>();

  constructor(services: HttpServices, timeouts: ReadTimeouts, accessLog?: AccessLog) {
    this.#services = services;
    this.#timeouts = timeouts;
    this.#accessLog = accessLog;
  }

  /** To be told of every request: an error in the body of one that is answered already needs no answer. */
  note(request: IncomingMessage): void {
    if (hasBody(request)) this.#bodies.set(request.socket, request);
  }

  /** The parser reports what it cannot read again with every chunk that follows. */
  refuse(error: ParserError, socket: Duplex): void {
    if (this.#refused.has(socket)) return;
    this.#refused.add(socket);
    if (BROKEN.test(error.code ?? '') || !socket.writable) {
      socket.destroy();
      return;
    }
    const pending = socket instanceof Socket ? this.#services.inFlight.on(socket) : undefined;
    const exchange = pending instanceof Exchange ? pending : undefined;
    if (exchange?.isReading) {
      const [status, message] = explainBody(error, this.#timeouts);
      exchange.abort(new GatewayError('bad_request', message), status);
      exchange.whenAnswered(() => end(socket));
    } else if (exchange !== undefined) {
      // What is wrong comes behind a request that is good.
      exchange.whenAnswered(() => this.#answer(error, socket));
    } else if (this.#bodies.get(socket)?.complete === false) {
      // Behind the answer, which is written at the end of this turn.
      setImmediate(() => end(socket));
    } else {
      this.#answer(error, socket);
    }
  }

  #answer(error: ParserError, socket: Duplex): void {
    if (socket.writable) {
      const [status, message] = explain(error, this.#services.limits.headerBytes, this.#timeouts);
      this.#accessLog?.refuse(socket, Number.parseInt(status, 10), message);
      write(socket, status, message);
    }
    end(socket);
  }
}

/** Says that nothing more comes, and lets go when the other side does. */
function end(socket: Duplex): void {
  socket.end();
  const timer = setTimeout(() => socket.destroy(), LAST_WORDS);
  socket.once('end', () => socket.destroy()).once('close', () => clearTimeout(timer));
}

function explainBody({code}: ParserError, {all}: ReadTimeouts): readonly [status: number, message: string] {
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT') return [408, `the request was not complete within ${all} s`];
  return [400, 'the body is not sent in well-formed chunks'];
}

/** CONNECT comes with a bare connection in place of a response. */
export function refuseConnect(socket: Duplex): void {
  write(socket, '400 Bad Request', 'CONNECT asks for a tunnel, and the gateway is no proxy');
  socket.end(() => socket.destroy());
}

/** What the parser of the HTTP server reports. */
interface ParserError extends NodeJS.ErrnoException {
  /** The parser's words. */
  readonly reason?: string;
  /** The bytes in which the error is. */
  readonly rawPacket?: unknown;
}

const TWO_FRAMINGS = 'the headers "Content-Length" and "Transfer-Encoding" contradict each other';
const LINE_END = 'a line of the request does not end with CR and LF';

function write(socket: Duplex, status: string, message: string): void {
  const body = JSON.stringify({error: message});
  socket.write(
    `HTTP/1.1 ${status}\r\nconnection: close\r\ncontent-type: application/json; charset=utf-8\r\n` +
      `content-length: ${Buffer.byteLength(body)}\r\n\r\n${body}`,
  );
}

function explain(
  {code, reason, rawPacket}: ParserError,
  headerBytes: number,
  {headers, all}: ReadTimeouts,
): readonly [status: string, message: string] {
  if (code === 'HPE_HEADER_OVERFLOW') {
    const message = `the request line and headers are larger than limits.headerBytes, ${headerBytes} bytes`;
    return ['431 Request Header Fields Too Large', message];
  }
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT') {
    const total = all === 0 ? '' : `, ${all} s for all of it`;
    return ['408 Request Timeout', `the request was not complete in time: ${headers} s for its headers${total}`];
  }
  const cause = Object.hasOwn(CAUSES, reason ?? '') ? CAUSES[reason ?? ''] : HEADERS[code ?? ''];
  if (cause !== undefined) return ['400 Bad Request', cause];
  return ['400 Bad Request', Buffer.isBuffer(rawPacket) ? problemOf(rawPacket) : NOT_HTTP];
}

/** What is wrong with the headers, by the parser's words where its code does not tell. */
const CAUSES: Readonly<Record<string, string>> = {
  "Content-Length can't be present with Transfer-Encoding": TWO_FRAMINGS,
  "Transfer-Encoding can't be present with Content-Length": TWO_FRAMINGS,
  'Expected CRLF after version': LINE_END,
  'Invalid header value char': 'the value of a header holds a control character',
  'Unexpected whitespace after header value': 'the value of a header goes on in a second line',
};
const HEADERS: Readonly<Record<string, string>> = {
  HPE_UNEXPECTED_CONTENT_LENGTH: 'the header "Content-Length" stands more than once',
  HPE_INVALID_CONTENT_LENGTH: 'the header "Content-Length" is not a whole number of bytes that a body can have',
  HPE_INVALID_TRANSFER_ENCODING: 'the header "Transfer-Encoding" is not chunked alone, or chunked once at its end',
  HPE_INVALID_HEADER_TOKEN:
    'a line of the headers does not begin with a name of letters, digits and hyphens, and a colon',
  HPE_UNEXPECTED_SPACE: 'a line of the headers begins with a blank',
  HPE_CR_EXPECTED: LINE_END,
  HPE_LF_EXPECTED: LINE_END,
  HPE_STRICT: LINE_END,
};

const NOT_HTTP = 'this is not an HTTP/1.1 request';

/** What is wrong with the request line, when the rest of it tells that it is meant to be one. */
function problemOf(packet: Buffer): string {
  const [, method = '', target = ''] = /^(\S+) (.+) HTTP\/1\.[01]\r?\n/.exec(packet.toString('latin1')) ?? [];
  if (target.includes(' ')) return 'the request target holds a raw blank; write %20';
  if (/[^\x20-\x7e]/.test(target))
    return 'the request target holds raw bytes outside ASCII; write their UTF-8 as percent escapes';
  if (/^[A-Za-z-]{1,20}$/.test(method) && !METHODS.includes(method)) return `there is no HTTP method "${method}"`;
  return NOT_HTTP;
}

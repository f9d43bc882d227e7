import {METHODS} from 'node:http';
import {Socket} from 'node:net';
import type {Duplex} from 'node:stream';
import {GatewayError} from '../api/errors.js';
import {Exchange} from './exchange.js';
import type {HttpServices} from './services.js';

/** How long a request may take to arrive, in seconds; 0 for no bound. */
export interface ReadTimeouts {
  readonly headers: number;
  readonly all: number;
}

/** Answers what is not a request: before a path is known the answer is plain JSON. */
export function refuseConnection(
  error: ParserError,
  socket: Duplex,
  {inFlight, limits}: HttpServices,
  timeouts: ReadTimeouts,
): void {
  const pending = socket instanceof Socket ? inFlight.on(socket) : undefined;
  if (pending instanceof Exchange && error.code === 'ERR_HTTP_REQUEST_TIMEOUT') {
    pending.abort(new GatewayError('bad_request', `the request was not complete within ${timeouts.all} s`), 408);
  } else if (error.code !== 'ECONNRESET' && socket.writable && pending === undefined) {
    const [status, message] = explain(error, limits.headerBytes, timeouts);
    write(socket, status, message);
  }
  // Behind the answer of a request, which is written at the end of this turn.
  setImmediate(() => socket.end(() => socket.destroy()));
}

/** CONNECT comes with a bare connection in place of a response. */
export function refuseConnect(socket: Duplex): void {
  write(socket, '400 Bad Request', 'CONNECT asks for a tunnel, and the gateway is no proxy');
  socket.end(() => socket.destroy());
}

/** What the parser of the HTTP server reports. */
interface ParserError extends NodeJS.ErrnoException {
  /** The bytes in which the error is. */
  readonly rawPacket?: unknown;
}

function write(socket: Duplex, status: string, message: string): void {
  const body = JSON.stringify({error: message});
  socket.write(
    `HTTP/1.1 ${status}\r\nconnection: close\r\ncontent-type: application/json; charset=utf-8\r\n` +
      `content-length: ${Buffer.byteLength(body)}\r\n\r\n${body}`,
  );
}

function explain(
  {code, rawPacket}: ParserError,
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
  return ['400 Bad Request', Buffer.isBuffer(rawPacket) ? problemOf(rawPacket) : NOT_HTTP];
}

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

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
  error: NodeJS.ErrnoException,
  socket: Duplex,
  {inFlight, limits}: HttpServices,
  timeouts: ReadTimeouts,
): void {
  const pending = socket instanceof Socket ? inFlight.on(socket) : undefined;
  if (pending instanceof Exchange && error.code === 'ERR_HTTP_REQUEST_TIMEOUT') {
    pending.abort(new GatewayError('bad_request', `the request was not complete within ${timeouts.all} s`), 408);
  } else if (error.code !== 'ECONNRESET' && socket.writable && pending === undefined) {
    const [status, message] = explain(error, limits.headerBytes, timeouts);
    const body = JSON.stringify({error: message});
    socket.write(
      `HTTP/1.1 ${status}\r\nconnection: close\r\ncontent-type: application/json; charset=utf-8\r\n` +
        `content-length: ${Buffer.byteLength(body)}\r\n\r\n${body}`,
    );
  }
  socket.end(() => socket.destroy());
}

function explain(
  {code}: NodeJS.ErrnoException,
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
  return ['400 Bad Request', 'this is not an HTTP/1.1 request'];
}

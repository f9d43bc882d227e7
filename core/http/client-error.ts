import {Socket} from 'node:net';
import type {Duplex} from 'node:stream';
import {GatewayError} from '../api/errors.js';
import {Exchange} from './exchange.js';
import type {HttpServices} from './services.js';

/** Answers what is not a request: before a path is known the answer is plain JSON. */
export function refuseConnection(error: NodeJS.ErrnoException, socket: Duplex, {inFlight, limits}: HttpServices): void {
  const pending = socket instanceof Socket ? inFlight.on(socket) : undefined;
  if (pending instanceof Exchange && error.code === 'ERR_HTTP_REQUEST_TIMEOUT') {
    pending.abort(new GatewayError('bad_request', 'the request was not complete within 60 s'), 408);
  } else if (error.code !== 'ECONNRESET' && socket.writable && pending === undefined) {
    const [status, message] = explain(error, limits.headerBytes);
    const body = JSON.stringify({error: message});
    socket.write(
      `HTTP/1.1 ${status}\r\nconnection: close\r\ncontent-type: application/json; charset=utf-8\r\n` +
        `content-length: ${Buffer.byteLength(body)}\r\n\r\n${body}`,
    );
  }
  socket.end(() => socket.destroy());
}

function explain({code}: NodeJS.ErrnoException, headerBytes: number): readonly [status: string, message: string] {
  if (code === 'HPE_HEADER_OVERFLOW') {
    const message = `the request line and headers are larger than limits.headerBytes, ${headerBytes} bytes`;
    return ['431 Request Header Fields Too Large', message];
  }
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT') {
    return ['408 Request Timeout', 'the request was not complete in time: 15 s for its headers, 60 s for all of it'];
  }
  return ['400 Bad Request', 'this is not an HTTP/1.1 request'];
}

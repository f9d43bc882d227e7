import type {IncomingMessage, ServerResponse} from 'node:http';
import type {Socket} from 'node:net';
import type {Reply} from '../api/http.js';
import {streamBody} from './stream-body.js';

/** Characters. */
const LARGE = 64 * 1024;
const JSON_UTF8 = 'application/json; charset=utf-8';

/**
 * Writes an answer. Of the answer to HEAD, the server leaves out the body. `onBreak` learns why a body in pieces has ended
 * early.
 */
export function send(
  response: ServerResponse,
  {status, headers, body: given}: Reply,
  close: boolean,
  onBreak?: (error: unknown) => void,
): void {
  // A large text is written from a copy of exactly its size, not from one of three times that.
  const body = typeof given === 'string' && given.length > LARGE ? Buffer.from(given) : given;
  const list: (string | number)[] = [];
  if (headers?.['content-type'] === undefined) list.push('content-type', JSON_UTF8);
  for (const name in headers) list.push(name, name === 'vary' ? varyOf(response, headers) : (headers[name] ?? ''));
  if (isWhole(body) && status !== 204 && status !== 304) {
    list.push('content-length', typeof body === 'string' ? Buffer.byteLength(body) : body.byteLength);
  }
  if (close) list.push('connection', 'close');
  response.writeHead(status, list as string[]);
  if (isWhole(body)) endTogether(response, body);
  else streamBody(response, body).catch(onBreak);
}

/** Whether it is there at once, not in pieces that are asked for. */
export function isWhole(body: Reply['body']): body is string | Uint8Array {
  return typeof body === 'string' || body instanceof Uint8Array;
}

/** Characters or bytes; of pieces that are asked for none is known. */
export function lengthOf(body: Reply['body']): number {
  if (typeof body === 'string') return body.length;
  return isWhole(body) ? body.byteLength : 0;
}

/** What a stage before has set stays. */
function varyOf(response: ServerResponse, {vary = ''}: NonNullable<Reply['headers']>): string {
  const before = response.getHeader('vary');
  return before === undefined ? vary : `${before}, ${vary}`;
}

interface Waiting {
  readonly response: ServerResponse;
  readonly body: string | Uint8Array;
}

const waiting: Waiting[] = [];

/**
 * Ends the answers that became ready in the same turn of the event loop one after the other, at its end. Each write
 * wakes a client that sleeps, which costs more than all our own work on a small answer; one that is awake already takes
 * the next for a fraction.
 */
function endTogether(response: ServerResponse, body: string | Uint8Array): void {
  waiting.push({response, body});
  if (waiting.length === 1) setImmediate(endWaiting);
}

/** Whether an answer has been given to the socket that leaves at the end of this turn. */
export function isAnswering(socket: Socket): boolean {
  return waiting.some(({response}) => response.socket === socket);
}

function endWaiting(): void {
  for (const {response, body} of waiting.splice(0)) response.end(body);
}

/** The path of a request target, without the query string. */
export function pathOf({url = ''}: IncomingMessage): string {
  const mark = url.indexOf('?');
  return mark < 0 ? url : url.slice(0, mark);
}

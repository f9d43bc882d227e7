import type {IncomingMessage, ServerResponse} from 'node:http';
import type {Reply} from '../api/http.js';

const JSON_UTF8 = 'application/json; charset=utf-8';

/** Writes an answer. Of the answer to HEAD, the server leaves out the body. */
export function send(response: ServerResponse, {status, headers, body}: Reply, close: boolean): void {
  const list: (string | number)[] = [];
  if (headers?.['content-type'] === undefined) list.push('content-type', JSON_UTF8);
  for (const name in headers) list.push(name, headers[name] as string);
  if (status !== 204 && status !== 304) {
    list.push('content-length', typeof body === 'string' ? Buffer.byteLength(body) : body.byteLength);
  }
  if (close) list.push('connection', 'close');
  response.writeHead(status, list as string[]).end(body);
}

/** The path of a request target, without the query string. */
export function pathOf({url = ''}: IncomingMessage): string {
  const mark = url.indexOf('?');
  return mark < 0 ? url : url.slice(0, mark);
}

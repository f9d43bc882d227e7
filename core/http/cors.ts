import type {IncomingMessage, ServerResponse} from 'node:http';
import type {Reply} from '../api/http.js';

const METHODS = 'GET, HEAD, POST, PUT, PATCH, DELETE';
/** How long a browser may remember the answer, in seconds. What a page may do is looked at with each request anyway. */
const MAX_AGE = 600;

/** Lets pages of an origin, which the configuration lists, read whatever the answer will be. */
export function allowOrigin(origin: string, response: ServerResponse): void {
  response.setHeader('access-control-allow-origin', origin);
  response.setHeader('access-control-allow-credentials', 'true');
  response.setHeader('vary', 'origin');
}

/** The answer to a browser that asks whether a page may send a request; undefined when the request is none of these. */
export function preflightReply({method, headers}: IncomingMessage): Reply | undefined {
  if (method !== 'OPTIONS' || headers['access-control-request-method'] === undefined) return undefined;
  const asked = headers['access-control-request-headers'];
  return {
    status: 204,
    headers: {
      'access-control-allow-methods': METHODS,
      ...(asked !== undefined && {'access-control-allow-headers': asked}),
      'access-control-max-age': String(MAX_AGE),
      'content-type': 'text/plain',
    },
    body: '',
  };
}

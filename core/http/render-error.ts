import {type ErrorCode, GatewayError} from '../api/errors.js';
import type {RefusedRequest, Reply} from '../api/http.js';
import {redactText} from '../config/redact.js';
import type {Mount} from './mount.js';

/** The status of each code on the gateway's own paths, and on those that nobody owns. */
const STATUSES: Readonly<Record<ErrorCode, number>> = {
  bad_request: 400,
  syntax: 400,
  unsupported_query: 400,
  unsupported_backend: 501,
  not_found: 404,
  unauthenticated: 401,
  forbidden: 403,
  too_large: 413,
  limit_exceeded: 422,
  overloaded: 503,
  timeout: 504,
  cancelled: 499,
  storage_unavailable: 503,
  storage_failed: 502,
  internal: 500,
};

/** About the request's own text, which is told as it came. */
const OF_THE_REQUEST: readonly ErrorCode[] = ['bad_request', 'syntax', 'unsupported_query', 'not_found', 'too_large'];

/** The form of errors where no plugin has one of its own: `{"error":"…"}`. */
export function renderPlainError({code, message}: GatewayError): Reply {
  return {status: STATUSES[code], body: JSON.stringify({error: message})};
}

/**
 * The error as it may leave the process, in the form of the mount. What every protocol does alike is done here and in no
 * plugin: what is internal is not told, credentials are hidden, and who meets an overload learns when to try again.
 */
export function renderError(mount: Mount, error: GatewayError, request: RefusedRequest = {headers: {}}): Reply {
  const reply = inForm(mount, publicForm(error), request);
  return error.code === 'overloaded' ? {...reply, headers: {'retry-after': '1', ...reply.headers}} : reply;
}

/** The refusals whose status is the host's: definitions that were written before them have none. */
const REFUSALS: readonly ErrorCode[] = ['unauthenticated', 'forbidden'];

function inForm(mount: Mount, error: GatewayError, request: RefusedRequest): Reply {
  if (!REFUSALS.includes(error.code)) return mount.renderError(error, request);
  const status = STATUSES[error.code];
  try {
    const reply = mount.renderError(error, request);
    if (typeof reply.body === 'string' || reply.body instanceof Uint8Array) return {...reply, status};
  } catch {
    // As old a definition, which looks up the code in a table.
  }
  return {...mount.renderError(new GatewayError('bad_request', error.message), request), status};
}

/** What is internal stays inside, and so does a credential that a client library cites. */
function publicForm(error: GatewayError): GatewayError {
  const {code, message, position} = error;
  if (code === 'internal') return new GatewayError('internal', 'internal error; the log has the details');
  if (OF_THE_REQUEST.includes(code)) return error;
  return new GatewayError(code, redactText(message), position === undefined ? {} : {position});
}

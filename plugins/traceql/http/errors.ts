import type {ErrorCode, GatewayError, Reply} from '../../../core/api/plugin.js';

/** Statuses as clients of the Tempo API expect them. */
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

/** One key and no more: it is what clients show. */
export function renderError({code, message, position}: GatewayError): Reply {
  const error = position === undefined ? message : `${message} (line ${position.line}, column ${position.column})`;
  return {status: STATUSES[code], body: JSON.stringify({error})};
}

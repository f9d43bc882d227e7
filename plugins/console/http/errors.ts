import type {ErrorCode, GatewayError, Reply} from '../../../core/api/plugin.js';

const STATUSES: Readonly<Record<ErrorCode, number>> = {
  bad_request: 400,
  syntax: 400,
  unsupported_query: 400,
  unsupported_backend: 501,
  unauthenticated: 401,
  forbidden: 403,
  not_found: 404,
  too_large: 413,
  limit_exceeded: 422,
  overloaded: 503,
  timeout: 504,
  cancelled: 499,
  storage_unavailable: 503,
  storage_failed: 502,
  internal: 500,
};

export function renderError({code, message}: GatewayError): Reply {
  return {status: STATUSES[code], headers: {'cache-control': 'no-store'}, body: JSON.stringify({error: message})};
}

import type {ErrorCode, GatewayError, Reply} from '../../../core/api/plugin.js';

const STATUS: Readonly<Record<ErrorCode, number>> = {
  bad_request: 400,
  syntax: 400,
  unsupported_query: 400,
  unsupported_backend: 501,
  not_found: 404,
  too_large: 413,
  limit_exceeded: 422,
  overloaded: 503,
  timeout: 503,
  cancelled: 499,
  storage_unavailable: 503,
  storage_failed: 502,
  internal: 500,
};

/** `{"error": "…"}` for every error. What failed inside is told to the log alone. */
export function renderError(error: GatewayError): Reply {
  const message = error.code === 'internal' ? 'internal error' : error.message;
  return {
    status: STATUS[error.code],
    ...(error.code === 'overloaded' ? {headers: {'retry-after': '1'}} : {}),
    body: JSON.stringify({error: message}),
  };
}

import type {ErrorCode, GatewayError, Reply} from '../../../core/api/plugin.js';

interface Form {
  readonly type: string;
  readonly status: number;
}

/** Prometheus's error types and status codes. */
const FORMS: Readonly<Record<ErrorCode, Form>> = {
  bad_request: {type: 'bad_data', status: 400},
  syntax: {type: 'bad_data', status: 400},
  unsupported_query: {type: 'bad_data', status: 400},
  unsupported_backend: {type: 'unavailable', status: 501},
  not_found: {type: 'not_found', status: 404},
  unauthenticated: {type: 'unauthorized', status: 401},
  forbidden: {type: 'forbidden', status: 403},
  too_large: {type: 'bad_data', status: 413},
  limit_exceeded: {type: 'execution', status: 422},
  overloaded: {type: 'unavailable', status: 503},
  timeout: {type: 'timeout', status: 503},
  cancelled: {type: 'canceled', status: 499},
  storage_unavailable: {type: 'unavailable', status: 503},
  storage_failed: {type: 'internal', status: 502},
  internal: {type: 'internal', status: 500},
};

/** No `data` key: clients read the keys in order and stop at one they do not understand, before the message. */
export function renderError(error: GatewayError): Reply {
  const {type, status} = FORMS[error.code];
  const body = JSON.stringify({status: 'error', errorType: type, error: messageOf(error)});
  return {status, body};
}

function messageOf({message, position}: GatewayError): string {
  return position === undefined ? message : `${message} (line ${position.line}, column ${position.column})`;
}

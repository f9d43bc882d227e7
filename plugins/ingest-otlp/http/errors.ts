import type {ErrorCode, GatewayError, RefusedRequest, Reply} from '../../../core/api/plugin.js';
import {grpcCode, RETRY_SECONDS} from '../../../core/toolkit/grpc/grpc-status.js';
import {encodeStatus, type RpcStatus, type StatusDetail, statusJson} from '../../../core/toolkit/grpc/rpc-status.js';
import {CONTENT_TYPES, encodingOf} from '../encoding.js';

/** Senders try again after 503, and lose what they had after 500. */
const STATUS: Readonly<Record<ErrorCode, number>> = {
  bad_request: 400,
  syntax: 400,
  unsupported_query: 400,
  unsupported_backend: 501,
  not_found: 404,
  unauthenticated: 401,
  forbidden: 403,
  too_large: 413,
  limit_exceeded: 413,
  overloaded: 503,
  timeout: 503,
  cancelled: 499,
  storage_unavailable: 503,
  storage_failed: 503,
  internal: 500,
};

const UNAVAILABLE = 503;
const BAD = 400;

/** What the host decompresses. */
const ENCODINGS: readonly string[] = ['identity', 'gzip', 'x-gzip', 'deflate'];

/** A `google.rpc.Status` in the encoding of the request, in JSON where that is none of the two. */
export function renderError(error: GatewayError, request: RefusedRequest = {headers: {}}): Reply {
  const {message} = error;
  const status = STATUS[error.code];
  const encoding = String(request.headers['content-encoding'] ?? 'identity')
    .trim()
    .toLowerCase();
  if (status === BAD && !ENCODINGS.includes(encoding))
    return statusReply(415, {code: grpcCode(error), message}, request);
  return statusReply(status, {code: grpcCode(error), message, details: detailsOf(status, message)}, request);
}

export function statusReply(status: number, of: RpcStatus, {headers}: RefusedRequest): Reply {
  const encoding = encodingOf(headers['content-type']) ?? 'json';
  return {
    status,
    headers: {
      'content-type': CONTENT_TYPES[encoding],
      ...(status === UNAVAILABLE && {'retry-after': String(RETRY_SECONDS)}),
    },
    body: encoding === 'json' ? statusJson(of) : encodeStatus(of),
  };
}

function detailsOf(status: number, message: string): readonly StatusDetail[] {
  if (status === UNAVAILABLE) return [{of: 'RetryInfo', seconds: RETRY_SECONDS}];
  return status === BAD ? [{of: 'BadRequest', field: '', description: message}] : [];
}

import {status as codes, Metadata, type StatusObject} from '@grpc/grpc-js';
import {type ErrorCode, GatewayError} from '../../api/errors.js';
import {encodeStatus, type StatusDetail} from './rpc-status.js';

/** After so many seconds a sender may try again. */
export const RETRY_SECONDS = 1;

/**
 * The status of gRPC for each error. UNAVAILABLE is what senders try again: so is everything that may be stored the next
 * time, a failure of the storage included.
 */
const CODES: Readonly<Record<ErrorCode, codes>> = {
  bad_request: codes.INVALID_ARGUMENT,
  syntax: codes.INVALID_ARGUMENT,
  unsupported_query: codes.INVALID_ARGUMENT,
  unsupported_backend: codes.UNIMPLEMENTED,
  not_found: codes.NOT_FOUND,
  unauthenticated: codes.UNAUTHENTICATED,
  forbidden: codes.PERMISSION_DENIED,
  too_large: codes.RESOURCE_EXHAUSTED,
  limit_exceeded: codes.RESOURCE_EXHAUSTED,
  overloaded: codes.UNAVAILABLE,
  timeout: codes.UNAVAILABLE,
  cancelled: codes.CANCELLED,
  storage_unavailable: codes.UNAVAILABLE,
  storage_failed: codes.UNAVAILABLE,
  internal: codes.INTERNAL,
};

export const grpcCode = ({code}: GatewayError): codes => CODES[code];

/**
 * What a call ends with. The trailer `grpc-status-details-bin` says of UNAVAILABLE when to try again, of INVALID_ARGUMENT
 * what is wrong; the message of a defect stays in the process.
 */
export function grpcFailure(error: unknown): StatusObject {
  const known = GatewayError.from(error);
  const code = grpcCode(known);
  const message = known.code === 'internal' ? 'an internal error; the log of the gateway tells more' : known.message;
  const metadata = new Metadata();
  const details = detailsOf(code, message);
  if (details.length > 0) metadata.set('grpc-status-details-bin', encodeStatus({code, message, details}));
  return {code, details: message, metadata};
}

function detailsOf(code: codes, message: string): readonly StatusDetail[] {
  if (code === codes.UNAVAILABLE) return [{of: 'RetryInfo', seconds: RETRY_SECONDS}];
  if (code === codes.INVALID_ARGUMENT) return [{of: 'BadRequest', field: '', description: message}];
  return [];
}

import {delimitedBytes, varintBytes} from '../protobuf/wire-writer.js';

/**
 * `google.rpc.Status`, in which gRPC and OTLP tell of a failure: a code of gRPC, a message, and details of a few known
 * kinds. `encodeStatus` gives its bytes, `statusJson` the same in JSON.
 */
export interface RpcStatus {
  readonly code: number;
  readonly message: string;
  readonly details?: readonly StatusDetail[];
}

export type StatusDetail =
  /** The sender may try again, after so many seconds. */
  | {readonly of: 'RetryInfo'; readonly seconds: number}
  /** What was sent is wrong, and sending it again is of no use. `field` is where, as far as that is known. */
  | {readonly of: 'BadRequest'; readonly field: string; readonly description: string};

const TYPE = 'type.googleapis.com/google.rpc.';

export function encodeStatus({code, message, details = []}: RpcStatus): Buffer {
  const any = (detail: StatusDetail): Buffer =>
    Buffer.concat([delimitedBytes(1, TYPE + detail.of), delimitedBytes(2, encodeDetail(detail))]);
  return Buffer.concat([
    varintBytes(1, code),
    message === '' ? Buffer.alloc(0) : delimitedBytes(2, message),
    ...details.map(detail => delimitedBytes(3, any(detail))),
  ]);
}

export function statusJson({code, message, details = []}: RpcStatus): string {
  return JSON.stringify({code, message, ...(details.length > 0 && {details: details.map(detailObject)})});
}

function encodeDetail(detail: StatusDetail): Buffer {
  // Both messages have one field, which is a message: the delay, or a violation.
  if (detail.of === 'RetryInfo') return delimitedBytes(1, varintBytes(1, detail.seconds));
  const violation = [delimitedBytes(1, detail.field), delimitedBytes(2, detail.description)];
  return delimitedBytes(1, Buffer.concat(violation));
}

function detailObject(detail: StatusDetail): object {
  const type = {'@type': TYPE + detail.of};
  if (detail.of === 'RetryInfo') return {...type, retryDelay: `${detail.seconds}s`};
  return {...type, fieldViolations: [{field: detail.field, description: detail.description}]};
}

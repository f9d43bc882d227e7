import {type ServiceError, status} from '@grpc/grpc-js';
import {GatewayError} from '../../core/api/errors.js';
import {type TlsFailureTerms, tlsFailure} from '../../core/toolkit/tls/tls-failure.js';
import {REPLACED} from '../../plugins/diagnostics/proto/contract.js';
import {reasonOf} from '../error-reason.js';

/** Why there is no registration any more. */
export interface Failure {
  readonly message: string;
  readonly reason: string;
  /** Whether another agent has registered under the same names. */
  readonly isReplaced: boolean;
}

/** Statuses of a proxy that cannot be reached or has gone; with each other one it says something. */
const GONE: readonly (number | undefined)[] = [
  status.UNAVAILABLE,
  status.CANCELLED,
  status.INTERNAL,
  status.DEADLINE_EXCEEDED,
];

/** What the end of a session means. */
export function failureOf(error: unknown, terms: TlsFailureTerms): Failure {
  const {code, details} = (GatewayError.is(error) ? {} : error) as Partial<ServiceError>;
  const reason = details || reasonOf(error);
  if (code === status.ABORTED && details === REPLACED) {
    const message =
      'another agent has registered with the same --pod-name and --container-names and replaced this one; each agent needs names of its own';
    return {message, reason, isReplaced: true};
  }
  const isRefused = GatewayError.is(error) ? error.code === 'bad_request' : code !== undefined && !GONE.includes(code);
  const message = isRefused
    ? 'the proxy refuses the agent, which tries again'
    : 'there is no connection to the proxy, it is tried again';
  const told = isRefused ? reason : reasonOf(error);
  return {message, reason: tlsFailure({message: told}, terms) ?? told, isReplaced: false};
}

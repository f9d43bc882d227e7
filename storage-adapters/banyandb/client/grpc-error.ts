import {type ServiceError, status} from '@grpc/grpc-js';
import {GatewayError} from '../../../core/api/adapter.js';
import {quote} from '../../../core/toolkit/messages.js';
import {type TlsFailureTerms, tlsFailure} from '../../../core/toolkit/tls/tls-failure.js';

/** What messages about a failed call name. */
export interface CallSite {
  readonly endpoint: string;
  readonly path: string;
  readonly username: string | undefined;
  /** Milliseconds. */
  readonly timeout: number;
  readonly tls: TlsFailureTerms;
}

const isServiceError = (value: unknown): value is ServiceError =>
  value instanceof Error && 'code' in value && 'details' in value;

/** The failure of a call as an error of the gateway, with what gRPC said as its cause. */
export function toGatewayError(error: ServiceError, site: CallSite): GatewayError {
  const {endpoint, path, username, timeout, tls} = site;
  const {code, details} = error;
  const server = `BanyanDB at ${endpoint}`;
  const cause = {cause: error};
  switch (code) {
    case status.UNAVAILABLE:
    case status.CANCELLED:
    case status.ABORTED: {
      const reason = connectionReason(details);
      const mistake = tlsMistake(reason, tls);
      return new GatewayError(
        mistake === undefined ? 'storage_unavailable' : 'storage_failed',
        `${server} cannot be reached: ${mistake ?? reason}`,
        cause,
      );
    }
    case status.DEADLINE_EXCEEDED:
      return new GatewayError('timeout', `${server} has not answered within ${timeout} ms (option timeout)`, cause);
    case status.UNAUTHENTICATED:
    case status.PERMISSION_DENIED: {
      const who = username === undefined ? 'calls without a user' : `the user ${quote(username)}`;
      return new GatewayError(
        'storage_failed',
        `${server} refuses ${who}: ${details}; check the options username and password`,
        cause,
      );
    }
    case status.RESOURCE_EXHAUSTED:
      if (isTooLarge(error)) {
        return new GatewayError(
          'limit_exceeded',
          `the answer of ${server} is larger than the option maxMessageSize allows: ${details}; ask for less, or raise it`,
          cause,
        );
      }
      return new GatewayError('overloaded', `${server} has too much to do: ${details}`, cause);
    case status.UNIMPLEMENTED:
      return new GatewayError(
        'storage_failed',
        `${server} does not know ${path}: is it a liaison node, 0.8 or newer?`,
        cause,
      );
    default:
      if (details.includes('quota exceeded')) {
        return new GatewayError('overloaded', `${server} would need more memory than it has: ${details}`, cause);
      }
      if (isAboutSchema(error)) return new GatewayError('internal', `${server} refuses a request: ${details}`, cause);
      return new GatewayError('storage_failed', `${server} has failed: ${details}`, cause);
  }
}

/** What grpc-js says of a connection that fails, without its own affairs. */
function connectionReason(details: string): string {
  const reason = details
    .replace(/^No connection established\. Last error: (Error: )?/, '')
    .replace(/\.? ?Resolution note: .*$/s, '')
    .replace(/ \(\d{4}-\d\d-\d\dT[^)]*\)/, '')
    .trim();
  // What a server says that has closed the connection, and one that is not there yet, is the same.
  const isVague = /^(Failed to connect|Protocol error)/.test(reason);
  return isVague ? `${reason}; does it want TLS (option tls), or is it no gRPC port?` : reason;
}

/** What no later attempt makes better: the server speaks no TLS, or one of the two does not trust the other's certificate. */
function tlsMistake(reason: string, tls: TlsFailureTerms): string | undefined {
  if (reason.includes('wrong version number')) return 'it does not speak TLS; leave the option tls out';
  return tlsFailure({message: reason}, tls);
}

export function isRefusal(error: unknown): boolean {
  return isServiceError(error) && (error.code === status.UNAUTHENTICATED || error.code === status.PERMISSION_DENIED);
}

export function isLate(error: unknown): boolean {
  return isServiceError(error) && error.code === status.DEADLINE_EXCEEDED;
}

/** The largest message is a limit of the client here; the words are those of grpc-js. */
function isTooLarge({details}: ServiceError): boolean {
  return details.includes('larger than max');
}

function isAboutSchema({code, details}: ServiceError): boolean {
  if (code === status.INVALID_ARGUMENT || code === status.NOT_FOUND) return true;
  return /invalid query message|not (found|exist|defined)|doesn't exist|mandatory index rule|unsupported condition/.test(
    details,
  );
}

const causeOf = (error: unknown): ServiceError | undefined =>
  GatewayError.is(error) && isServiceError(error.cause) ? error.cause : undefined;

/** Whether the request may fit the schemas no more that it was made from. */
export function isSchemaDrift(error: unknown): boolean {
  const cause = causeOf(error);
  return cause !== undefined && GatewayError.is(error) && error.code === 'internal';
}

/** Whether it may be that too: texts of the server differ between releases, so only the schemas can tell. */
export function mayBeSchemaDrift(error: unknown): boolean {
  return GatewayError.is(error) && error.code === 'storage_failed' && causeOf(error)?.code === status.UNKNOWN;
}

export function isUnimplemented(error: unknown): boolean {
  return causeOf(error)?.code === status.UNIMPLEMENTED;
}

/** Whether asking for less at once may help: the server was too slow, or would have needed too much memory. */
export function isTooMuch(error: unknown): boolean {
  const cause = causeOf(error);
  if (cause === undefined || !GatewayError.is(error)) return false;
  return error.code === 'timeout' || error.code === 'overloaded' || error.code === 'limit_exceeded';
}

/**
 * Whether another endpoint may do better. What the planner of one says of a request all of them say; those errors are
 * UNKNOWN as well, but begin with a status.
 */
export function isWorthAnotherEndpoint(error: ServiceError): boolean {
  switch (error.code) {
    case status.UNAVAILABLE:
    case status.UNAUTHENTICATED:
    case status.PERMISSION_DENIED:
      return true;
    case status.RESOURCE_EXHAUSTED:
      return !isTooLarge(error);
    case status.UNKNOWN:
      return !error.details.startsWith('code: STATUS_');
    default:
      return false;
  }
}

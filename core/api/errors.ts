/**
 * The one error class of the gateway and its closed set of codes.
 *
 * A code says what kind of thing went wrong, never how a protocol reports it: each plugin owns one exhaustive table
 * from code to reply (`Record<ErrorCode, …>`), so that a code added here does not compile until every protocol
 * answers it. Throw a `GatewayError` where the problem is known; let anything else pass, the host wraps it as
 * `internal`, logs it with its cause and keeps its message inside the process.
 *
 * A message names the thing, the option and the value, and says what would be right. It is shown to the user as it is.
 */

/** What each code means. `docs/errors.md` lists the same codes with each protocol's status; a test compares the two. */
export const ERROR_CODES = [
  /** The request is malformed: a parameter is missing, repeated wrongly or not of its type. */
  'bad_request',
  /** The query text does not parse. Carries a position. */
  'syntax',
  /** The query text is good in the full language and outside the subset that this gateway answers. */
  'unsupported_query',
  /** The storage adapter lacks a capability that the request needs. */
  'unsupported_backend',
  /** No such path, trace or resource. */
  'not_found',
  /** The request carries no credentials, or none that are known. The host answers 401, with the challenges. */
  'unauthenticated',
  /** The caller is known and lacks the right, or a web page of another origin asks for a change. The host answers 403. */
  'forbidden',
  /** A body is larger than its limit. */
  'too_large',
  /** The query would do more work than its limit allows. */
  'limit_exceeded',
  /** The gateway has as much work as it accepts, or stops; the caller may retry after a second. */
  'overloaded',
  /** The deadline of the request has passed. */
  'timeout',
  /** The client has disconnected, or the start was ended by a stop. */
  'cancelled',
  /** The storage cannot be reached; trying again later may work. */
  'storage_unavailable',
  /** The storage answered with a failure. */
  'storage_failed',
  /** A defect of the gateway. The message stays in the log. */
  'internal',
] as const;

export type ErrorCode = (typeof ERROR_CODES)[number];

/** A place in a query text. Both count from 1; a column counts UTF-16 code units. */
export interface Position {
  readonly line: number;
  readonly column: number;
}

export interface GatewayErrorOptions {
  readonly cause?: unknown;
  /** Where in the query text the problem lies. Renderers append it as "line L, column C". */
  readonly position?: Position;
}

const BRAND = Symbol.for('query-gateway.GatewayError');

export class GatewayError extends Error {
  override readonly name = 'GatewayError';
  readonly code: ErrorCode;
  readonly position: Position | undefined;
  readonly [BRAND] = true;

  constructor(code: ErrorCode, message: string, options: GatewayErrorOptions = {}) {
    super(message, 'cause' in options ? {cause: options.cause} : undefined);
    this.code = code;
    this.position = options.position;
  }

  /**
   * Recognises the class by a registered symbol, so that an error thrown by a plugin or adapter that carries its own
   * copy of this package is still understood. `instanceof` would not.
   */
  static is(value: unknown): value is GatewayError {
    return typeof value === 'object' && value !== null && BRAND in value;
  }

  /** A `GatewayError` as it is; a deadline or an abort by its kind; anything else as `internal` with its cause. */
  static from(value: unknown): GatewayError {
    if (GatewayError.is(value)) return value;
    if (value instanceof Error && value.name === 'TimeoutError') {
      return new GatewayError('timeout', value.message, {cause: value});
    }
    if (value instanceof Error && value.name === 'AbortError') {
      return new GatewayError('cancelled', value.message, {cause: value});
    }
    return new GatewayError('internal', value instanceof Error ? value.message : String(value), {cause: value});
  }
}

import {type ErrorCode, GatewayError} from '../../../core/api/adapter.js';
import {type TlsFailureTerms, tlsFailure} from '../../../core/toolkit/tls/tls-failure.js';

/** What messages name of a server. */
export interface PostgresSite {
  /** Host, port and database. */
  readonly server: string;
  readonly tls: TlsFailureTerms;
}

/** What the server's error codes (SQLSTATE), or their classes, mean here, and what to do about them. */
const STATES: Readonly<Record<string, readonly [ErrorCode, string]>> = {
  '08': ['storage_unavailable', 'the connection failed'],
  '57P01': ['storage_unavailable', 'it is shutting down'],
  '57P02': ['storage_unavailable', 'it is recovering from a crash'],
  '57P03': ['storage_unavailable', 'it is starting or stopping'],
  '57P05': ['storage_unavailable', 'it has closed a session that was idle'],
  '25006': ['storage_unavailable', 'it is a standby and takes no writes; name the primary in the url'],
  '25P03': ['storage_unavailable', 'it has closed a transaction that was idle'],
  '57014': ['timeout', 'it has cancelled a statement that took too long'],
  '55P03': ['overloaded', 'a lock was not free in time'],
  '53300': ['overloaded', 'it has no connection left; raise its max_connections or lower the connections'],
  '53100': ['storage_failed', 'its disk is full; free some space or shorten the retention'],
  '53200': ['storage_failed', 'it is out of memory; see its max_locks_per_transaction and work_mem'],
  '40001': ['overloaded', 'transactions collided again and again'],
  '40P01': ['overloaded', 'transactions collided again and again'],
  '22003': ['bad_request', 'values add up to more than a double can hold'],
  '28': ['storage_failed', 'it refuses the user or the password of the url'],
  '3D000': ['storage_failed', 'the database of the url does not exist'],
  '42501': ['storage_failed', 'a right is missing; docs/postgres.md says which the user of the url needs'],
  '42P01': ['storage_failed', 'a table is missing; start with createSchema, or run the SQL of docs/postgres.md'],
  '3F000': ['storage_failed', 'the schema is missing; start with createSchema, or run the SQL of docs/postgres.md'],
};

const NETWORK = new Set(
  'ECONNREFUSED ECONNRESET ECONNABORTED EPIPE ETIMEDOUT EHOSTUNREACH ENETUNREACH ENOTFOUND EAI_AGAIN ENOENT'.split(' '),
);
/** What the driver says without a code. */
const TERMINATED = /^(Connection terminated|Client has encountered a connection error)/;
/** No later attempt makes these better. */
const NO_TLS = /^The server does not support SSL/;
const REFUSED = /^28/;
const SQLSTATE = /^[0-9A-Z]{5}$/;
const POOL_EXHAUSTED = 'timeout exceeded when trying to connect';
const COLLISIONS = new Set(['40001', '40P01']);

/** What the driver or the server reported, in words that name the server and never the password. */
export function storageError(error: unknown, {server, tls}: PostgresSite): GatewayError {
  if (GatewayError.is(error)) return error;
  const text = error instanceof Error ? error.message : String(error);
  const state = codeOf(error);
  const cause = {cause: error};
  if (text === POOL_EXHAUSTED) {
    const advice = 'all its connections are in use; raise storage.config.connections or send fewer queries at once';
    return new GatewayError('overloaded', `PostgreSQL at ${server}: ${advice}`, cause);
  }
  if (NO_TLS.test(text)) {
    const advice = 'it does not speak TLS; leave sslmode out of the url, and tls out, or switch ssl on at the server';
    return new GatewayError('storage_failed', `PostgreSQL at ${server}: ${advice} (${text})`, cause);
  }
  const mistake = SQLSTATE.test(state) ? undefined : tlsFailure(error, tls);
  if (mistake !== undefined) return new GatewayError('storage_failed', `PostgreSQL at ${server}: ${mistake}`, cause);
  if (NETWORK.has(state) || TERMINATED.test(text)) {
    return new GatewayError('storage_unavailable', `PostgreSQL at ${server} cannot be reached: ${text}`, cause);
  }
  if (REFUSED.test(state) && /certificate/i.test(text)) {
    const reason = tls.hasCertificate
      ? `it does not know the user by the certificate of ${tls.certificate}`
      : `it asks for a certificate of the user; set ${tls.certificate}`;
    return new GatewayError('storage_failed', `PostgreSQL at ${server}: ${reason} (${state}: ${text})`, cause);
  }
  if (REFUSED.test(state) && text.endsWith('no encryption')) {
    const advice = 'it takes no such connection without TLS; set tls, or mend its pg_hba.conf';
    return new GatewayError('storage_failed', `PostgreSQL at ${server}: ${advice} (${state}: ${text})`, cause);
  }
  const [code, reason] = STATES[state] ?? STATES[state.slice(0, 2)] ?? ['storage_failed', 'it answered with an error'];
  return new GatewayError(code, `PostgreSQL at ${server}: ${reason} (${state || 'no code'}: ${text})`, cause);
}

/** The connection is gone, so the transaction is too, unless its commit was on the way. */
export function isConnectionLost(error: unknown): boolean {
  return storageError(error, NOWHERE).code === 'storage_unavailable';
}

const NOWHERE: PostgresSite = {server: '', tls: {ca: '', certificate: '', hasCertificate: false}};

/** Another transaction stood in the way; the same one again may pass. */
export function isCollision(error: unknown): boolean {
  return COLLISIONS.has(codeOf(error));
}

function codeOf(error: unknown): string {
  return typeof error === 'object' && error !== null && 'code' in error ? String(error.code) : '';
}

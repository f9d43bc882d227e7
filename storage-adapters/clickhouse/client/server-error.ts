import {type ErrorCode, GatewayError} from '../../../core/api/adapter.js';

/** Errors of the server that say more than that a statement failed, by their number. */
const MEANINGS: Readonly<Record<number, ErrorCode>> = {
  // TIMEOUT_EXCEEDED, TOO_SLOW
  159: 'timeout',
  160: 'timeout',
  // TOO_MANY_ROWS, TOO_MANY_BYTES, MEMORY_LIMIT_EXCEEDED, TOO_MANY_ROWS_OR_BYTES, QUERY_IS_TOO_LARGE
  158: 'limit_exceeded',
  307: 'limit_exceeded',
  241: 'limit_exceeded',
  396: 'limit_exceeded',
  // TOO_MANY_SIMULTANEOUS_QUERIES, TOO_MANY_PARTS
  202: 'overloaded',
  252: 'overloaded',
  // NETWORK_ERROR, SOCKET_TIMEOUT, ALL_CONNECTION_TRIES_FAILED, ABORTED (the server is stopping)
  210: 'storage_unavailable',
  209: 'storage_unavailable',
  279: 'storage_unavailable',
  236: 'storage_unavailable',
  // NO_ZOOKEEPER, TABLE_IS_READ_ONLY, TOO_LESS_LIVE_REPLICAS, UNSATISFIED_QUORUM_FOR_PREVIOUS_WRITE, UNKNOWN_STATUS_OF_INSERT
  225: 'storage_unavailable',
  242: 'storage_unavailable',
  285: 'storage_unavailable',
  286: 'storage_unavailable',
  319: 'storage_unavailable',
  // ALL_REPLICAS_ARE_STALE, KEEPER_EXCEPTION
  369: 'storage_unavailable',
  999: 'storage_unavailable',
};

const TRY_AGAIN = 'try again in a second';
const NO_SCHEMA = 'run "query-gateway check --connect" once with createSchema true';
const DISK_FULL = 'its disk is full: free some space or shorten the retention';

/** What to do about an error, by its number. */
const ADVICE: Readonly<Record<number, string>> = {
  202: TRY_AGAIN,
  252: TRY_AGAIN,
  60: NO_SCHEMA,
  81: NO_SCHEMA,
  243: DISK_FULL,
  164: 'the profile of the user must allow settings to be changed (readonly 0 or 2)',
  291: 'grant the user the rights on the database that docs/clickhouse.md lists, or name another database',
  497: 'grant the user the rights on the database that docs/clickhouse.md lists, or name another database',
};

export const ACCESS_DENIED = 497;
export const READ_ONLY_USER = 164;
export const TABLE_EXISTS = 57;
export const TIMEOUT_EXCEEDED = 159;
/** Of a table, as of a user: what differs is the text. */
export const INACTIVE_REPLICA = READ_ONLY_USER;
export const TABLE_IS_READ_ONLY = 242;
export const TOO_FEW_REPLICAS = 285;
export const UNSATISFIED_QUORUM = 286;
export const UNKNOWN_STATUS = 319;
export const UNKNOWN_DATABASE = 81;
export const UNKNOWN_TABLE = 60;
/** Unknown user, wrong password, a user that may not come from here, and all of them in later versions. */
export const AUTHENTICATION: readonly number[] = [192, 193, 194, 195, 516];

/** About the replicas of a shard, and so the same at every node. */
const QUORUM: readonly number[] = [TOO_FEW_REPLICAS, UNSATISFIED_QUORUM, UNKNOWN_STATUS];

const MESSAGE_LIMIT = 500;

/** What the server said, with the number of its error. */
export class ServerError extends Error {
  override readonly name = 'ServerError';
  /** 0 when the text carries none: what answered may be no ClickHouse. */
  readonly number: number;

  constructor(text: string) {
    super(text.trim().slice(0, MESSAGE_LIMIT));
    this.number = Number(/\bCode: (\d+)[.,]/.exec(text)?.[1] ?? 0);
  }

  /** That the disk is full comes as a failure to write (75, CANNOT_WRITE_TO_FILE_DESCRIPTOR) with the system's word for it. */
  #advice(): string {
    const advice = /\bNo space left on device\b/.test(this.message) ? DISK_FULL : ADVICE[this.number];
    return advice === undefined ? '' : `; ${advice}`;
  }

  /** The error as the gateway tells it. `url` is where it was met. */
  toGatewayError(url: string): GatewayError {
    const code = MEANINGS[this.number] ?? 'storage_failed';
    if (this.number === 0) {
      const answer = `what answers at ${url} is no HTTP interface of a ClickHouse: ${this.message}`;
      return new GatewayError(code, answer, {cause: this});
    }
    return new GatewayError(code, `ClickHouse at ${url}: ${this.message.replace(/\.$/, '')}${this.#advice()}`, {
      cause: this,
    });
  }
}

/** The server's number of an error, where it came from the server. */
export function serverErrorNumber(problem: unknown): number | undefined {
  if (problem instanceof ServerError) return problem.number;
  return GatewayError.is(problem) ? serverErrorNumber(problem.cause) : undefined;
}

/** Whether the same statement may succeed at another node, or soon again here. */
export function isUnavailable(problem: unknown): boolean {
  if (!GatewayError.is(problem) || problem.code !== 'storage_unavailable') return false;
  return !QUORUM.includes(serverErrorNumber(problem) ?? 0);
}

import {setImmediate as nextTurn} from 'node:timers/promises';
import type {CompatSpan, CompatTrace} from '../../../core/api/adapter.js';
import type {PostgresDatabase} from '../client/database.js';
import {decodeText} from '../client/text.js';
import {decodeBody} from './span-body.js';

export const ROWS_PER_READ = 500;

/** What the row of a trace says. */
export interface StoredTrace {
  readonly number: string;
  readonly id: string;
  readonly start: number;
  readonly finish: number;
  readonly spans: number;
  /** The partitions that its spans lie in. */
  readonly days: readonly number[];
}

type SpanColumns = [trace: string, body: string, keys: string[], values: string[]];

/** Reads whole traces, some rows at a time, so that a large one neither fills the memory nor holds up the others. */
export class PostgresTraceLoader {
  readonly #database: PostgresDatabase;

  constructor(database: PostgresDatabase) {
    this.#database = database;
  }

  async byId(id: string, signal: AbortSignal): Promise<CompatTrace | undefined> {
    const [head] = await this.#database.query<[string, number, number[]]>(
      'SELECT number::text, spans, days FROM traces WHERE id = $1',
      [id],
      signal,
    );
    if (head === undefined) return undefined;
    const [number, spans, days] = head;
    const [trace] = await this.load([{number, id, start: 0, finish: 0, spans, days}], signal);
    return trace;
  }

  /** The traces in the order of their heads, without those that have gone meanwhile. */
  async load(heads: readonly StoredTrace[], signal: AbortSignal): Promise<readonly CompatTrace[]> {
    const found = new Map(heads.map(head => [head.number, {traceId: head.id, spans: [] as CompatSpan[]}]));
    const text = `SELECT trace::text, body, tag_keys, tag_values FROM spans
      WHERE bucket IN (${partitions(heads)}) AND trace = ANY($1::bigint[])`;
    const values = [heads.map(({number}) => number)];
    // Few are read with one exchange of messages, where a stream takes three.
    const isSmall = heads.reduce((sum, {spans}) => sum + spans, 0) <= ROWS_PER_READ;
    const pages = isSmall
      ? [await this.#database.query<SpanColumns>(text, values, signal)]
      : this.#database.pages<SpanColumns>(text, values, ROWS_PER_READ, signal);
    for await (const rows of pages) {
      for (const [number, body, keys, values] of rows) {
        const trace = found.get(number);
        trace?.spans.push(decodeSpan(trace.traceId, body, keys, values));
      }
      if (!isSmall) await nextTurn();
    }
    return [...found.values()].filter(({spans}) => spans.length > 0);
  }
}

/** The partitions that traces lie in, named by constants, so that the others are not looked at. */
export function partitions(heads: readonly StoredTrace[]): string {
  return [...new Set(heads.flatMap(({days}) => days))].map(Math.trunc).join(', ');
}

export function decodeSpan(
  traceId: string,
  body: string,
  keys: readonly string[],
  values: readonly string[],
): CompatSpan {
  return decodeBody(traceId, body, new Map(keys.map((key, i) => [decodeText(key), decodeText(values[i] ?? '')])));
}

import type {CompatSpan, CompatTrace, SpanFilter} from '../../../core/api/adapter.js';
import {forEachYielding} from '../../../core/toolkit/yielder.js';
import type {PostgresDatabase} from '../client/database.js';
import {PostgresParameters} from '../client/sql.js';
import {daysIn, hourOf} from './hours.js';
import {decodeSpan, ROWS_PER_READ, type TraceRecord} from './loader.js';
import {exactConditions, indexCondition} from './span-conditions.js';

/** Traces of no more spans are read whole: many of them take one statement. */
const SMALL = 128;
/** A trace that lasts longer is looked through, not up: the index has terms of each hour. */
const MOST_HOURS = 24;

/** By its place in the body, which begins with an id of 16 digits and the parent's, or null. */
const IS_CHILD = `substr(body, 21, 4) <> 'null'`;
/** The order of `compareCompatRoots`. */
const ROOT_FIRST = `${IS_CHILD}, start NULLS LAST, substr(body, 3, 16) COLLATE "C", kind COLLATE "C", coalesce(service, '')`;

type Columns = [start: number | null, finish: number | null, body: string, keys: string[], values: string[]];

/** Reads of a large trace what a search shows: the spans that match, and the root. */
export class MatchingSpans {
  readonly #database: PostgresDatabase;
  readonly #filter: SpanFilter;

  constructor(database: PostgresDatabase, filter: SpanFilter) {
    this.#database = database;
    this.#filter = filter;
  }

  /** Whether less than all of a trace is worth reading. */
  suits({spans}: TraceRecord): boolean {
    return spans > SMALL && this.#filter.length > 0;
  }

  /** Undefined when the trace has gone meanwhile. */
  async load(stored: TraceRecord, signal: AbortSignal): Promise<CompatTrace | undefined> {
    const {id: traceId} = stored;
    const {text, values} = this.#statement(stored);
    const spans: CompatSpan[] = [];
    let summary: CompatTrace['summary'];
    const take = ([start, finish, body, keys, tags]: Columns): void => {
      const span = decodeSpan(traceId, body, keys, tags);
      if (start === null || finish === null) spans.push(span);
      else summary = {start, end: finish, root: span};
    };
    const pages = this.#database.pages<Columns>(text, values, ROWS_PER_READ, signal);
    for await (const rows of pages) await forEachYielding(rows, take, {signal});
    return summary && {traceId, spans, summary};
  }

  /** The spans that match, then the root with the bounds of the trace, of one state of the database. */
  #statement(stored: TraceRecord): {readonly text: string; readonly values: readonly unknown[]} {
    const parameters = new PostgresParameters([stored.number]);
    const own = `${daysIn(stored.days)} AND trace = $1`;
    const matching = [own, ...this.#indexed(stored, parameters), ...exactConditions(this.#filter, parameters)];
    // The root is nearly always one of the spans that start first, so that only then the others are looked at.
    const text = `SELECT NULL::float8, NULL::float8, body, tag_keys, tag_values FROM spans
      WHERE ${matching.join(' AND ')}
      UNION ALL
      SELECT t.start::float8, t.finish::float8, body, tag_keys, tag_values FROM traces t, spans
      WHERE t.number = $1 AND ${own} AND identity = coalesce(
        (SELECT identity FROM spans WHERE ${own} AND start = (SELECT start FROM traces WHERE number = $1)
           AND NOT (${IS_CHILD}) ORDER BY ${ROOT_FIRST} LIMIT 1),
        (SELECT identity FROM spans WHERE ${own} ORDER BY ${ROOT_FIRST} LIMIT 1))`;
    return {text, values: parameters.values};
  }

  /** Spans without a time are not in the index. */
  #indexed({start, finish}: TraceRecord, parameters: PostgresParameters): readonly string[] {
    const [first, last] = [hourOf(start), hourOf(finish)];
    if (last - first >= MOST_HOURS) return [];
    const hours = Array.from({length: last - first + 1}, (_, i) => first + i);
    const indexed = indexCondition(this.#filter, hours, parameters);
    return indexed === undefined ? [] : [`(${indexed} OR start IS NULL)`];
  }
}

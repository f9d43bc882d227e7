import type {OtlpFilter} from '../../../core/api/adapter.js';
import {forEachYielding} from '../../../core/toolkit/yielder.js';
import type {PostgresDatabase} from '../client/database.js';
import {PostgresParameters} from '../client/sql.js';
import {daysIn, hourOf} from './hours.js';
import {ROWS_PER_READ, type TraceRecord} from './loader.js';
import type {PostgresTraceModel} from './model.js';
import {exactConditions, indexCondition} from './span-conditions.js';

/** Traces of no more spans are read whole: many of them take one statement. */
const SMALL = 128;
/** A trace that lasts longer is looked through, not up: the index has terms of each hour. */
const MOST_HOURS = 24;

/**
 * Why a span was read: because it matches, because the trace begins or ends with it, or because it may be the root. The
 * bounds of the trace, in microseconds, come with the last.
 */
type Columns = [role: 'match' | 'edge' | 'root', start: number, finish: number, ...body: unknown[]];

/** Reads of a large trace what a search shows: the spans that match, and the root. */
export class MatchingSpans<Span, Trace, Time> {
  readonly #model: PostgresTraceModel<Span, Trace, Time>;
  readonly #database: PostgresDatabase;
  readonly #filter: OtlpFilter;

  constructor(model: PostgresTraceModel<Span, Trace, Time>, database: PostgresDatabase, filter: OtlpFilter) {
    this.#model = model;
    this.#database = database;
    this.#filter = filter;
  }

  /** Whether less than all of a trace is worth reading. */
  suits({spans}: TraceRecord): boolean {
    return spans > SMALL && this.#filter.length > 0;
  }

  /** Undefined when the trace has gone meanwhile. */
  async load(stored: TraceRecord, signal: AbortSignal): Promise<Trace | undefined> {
    const model = this.#model;
    const {id: traceId} = stored;
    const {text, values} = this.#statement(stored);
    const spans: Span[] = [];
    const edges: Span[] = [];
    let root: {readonly span: Span; readonly start: number; readonly end: number} | undefined;
    const take = ([role, start, end, ...body]: Columns): void => {
      const span = model.decode(traceId, body);
      if (role === 'match') spans.push(span);
      else if (role === 'edge') edges.push(span);
      else if (root === undefined || model.compareRoots(span, root.span) < 0) root = {span, start, end};
    };
    const pages = this.#database.pages<Columns>(text, values, ROWS_PER_READ, signal);
    for await (const rows of pages) await forEachYielding(rows, take, {signal});
    if (root === undefined) return undefined;
    const {span, start, end} = root;
    return model.trace(traceId, spans, {...model.bounds(edges, {start, end}), root: span});
  }

  /** All of one state of the database. */
  #statement(stored: TraceRecord): {readonly text: string; readonly values: readonly unknown[]} {
    const {tables, body, hasStoredParent, hasFineBounds, storedText} = this.#model;
    const spans = tables.spans.name;
    const parameters = new PostgresParameters([stored.number]);
    const own = `${daysIn(stored.days)} AND trace = $1`;
    const matching = [
      own,
      ...this.#indexed(stored, parameters),
      ...exactConditions(this.#filter, parameters, storedText),
    ];
    const edges = `UNION ALL SELECT 'edge', NULL, NULL, ${body} FROM ${tables.traces} t, ${spans} s
      WHERE t.number = $1 AND ${own} AND (s.start = t.start OR ${tables.finish} = t.finish)`;
    const root = `UNION ALL SELECT 'root', t.start::float8, t.finish::float8, ${body} FROM ${tables.traces} t, `;
    const isChild = hasStoredParent(own);
    // The root is nearly always one of the spans that start first, so that only then the others are looked at.
    const text = `WITH first AS (
        SELECT ${body} FROM ${spans} s
        WHERE ${own} AND start = (SELECT start FROM ${tables.traces} WHERE number = $1) AND NOT (${isChild})
      )
      SELECT 'match', NULL::float8, NULL::float8, ${body} FROM ${spans} s WHERE ${matching.join(' AND ')}
      ${hasFineBounds ? edges : ''}
      ${root} first WHERE t.number = $1
      ${root} (
        SELECT ${body} FROM ${spans} s WHERE ${own} AND NOT EXISTS (SELECT FROM first)
        ORDER BY ${isChild}, s.start NULLS LAST FETCH FIRST ROW WITH TIES
      ) s WHERE t.number = $1`;
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

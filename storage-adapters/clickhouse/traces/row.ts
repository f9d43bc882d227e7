import {HOURS_PER_DAY, MICROS_PER_HOUR} from '../../../core/toolkit/time.js';
import type {IndexedSpan} from '../../../core/toolkit/traces/model.js';
import type {RowWriter} from '../client/row-writer.js';
import {type Sql, sql} from '../client/sql.js';
import {digest} from '../schema/keys.js';
import type {ClickHouseFragmentModel} from './model.js';

/** A fragment made ready to be stored. */
export interface PreparedFragment {
  readonly traceId: string;
  readonly identity: string;
  readonly body: string | Uint8Array;
  /** Of everything: a span in the index counts while its fragment has the same. */
  readonly digest: Buffer;
  readonly spans: readonly IndexedSpan[];
}

export function prepareFragment<Fragment>(
  model: ClickHouseFragmentModel<Fragment>,
  fragment: Fragment,
): PreparedFragment {
  const traceId = model.traceId(fragment).toWellFormed();
  const identity = model.identity(fragment).toWellFormed();
  const body = model.encode(fragment);
  return {traceId, identity, body, digest: digest([traceId, identity, body]), spans: model.spans(fragment)};
}

/** The day in which the fragment starts, which its retention goes by; undefined without a time. */
export function dayOf({spans}: PreparedFragment): number | undefined {
  let start = Number.POSITIVE_INFINITY;
  for (const span of spans) start = Math.min(start, span.start ?? start);
  return start === Number.POSITIVE_INFINITY ? undefined : Math.floor(start / MICROS_PER_HOUR / HOURS_PER_DAY);
}

/** The columns trace_id, identity, version, digest, day, timed, start, finish, body. `today` is for a fragment without times. */
export function writeFragment(rows: RowWriter, fragment: PreparedFragment, version: bigint, today: number): void {
  let start = Number.POSITIVE_INFINITY;
  let finish = Number.NEGATIVE_INFINITY;
  for (const span of fragment.spans) {
    if (span.start === undefined) continue;
    start = Math.min(start, span.start);
    finish = Math.max(finish, span.start, span.end ?? span.start);
  }
  const isTimed = start <= finish;
  rows.string(fragment.traceId);
  rows.string(fragment.identity);
  rows.uint64(version);
  rows.raw(fragment.digest);
  rows.int32(dayOf(fragment) ?? today);
  rows.uint8(isTimed ? 1 : 0);
  rows.int64(isTimed ? start : 0);
  rows.int64(isTimed ? finish : 0);
  if (typeof fragment.body === 'string') rows.string(fragment.body);
  else rows.blob(fragment.body);
}

/** The columns of a table of spans, in the order in which `writeSpans` writes them. */
export function spanColumns({hasResources}: ClickHouseFragmentModel<unknown>): Sql {
  const always = sql`hour, service, start, digest, place, trace_id, name, kind, status, tag_keys, tag_values`;
  return hasResources
    ? sql`${always}, duration, resource_keys, resource_values`
    : sql`${always}, has_duration, duration`;
}

/** Writes each span that has a time. Returns their number. */
export function writeSpans(rows: RowWriter, fragment: PreparedFragment): number {
  let count = 0;
  for (const [place, span] of fragment.spans.entries()) {
    const {start, duration, service = '', name, kind, status, tags, resourceTags} = span;
    if (start === undefined) continue;
    count++;
    rows.int32(Math.floor(start / MICROS_PER_HOUR));
    rows.string(service);
    rows.int64(start);
    rows.raw(fragment.digest);
    rows.int32(place);
    rows.string(fragment.traceId);
    rows.string(name);
    rows.string(kind);
    rows.string(status);
    rows.strings([...tags.keys()]);
    rows.strings([...tags.values()]);
    if (resourceTags === undefined) {
      rows.uint8(1);
      rows.int64(duration);
    } else {
      rows.float64(duration);
      rows.strings([...resourceTags.keys()]);
      rows.strings([...resourceTags.values()]);
    }
  }
  return count;
}

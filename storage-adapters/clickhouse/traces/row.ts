import type {RowWriter} from '../client/row-writer.js';
import {digest} from '../schema/keys.js';
import type {IndexedSpan, TraceKind} from './model.js';

export const MICROSECONDS_PER_HOUR = 3_600_000_000;
const HOURS_PER_DAY = 24;

/** A unit made ready to be stored. */
export interface PreparedUnit {
  readonly traceId: string;
  readonly identity: string;
  readonly body: string;
  /** Of everything: a span in the index counts while its unit has the same. */
  readonly digest: Buffer;
  readonly spans: readonly IndexedSpan[];
}

export function prepareUnit<Unit>(kind: TraceKind<Unit, unknown>, unit: Unit): PreparedUnit {
  const traceId = kind.traceId(unit).toWellFormed();
  const identity = kind.identity(unit).toWellFormed();
  const body = kind.encode(unit);
  return {traceId, identity, body, digest: digest([traceId, identity, body]), spans: kind.spans(unit)};
}

/** The day in which the unit starts, which its retention goes by; undefined without a time. */
export function dayOf({spans}: PreparedUnit): number | undefined {
  let start = Number.POSITIVE_INFINITY;
  for (const span of spans) start = Math.min(start, span.start ?? start);
  return start === Number.POSITIVE_INFINITY ? undefined : Math.floor(start / MICROSECONDS_PER_HOUR / HOURS_PER_DAY);
}

/** The columns trace_id, identity, version, digest, day, timed, start, finish, body. `today` is for a unit without times. */
export function writeUnit(rows: RowWriter, unit: PreparedUnit, version: bigint, today: number): void {
  let start = Number.POSITIVE_INFINITY;
  let finish = Number.NEGATIVE_INFINITY;
  for (const span of unit.spans) {
    if (span.start === undefined) continue;
    start = Math.min(start, span.start);
    finish = Math.max(finish, span.start + Math.max(0, span.duration ?? 0));
  }
  const isTimed = start <= finish;
  rows.string(unit.traceId);
  rows.string(unit.identity);
  rows.uint64(version);
  rows.raw(unit.digest);
  rows.int32(dayOf(unit) ?? today);
  rows.uint8(isTimed ? 1 : 0);
  rows.int64(isTimed ? start : 0);
  rows.int64(isTimed ? finish : 0);
  rows.string(unit.body);
}

/**
 * The columns hour, service, start, digest, place, trace_id, name, kind, status, has_duration, duration, tag_keys and
 * tag_values, for each span that has a time. Returns their number.
 */
export function writeSpans(rows: RowWriter, unit: PreparedUnit): number {
  let count = 0;
  for (const [place, {start, duration, service = '', name, kind, status, tags}] of unit.spans.entries()) {
    if (start === undefined) continue;
    count++;
    rows.int32(Math.floor(start / MICROSECONDS_PER_HOUR));
    rows.string(service);
    rows.int64(start);
    rows.raw(unit.digest);
    rows.int32(place);
    rows.string(unit.traceId);
    rows.string(name);
    rows.string(kind);
    rows.string(status);
    rows.uint8(duration === undefined ? 0 : 1);
    rows.int64(duration ?? 0);
    rows.strings([...tags.keys()]);
    rows.strings([...tags.values()]);
  }
  return count;
}

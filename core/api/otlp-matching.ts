import {compareNames} from './names.js';
import type {OtlpAttribute, OtlpSpan} from './otlp-span.js';
import {otlpAttribute, otlpServiceName, otlpText} from './otlp-values.js';
import type {MatchedSpan} from './span-matching.js';
import type {SpanKind, SpanStatus} from './traces.js';

/**
 * What a search sees of an OTLP span, and which span is the root of a trace: the one definition that readers and plugins
 * share. Conditions themselves mean what they mean for the other kinds (`matchesSpan`).
 */

const KINDS: readonly SpanKind[] = ['UNSPECIFIED', 'INTERNAL', 'SERVER', 'CLIENT', 'PRODUCER', 'CONSUMER'];
const STATUSES: readonly SpanStatus[] = ['UNSET', 'OK', 'ERROR'];

/** A number that the enumeration does not have counts as INTERNAL, as an unknown word of a compat span does. */
export function otlpKind(kind: number): SpanKind {
  return KINDS[kind] ?? 'INTERNAL';
}

export function otlpStatus(code: number): SpanStatus {
  return STATUSES[code] ?? 'UNSET';
}

const NANOS_PER_MICRO = 1000n;
const LATEST = BigInt(Number.MAX_SAFE_INTEGER);

/**
 * Whole microseconds of a time, cut off; those that no number holds exactly (from the year 2255 on) become the last that
 * one does.
 */
export function otlpMicros(nanos: bigint): number {
  const micros = nanos / NANOS_PER_MICRO;
  return Number(micros > LATEST ? LATEST : micros);
}

/** The start by which a span lies in a window; undefined where it is not known, and then it lies in none. */
export function otlpStart({startTime}: OtlpSpan): number | undefined {
  return startTime === 0n ? undefined : otlpMicros(startTime);
}

/** When a span ended, in nanoseconds: not before its start, also where it says so or says nothing. */
export function otlpEnd({startTime, endTime}: OtlpSpan): bigint {
  return endTime > startTime ? endTime : startTime;
}

/** Nanoseconds; 0 where the start is not known. */
export function otlpDuration(span: OtlpSpan): bigint {
  return span.startTime === 0n ? 0n : otlpEnd(span) - span.startTime;
}

/** `duration` is in microseconds, with the nanoseconds as a fraction. */
export function otlpSpanView(span: OtlpSpan): Required<MatchedSpan> {
  return {
    service: otlpServiceName(span.resource),
    name: span.name,
    kind: otlpKind(span.kind),
    status: otlpStatus(span.status.code),
    duration: Number(otlpDuration(span)) / Number(NANOS_PER_MICRO),
    tag: key => textOf(span.attributes, key),
    resource: key => textOf(span.resource.attributes, key),
  };
}

function textOf(attributes: readonly OtlpAttribute[], key: string): string | undefined {
  const value = otlpAttribute(attributes, key);
  return value === undefined ? undefined : otlpText(value);
}

/** Negative when `a` is the root rather than `b`, of spans of which both have a parent in the trace, or neither. */
export function compareOtlpRoots(a: OtlpSpan, b: OtlpSpan): number {
  return compareTimes(a.startTime, b.startTime) || compareNames(a.spanId, b.spanId);
}

/** One whose start is not known comes last. */
function compareTimes(a: bigint, b: bigint): number {
  if (a === b) return 0;
  if (a === 0n || b === 0n) return a === 0n ? 1 : -1;
  return a < b ? -1 : 1;
}

/** The id of the span's parent, which need not have been stored. A span that names itself has none. */
export function otlpParent({spanId, parentSpanId}: OtlpSpan): string | undefined {
  return parentSpanId === spanId ? undefined : parentSpanId;
}

/**
 * The span that a trace is called after: the earliest of those whose parent is not among the spans, because the caller may
 * report elsewhere; where every span has a parent, the earliest of all. `spans` are those of a whole trace.
 */
export function otlpRoot(spans: readonly OtlpSpan[]): OtlpSpan {
  const ids = new Set(spans.map(({spanId}) => spanId));
  const roots = spans.filter(span => {
    const parent = otlpParent(span);
    return parent === undefined || !ids.has(parent);
  });
  const candidates = roots.length > 0 ? roots : spans;
  return candidates.reduce((first, span) => (compareOtlpRoots(span, first) < 0 ? span : first));
}

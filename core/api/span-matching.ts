import type {OtlpCondition, OtlpFilter} from './otlp-traces.js';
import type {CompatSpan, NativeSpan, Segment, SpanCondition, SpanKind, SpanStatus} from './traces.js';

/**
 * What the conditions of a filter mean, for every kind of spans: the one definition that readers and plugins share, so
 * that a search finds on every backend what the converted span shows.
 */
export interface MatchedSpan {
  readonly service: string | undefined;
  readonly name: string;
  readonly kind: SpanKind;
  readonly status: SpanStatus;
  /** Microseconds; 0 when the span has none, as it is shown. */
  readonly duration: number;
  tag(key: string): string | undefined;
  /** An attribute of the resource; spans of kinds that have no resource have none. */
  resource?(key: string): string | undefined;
}

export function matchesSpan(filter: OtlpFilter, span: MatchedSpan): boolean {
  return filter.every(condition => satisfies(condition, span));
}

function satisfies(condition: OtlpCondition, span: MatchedSpan): boolean {
  switch (condition.on) {
    case 'tag':
      return span.tag(condition.key) === condition.value;
    case 'resource':
      return span.resource?.(condition.key) === condition.value;
    case 'name-or-tag':
      return span.name === condition.name || span.tag('name') === condition.value;
    case 'duration':
      return satisfiesDuration(condition, span.duration);
    default:
      return span[condition.on] === condition.value;
  }
}

export type DurationCondition = Extract<SpanCondition, {readonly on: 'duration'}>;

/** Whether a duration in microseconds satisfies a condition. */
export function satisfiesDuration({is, value}: DurationCondition, duration: number): boolean {
  switch (is) {
    case '=':
      return duration === value;
    case '>':
      return duration > value;
    case '>=':
      return duration >= value;
    case '<':
      return duration < value;
    case '<=':
      return duration <= value;
  }
}

/** A compat span as its filter sees it. Service and name were folded to lower case when it was stored. */
export function compatSpanView(span: CompatSpan): MatchedSpan {
  return {
    service: span.localEndpoint?.serviceName,
    name: span.name ?? '',
    kind: compatKind(span.kind),
    status: compatStatus(span.tags),
    duration: span.duration ?? 0,
    tag: key => span.tags.get(key),
  };
}

const COMPAT_KINDS: readonly SpanKind[] = ['CLIENT', 'SERVER', 'PRODUCER', 'CONSUMER'];

export function compatKind(kind: string | undefined): SpanKind {
  if (kind === undefined) return 'UNSPECIFIED';
  return COMPAT_KINDS.find(known => known === kind) ?? 'INTERNAL';
}

/** The tag `otel.status_code` where it is a status code, with or without its prefix; else the tag `error`, if it is true. */
export function compatStatus(tags: ReadonlyMap<string, string>): SpanStatus {
  const code = tags
    .get('otel.status_code')
    ?.toUpperCase()
    .replace(/^STATUS_CODE_/, '');
  if (code === 'OK' || code === 'ERROR' || code === 'UNSET') return code;
  return tags.get('error')?.toLowerCase() === 'true' ? 'ERROR' : 'UNSET';
}

export function nativeSpanView(segment: Segment, span: NativeSpan): MatchedSpan {
  return {
    service: segment.service,
    name: span.operationName,
    kind: nativeKind(span.spanType),
    status: span.isError ? 'ERROR' : 'OK',
    duration: (span.endTime - span.startTime) * 1000,
    tag: key => span.tags.findLast(tag => tag.key === key)?.value,
  };
}

export function nativeKind(type: string): SpanKind {
  switch (type.toUpperCase()) {
    case '':
      return 'UNSPECIFIED';
    case 'ENTRY':
      return 'SERVER';
    case 'EXIT':
      return 'CLIENT';
    default:
      return 'INTERNAL';
  }
}

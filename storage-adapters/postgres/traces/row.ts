import type {IndexedSpan} from '../../../core/toolkit/traces/model.js';
import {encodeText} from '../client/text.js';
import {dayOf, hourOf, REST} from './hours.js';
import {termsOf} from './index-terms.js';
import type {PostgresTraceModel} from './model.js';

/** A span as the database takes it, with the columns of its own model. The keys are names of columns, but for the first. */
export interface SpanRow {
  readonly traceId: string;
  readonly bucket: number;
  readonly identity: string;
  readonly start: number | null;
  readonly finish: number | null;
  readonly duration: number;
  readonly service: string | null;
  readonly name: string;
  readonly kind: string;
  readonly status: string;
  readonly tag_keys: readonly string[];
  readonly tag_values: readonly string[];
  readonly terms: readonly number[];
}

export function spanRow<Span, Trace, Time>(model: PostgresTraceModel<Span, Trace, Time>, span: Span): SpanRow {
  const [indexed] = model.spans(span) as [IndexedSpan];
  const {start, end, duration, service, name, kind, status, tags} = indexed;
  const hour = start === undefined ? undefined : hourOf(start);
  return {
    traceId: model.traceId(span),
    bucket: hour === undefined ? REST : dayOf(hour),
    identity: model.key(span),
    start: start ?? null,
    finish: end ?? null,
    duration,
    service: service === undefined ? null : encodeText(service),
    name: encodeText(name),
    kind,
    status,
    tag_keys: Array.from(tags.keys(), encodeText),
    tag_values: Array.from(tags.values(), encodeText),
    terms: hour === undefined ? [] : termsOf(indexed, hour, model.tagText),
    ...model.ownColumns(span, indexed),
  };
}

import {hash} from 'node:crypto';
import {type CompatSpan, compatSpanView} from '../../../core/api/adapter.js';
import {encodeCompatSpan} from '../../../core/toolkit/traces/compat-span-codec.js';
import {encodeText} from '../client/text.js';
import {dayOf, hourOf, REST} from './hours.js';
import {termsOf} from './index-terms.js';

/** A span as the database takes it. The keys are names of columns. */
export interface SpanRow {
  readonly traceId: string;
  readonly bucket: number;
  readonly identity: string;
  readonly start: number | null;
  readonly duration: number | null;
  readonly service: string | null;
  readonly name: string;
  readonly kind: string;
  readonly status: string;
  readonly tag_keys: readonly string[];
  readonly tag_values: readonly string[];
  readonly terms: readonly number[];
  /** What is shown and not searched, in a column of text, which holds every string there is: JSON escapes what the database cannot store. */
  readonly body: string;
}

export function spanRow(span: CompatSpan): SpanRow {
  const view = compatSpanView(span);
  const {timestamp, tags} = span;
  const hour = timestamp === undefined ? undefined : hourOf(timestamp);
  return {
    traceId: span.traceId,
    bucket: hour === undefined ? REST : dayOf(hour),
    identity: identityOf(span),
    start: timestamp ?? null,
    duration: view.duration ?? null,
    service: view.service === undefined ? null : encodeText(view.service),
    name: encodeText(view.name),
    kind: view.kind,
    status: view.status,
    tag_keys: Array.from(tags.keys(), encodeText),
    tag_values: Array.from(tags.values(), encodeText),
    terms: hour === undefined ? [] : termsOf(view, tags, hour),
    body: JSON.stringify(encodeCompatSpan(span)),
  };
}

/** What makes a span the same one, as a UUID: a kind that Zipkin does not know may be longer than an index takes. */
function identityOf({id, kind, shared = false}: CompatSpan): string {
  return hash('sha256', JSON.stringify([id, kind ?? null, shared]), 'hex').slice(0, 32);
}

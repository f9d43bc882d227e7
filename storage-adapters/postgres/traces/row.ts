import {hash} from 'node:crypto';
import {type CompatSpan, compatSpanView} from '../../../core/api/adapter.js';
import {encodeText} from '../client/text.js';
import {termsOf} from './index-terms.js';
import {encodeBody} from './span-body.js';

export const MICROSECONDS_PER_HOUR = 3_600_000_000;
const HOURS_PER_DAY = 24;
/** The partition of spans that have no day of their own: those without a time, and those that outlive their day. */
export const REST = 2_147_483_647;

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
  readonly body: string;
}

export function spanRow(span: CompatSpan): SpanRow {
  const view = compatSpanView(span);
  const {timestamp, tags} = span;
  const hour = timestamp === undefined ? undefined : hourOf(timestamp);
  return {
    traceId: span.traceId,
    bucket: hour === undefined ? REST : Math.floor(hour / HOURS_PER_DAY),
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
    body: encodeBody(span),
  };
}

/** What makes a span the same one, as a UUID: a kind that Zipkin does not know may be longer than an index takes. */
function identityOf({id, kind, shared = false}: CompatSpan): string {
  return hash('sha256', JSON.stringify([id, kind ?? null, shared]), 'hex').slice(0, 32);
}

export function hourOf(microseconds: number): number {
  return Math.floor(microseconds / MICROSECONDS_PER_HOUR);
}

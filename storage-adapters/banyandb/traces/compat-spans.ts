import {type CompatAnnotation, type CompatEndpoint, type CompatSpan, compareNames} from '../../../core/api/adapter.js';
import {MICROS_PER_SECOND, NANOS_PER_MICRO} from '../../../core/toolkit/time.js';
import type {Endpoint, ZipkinSpan} from '../proto/methods.js';
import {groupBy} from './group-by.js';
import {ipv4, ipv6} from './ip-addresses.js';
import type {Payloads} from './payloads.js';

/** Digits of the id of a span, and of a trace whose id needs no more. */
export const SHORT_ID = 16;
const hex = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex');

/** The spans of a trace. Of spans that are the same but for what they say the last stands, as the server keeps both. */
export function compatSpans(traceId: string, {spans, events}: Payloads): readonly CompatSpan[] {
  const byIdentity = new Map<string, CompatSpan>();
  for (const span of spans) {
    const read = compatSpan(traceId, span);
    byIdentity.set(`${read.id} ${read.kind ?? ''} ${read.shared ?? false}`, read);
  }
  const all = [...byIdentity.values()];
  if (events.length === 0) return all;
  const added = groupBy(events, ({traceContext}) => (traceContext?.spanId ?? '').padStart(SHORT_ID, '0'));
  return all.map(span => {
    const own = added.get(span.id)?.map(({startTime, event}) => ({
      timestamp:
        Number(startTime?.seconds ?? 0) * MICROS_PER_SECOND + Math.floor((startTime?.nanos ?? 0) / NANOS_PER_MICRO),
      value: event,
    }));
    return own === undefined ? span : {...span, annotations: sorted([...span.annotations, ...own])};
  });
}

function compatSpan(traceId: string, span: ZipkinSpan): CompatSpan {
  const timestamp = Number(span.timestamp);
  const duration = Number(span.duration);
  const tags = Object.entries(span.tags).sort(([a], [b]) => compareNames(a, b));
  const local = endpoint(span.local_endpoint);
  const remote = endpoint(span.remote_endpoint);
  return {
    traceId,
    id: hex(span.id),
    annotations: sorted(span.annotations.map(({timestamp: time, value}) => ({timestamp: Number(time), value}))),
    tags: new Map(tags),
    ...(span.parent_id.byteLength > 0 && {parentId: hex(span.parent_id)}),
    ...(span.kind !== 'SPAN_KIND_UNSPECIFIED' && {kind: span.kind}),
    ...(span.name !== '' && {name: span.name.toLowerCase()}),
    ...(timestamp > 0 && {timestamp}),
    ...(duration > 0 && {duration}),
    ...(local && {localEndpoint: local}),
    ...(remote && {remoteEndpoint: remote}),
    ...(span.debug && {debug: true}),
    ...(span.shared && {shared: true}),
  };
}

function endpoint(given: Endpoint | null): CompatEndpoint | undefined {
  if (given === null) return undefined;
  const v4 = ipv4(given.ipv4);
  const v6 = ipv6(given.ipv6);
  const read: CompatEndpoint = {
    ...(given.service_name !== '' && {serviceName: given.service_name.toLowerCase()}),
    ...(v4 !== undefined && {ipv4: v4}),
    ...(v6 !== undefined && {ipv6: v6}),
    ...(given.port !== 0 && {port: given.port}),
  };
  return Object.keys(read).length === 0 ? undefined : read;
}

function sorted(annotations: readonly CompatAnnotation[]): readonly CompatAnnotation[] {
  const distinct = new Map(annotations.map(one => [`${one.timestamp} ${one.value}`, one]));
  return [...distinct.values()].sort((a, b) => a.timestamp - b.timestamp || compareNames(a.value, b.value));
}

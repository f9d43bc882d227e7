import {
  type CompatEndpoint,
  type CompatSpan,
  type CompatTrace,
  compareNames,
  compatKind,
  compatStatus,
  type KeyValue,
} from '../../core/api/plugin.js';
import type {
  ConvertedEvent,
  ConvertedScope,
  ConvertedSpan,
  ConvertedStatus,
  ConvertedTrace,
} from '../traceql/otlp/model.js';
import {nanosOfMicros} from '../traceql/otlp/nanos.js';
import {SpansByService} from '../traceql/otlp/spans-by-service.js';

const SCOPE: ConvertedScope = {name: 'compat-tracer', version: '0.1.0'};

/**
 * Compat spans as OTLP.
 *
 * The order is the same for every order of the spans given: spans by start (those without one last), then by id, the
 * client's half of a shared span before the server's; services as they first occur in it. Attributes are the tags in
 * their order, then those of the local and of the remote endpoint. Both halves of a shared span stand, with their ids
 * as they are stored, and a parent that the trace does not have is kept.
 */
export function convertCompatTrace(trace: CompatTrace): ConvertedTrace {
  const services = new SpansByService<CompatSpan>();
  for (const span of trace.spans.toSorted(inOrder)) services.add(compatServiceName(span), span);
  return {traceId: trace.traceId, scope: SCOPE, resources: services.resources(convertSpan)};
}

/** `service.name` of the span's resource. Never empty. */
export function compatServiceName(span: CompatSpan): string {
  return span.localEndpoint?.serviceName || 'unknown-service';
}

function inOrder(a: CompatSpan, b: CompatSpan): number {
  if (a.timestamp !== b.timestamp) return (a.timestamp ?? Number.MAX_VALUE) - (b.timestamp ?? Number.MAX_VALUE);
  if (a.id !== b.id) return compareNames(a.id, b.id);
  const halves = Number(a.shared ?? false) - Number(b.shared ?? false);
  return halves || compareNames(a.kind ?? '', b.kind ?? '');
}

function convertSpan(span: CompatSpan): ConvertedSpan {
  const start = span.timestamp ?? 0;
  return {
    spanId: span.id,
    parentSpanId: span.parentId,
    name: span.name ?? '',
    kind: compatKind(span.kind),
    startTimeUnixNano: nanosOfMicros(start),
    endTimeUnixNano: nanosOfMicros(start, span.duration),
    attributes: attributesOf(span),
    events: span.annotations.map(convertAnnotation),
    status: statusOf(span),
  };
}

const NO_ATTRIBUTES: readonly KeyValue[] = [];

function convertAnnotation({timestamp, value}: CompatSpan['annotations'][number]): ConvertedEvent {
  return {timeUnixNano: nanosOfMicros(timestamp), name: value, attributes: NO_ATTRIBUTES};
}

function statusOf(span: CompatSpan): ConvertedStatus {
  const code = compatStatus(span.tags);
  const message = span.tags.get('otel.status_description');
  return message ? {code, message} : {code};
}

/** A tag wins over an endpoint's attribute of the same key. */
function attributesOf(span: CompatSpan): KeyValue[] {
  const attributes = Array.from(span.tags, ([key, value]) => ({key, value}));
  const add = (key: string, value: string | number | undefined): void => {
    if (value !== undefined && !span.tags.has(key)) attributes.push({key, value: String(value)});
  };
  const {localEndpoint: local, remoteEndpoint: remote} = span;
  add('net.host.ip', ipOf(local));
  add('net.host.port', local?.port);
  add('net.peer.name', remote?.serviceName);
  add('peer.service', remote?.serviceName);
  add('net.peer.ip', ipOf(remote));
  add('net.peer.port', remote?.port);
  return attributes;
}

/** One key takes both addresses and may not be repeated. */
function ipOf(endpoint: CompatEndpoint | undefined): string | undefined {
  return endpoint?.ipv4 ?? endpoint?.ipv6;
}

import {
  type CompatEndpoint,
  type CompatSpan,
  type CompatTrace,
  compatKind,
  compatPlace,
  compatStatus,
  inTraceOrder,
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
import {resourcesOf} from '../traceql/otlp/resources.js';

const SCOPE: ConvertedScope = {name: 'compat-tracer', version: '0.1.0'};

/**
 * Compat spans as OTLP.
 *
 * The order is that of `trace-order.ts`, whatever the order of the spans given. Attributes are the tags in
 * their order, then those of the local and of the remote endpoint. Both halves of a shared span stand, with their ids
 * as they are stored, and a parent that the trace does not have is kept.
 */
export function convertCompatTrace(trace: CompatTrace): ConvertedTrace {
  const resources = resourcesOf(inTraceOrder(trace.spans, compatPlace), convertSpan);
  return {traceId: trace.traceId, scope: SCOPE, resources};
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
function attributesOf({tags, localEndpoint: local, remoteEndpoint: remote}: CompatSpan): KeyValue[] {
  const attributes: KeyValue[] = [];
  // Neither by `Array.from` nor by `map`: they take several times as long, and this is where a trace spends most.
  for (const [key, value] of tags) attributes.push({key, value});
  if (local !== undefined) {
    add(attributes, tags, 'net.host.ip', ipOf(local));
    add(attributes, tags, 'net.host.port', local.port);
  }
  if (remote !== undefined) {
    add(attributes, tags, 'net.peer.name', remote.serviceName);
    add(attributes, tags, 'peer.service', remote.serviceName);
    add(attributes, tags, 'net.peer.ip', ipOf(remote));
    add(attributes, tags, 'net.peer.port', remote.port);
  }
  return attributes;
}

function add(attributes: KeyValue[], tags: CompatSpan['tags'], key: string, value: string | number | undefined): void {
  if (value !== undefined && !tags.has(key)) attributes.push({key, value: String(value)});
}

/** One key takes both addresses and may not be repeated. */
function ipOf({ipv4, ipv6}: CompatEndpoint): string | undefined {
  return ipv4 ?? ipv6;
}

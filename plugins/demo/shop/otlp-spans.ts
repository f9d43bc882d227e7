import {createHash} from 'node:crypto';
import {MICROS_PER_MS} from '../../../core/toolkit/time.js';
import {httpEndpoint} from './http-endpoint.js';
import type {Request, Visit} from './requests.js';
import {DATABASE} from './services.js';

/** The trace id under which a request is reported by SDKs of OpenTelemetry. */
export function otlpTraceId({minute, number}: Pick<Request, 'minute' | 'number'>): string {
  return hex(`otlp ${minute} ${number}`, 32);
}

const SERVER = 2;
const CLIENT = 3;
const FAILED = 2;

interface Sent {
  readonly visit: Visit;
  readonly span: object;
}

/** Requests in the JSON form of OTLP: one `resourceSpans` for each instance of a service. */
export function otlpRequest(requests: readonly Request[]): object {
  const byInstance = new Map<string, {readonly resource: object; readonly spans: object[]}>();
  for (const request of requests) {
    for (const {visit, span} of taken(request.visit, otlpTraceId(request), '0', '')) {
      const known = byInstance.get(visit.instance) ?? {resource: resourceOf(visit), spans: []};
      known.spans.push(span);
      byInstance.set(visit.instance, known);
    }
  }
  const scope = {name: 'shop', version: '1.4.0'};
  return {
    resourceSpans: Array.from(byInstance.values(), ({resource, spans}) => ({
      resource,
      scopeSpans: [{scope, spans}],
    })),
  };
}

function* taken(visit: Visit, traceId: string, path: string, parentSpanId: string): Generator<Sent> {
  const spanId = hex(`${traceId} ${path}`, 16);
  const {method, path: route} = httpEndpoint(visit.endpoint.name);
  const attributes = [...httpAttributes(visit), text('url.path', route)];
  const span = {traceId, spanId, parentSpanId, name: `${method} ${route}`, kind: SERVER, ...timesOf(visit, 0)};
  yield {visit, span: {...span, attributes, ...statusOf(visit)}};
  for (const [i, call] of visit.calls.entries()) yield* made(visit, call, traceId, `${path}.${i}`, spanId);
}

function* made(from: Visit, to: Visit, traceId: string, path: string, parentSpanId: string): Generator<Sent> {
  const spanId = hex(`${traceId} call ${path}`, 16);
  const isDatabase = to.service.layer === DATABASE;
  const name = isDatabase ? to.endpoint.name : httpEndpoint(to.endpoint.name).method;
  const attributes = isDatabase ? databaseAttributes(to) : httpAttributes(to);
  const span = {traceId, spanId, parentSpanId, name, kind: CLIENT, ...timesOf(to, isDatabase ? 0 : NETWORK)};
  yield {visit: from, span: {...span, attributes, events: eventsOf(to), ...statusOf(to)}};
  if (!isDatabase) yield* taken(to, traceId, path, spanId);
}

/** Microseconds of the way of a call. */
const NETWORK = 300;

function timesOf({start, end}: Visit, network: number): object {
  return {startTimeUnixNano: nanos(start - network), endTimeUnixNano: nanos(end + network)};
}

function resourceOf({service, instance}: Visit): object {
  const attributes = [
    text('service.name', service.name),
    text('service.instance.id', instance),
    text('deployment.environment.name', 'demo'),
    text('telemetry.sdk.language', 'nodejs'),
  ];
  return {attributes};
}

function httpAttributes({endpoint, failed}: Visit): readonly object[] {
  const {method} = httpEndpoint(endpoint.name);
  return [text('http.request.method', method), integer('http.response.status_code', failed ? 500 : 200)];
}

function databaseAttributes({service, statement = '', start, end}: Visit): readonly object[] {
  return [
    text('db.system.name', 'mysql'),
    text('db.namespace', service.name),
    text('db.query.text', statement),
    {key: 'db.client.wait_ms', value: {doubleValue: (end - start) / MICROS_PER_MS}},
  ];
}

function eventsOf({failed, end}: Visit): readonly object[] {
  if (!failed) return [];
  return [{timeUnixNano: nanos(end), name: 'exception', attributes: [text('exception.message', 'call failed')]}];
}

function statusOf({failed}: Visit): object {
  return failed ? {status: {code: FAILED, message: 'failed'}} : {};
}

const text = (key: string, value: string): object => ({key, value: {stringValue: value}});
const integer = (key: string, value: number): object => ({key, value: {intValue: String(value)}});
const nanos = (micros: number): string => `${micros}000`;

function hex(name: string, digits: number): string {
  return createHash('sha256').update(name).digest('hex').slice(0, digits);
}

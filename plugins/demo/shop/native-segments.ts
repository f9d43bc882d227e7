import {MICROS_PER_MS} from '../../../core/toolkit/time.js';
import {httpEndpoint} from './http-endpoint.js';
import type {Request, Visit} from './requests.js';
import {DATABASE} from './services.js';

/** Numbers of the components that the agents see. */
const [SERVER, HTTP_CLIENT, DATABASE_DRIVER] = [1, 2, 5];

/** The trace id under which a request is reported; slow statements name it too. */
export function nativeTraceId({minute, number}: Pick<Request, 'minute' | 'number'>): string {
  return `demo.${minute}.${number}`;
}

/** A request as agents in its services report it: a segment for each service it came through. */
export function* nativeSegments(request: Request): Generator<object> {
  yield* segments(request.visit, nativeTraceId(request), '0', []);
}

function* segments(visit: Visit, traceId: string, path: string, refs: readonly object[]): Generator<object> {
  const {service, instance} = visit;
  const traceSegmentId = `${traceId}.${path}`;
  const exits = visit.calls.map((call, i) => exitSpan(call, i + 1));
  yield {
    traceId,
    traceSegmentId,
    service: service.name,
    serviceInstance: instance,
    spans: [entrySpan(visit, refs), ...exits],
  };
  for (const [i, call] of visit.calls.entries()) {
    if (call.service.layer === DATABASE) continue;
    const reference = {
      refType: 'CrossProcess',
      traceId,
      parentTraceSegmentId: traceSegmentId,
      parentSpanId: i + 1,
      parentService: service.name,
      parentServiceInstance: instance,
      parentEndpoint: visit.endpoint.name,
      networkAddressUsedAtPeer: `${call.service.name}:8080`,
    };
    yield* segments(call, traceId, `${path}-${i}`, [reference]);
  }
}

function entrySpan(visit: Visit, refs: readonly object[]): object {
  return {
    ...spanOf(visit, 0),
    spanId: 0,
    parentSpanId: -1,
    spanType: 'Entry',
    spanLayer: 'Http',
    componentId: SERVER,
    tags: httpTags(visit),
    refs,
  };
}

function exitSpan(call: Visit, spanId: number): object {
  const isDatabase = call.service.layer === DATABASE;
  return {
    ...spanOf(call, isDatabase ? 0 : 300),
    spanId,
    parentSpanId: 0,
    peer: isDatabase ? call.service.name : `${call.service.name}:8080`,
    spanType: 'Exit',
    spanLayer: isDatabase ? 'Database' : 'Http',
    componentId: isDatabase ? DATABASE_DRIVER : HTTP_CLIENT,
    tags: isDatabase ? databaseTags(call) : httpTags(call),
  };
}

/** Where the call was made it began earlier and ended later. */
function spanOf({endpoint, start, end, failed}: Visit, network: number): object {
  const endTime = Math.ceil((end + network) / MICROS_PER_MS);
  const failure = [
    {key: 'event', value: 'error'},
    {key: 'error.kind', value: 'CallFailed'},
    {key: 'message', value: `${endpoint.name} failed`},
  ];
  return {
    startTime: Math.floor((start - network) / MICROS_PER_MS),
    endTime,
    operationName: endpoint.name,
    isError: failed,
    logs: failed ? [{time: endTime, data: failure}] : [],
  };
}

function httpTags({service, endpoint, failed}: Visit): readonly object[] {
  const {method, path} = httpEndpoint(endpoint.name);
  return [
    {key: 'url', value: `http://${service.name}:8080${path}`},
    {key: 'http.method', value: method},
    {key: 'http.status_code', value: failed ? '500' : '200'},
  ];
}

function databaseTags({service, statement = ''}: Visit): readonly object[] {
  return [
    {key: 'db.type', value: 'sql'},
    {key: 'db.instance', value: service.name},
    {key: 'db.statement', value: statement},
  ];
}

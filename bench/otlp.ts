import {cpuUsage} from 'node:process';
import {ProtobufTraceSerializer} from '@opentelemetry/otlp-transformer';
import type {CompatTrace, KeyValue, NativeTrace} from '../core/api/plugin.js';
import {TraceJson} from '../plugins/traceql/otlp/json.js';
import type {ConvertedTrace} from '../plugins/traceql/otlp/model.js';
import {TraceProtobuf, wrapped} from '../plugins/traceql/otlp/protobuf.js';
import {lengthOf} from '../plugins/traceql/otlp/service-bytes.js';
import {convertCompatTrace} from '../plugins/traceql-compat/convert.js';
import {convertNativeTrace} from '../plugins/traceql-native/convert.js';
import {printTable} from './support/table.js';

/**
 * One trace of 10,000 spans, each with 8 tags and 2 events, from the stored form to the bytes of an answer, beside the
 * library's serializer alone on spans that stand ready. Run `node dist/bench/otlp.js`. Milliseconds of processor time,
 * which other programs disturb less than the time of a clock, of the best round; the measured alternate.
 */
const SPANS = 10_000;
const ROUNDS = 15;
const START = 1_700_000_040_000;

const tags = (i: number): KeyValue[] => [
  {key: 'db.instance', value: 'songs'},
  {key: 'db.statement', value: `select * from songs where id = ${i}`},
  {key: 'db.type', value: 'sql'},
  {key: 'http.method', value: 'GET'},
  {key: 'http.status_code', value: '200'},
  {key: 'http.url', value: `http://frontend/api/songs/${i}`},
  {key: 'thread.name', value: 'http-nio-8080-exec-12'},
  {key: 'version', value: '1.4.2'},
];

const compat: CompatTrace = {
  traceId: '0af7651916cd43dd8448eb211c80319c',
  spans: Array.from({length: SPANS}, (_, i) => ({
    traceId: '0af7651916cd43dd8448eb211c80319c',
    id: i.toString(16).padStart(16, 'a'),
    parentId: (i >> 1).toString(16).padStart(16, 'a'),
    kind: 'SERVER',
    name: 'get /api/songs',
    timestamp: START * 1000 + i,
    duration: 1234,
    localEndpoint: {serviceName: `service-${i % 10}`, ipv4: '10.0.0.1', port: 8080},
    annotations: [
      {timestamp: START * 1000 + i, value: 'wr'},
      {timestamp: START * 1000 + i + 1, value: 'ws'},
    ],
    tags: new Map(tags(i).map(({key, value}) => [key, value])),
  })),
};

const native: NativeTrace = {
  traceId: 'f2b1c3d4e5f60718293a4b5c6d7e8f90.38.17739924187687539',
  segments: Array.from({length: SPANS / 10}, (_, s) => ({
    traceId: 'f2b1c3d4e5f60718293a4b5c6d7e8f90.38.17739924187687539',
    traceSegmentId: `f2b1c3d4e5f60718293a4b5c6d7e8f90.38.177399241876${String(s).padStart(5, '0')}`,
    layer: 'GENERAL',
    service: `service-${s % 10}`,
    serviceInstance: 'instance-1',
    spans: Array.from({length: 10}, (_, i) => ({
      spanId: i,
      parentSpanId: i - 1,
      startTime: START + s,
      endTime: START + s + 12,
      operationName: '/api/songs',
      peer: '10.0.0.1:8080',
      spanType: 'Exit',
      spanLayer: 'Http',
      componentId: 2,
      isError: false,
      skipAnalysis: false,
      tags: tags(i),
      logs: [START + s, START + s + 1].map(time => ({time, data: [{key: 'event', value: 'written'}]})),
      refs: [],
      attachedEvents: [],
    })),
  })),
};

type LibrarySpans = Parameters<typeof ProtobufTraceSerializer.serializeRequest>[0];

/** Spans as the library's own SDK would hand them over. */
function librarySpans({traceId, scope, resources}: ConvertedTrace): LibrarySpans {
  const time = (nanos: string): [number, number] => [Number(nanos.slice(0, -9)), Number(nanos.slice(-9))];
  const fields = (pairs: readonly KeyValue[]) => Object.fromEntries(pairs.map(({key, value}) => [key, value]));
  const spans = resources.flatMap(({serviceName, spans}) => {
    const resource = {attributes: {'service.name': serviceName}};
    return Array.from(spans, span => ({
      spanContext: () => ({traceId, spanId: span.spanId, traceFlags: 1}),
      parentSpanContext: span.parentSpanId === undefined ? undefined : {spanId: span.parentSpanId},
      name: span.name,
      kind: 1,
      startTime: time(span.startTimeUnixNano),
      endTime: time(span.endTimeUnixNano),
      status: {code: 0},
      attributes: fields(span.attributes),
      events: span.events.map(event => ({
        ...event,
        time: time(event.timeUnixNano),
        attributes: fields(event.attributes),
      })),
      links: [],
      resource,
      instrumentationScope: scope,
      droppedAttributesCount: 0,
      droppedEventsCount: 0,
      droppedLinksCount: 0,
    }));
  });
  return spans as unknown as LibrarySpans;
}

type Pieces = readonly Uint8Array[];
type Measured = () => Pieces | Promise<Pieces>;

async function protobufOf(trace: ConvertedTrace): Promise<Pieces> {
  const answer = new TraceProtobuf();
  await answer.add(trace);
  return wrapped(answer.finish());
}

function jsonOf(trace: ConvertedTrace): Pieces {
  const answer = new TraceJson();
  return [...answer.add(trace), answer.finish()];
}

async function measure(kind: string, convert: () => ConvertedTrace): Promise<void> {
  const spans = librarySpans(convert());
  const measured: readonly (readonly [what: string, run: Measured])[] = [
    ['the serializer alone', () => [ProtobufTraceSerializer.serializeRequest(spans) ?? new Uint8Array()]],
    ['conversion and protobuf', () => protobufOf(convert())],
    ['conversion and JSON', () => jsonOf(convert())],
  ];
  const times = measured.map((): number[] => []);
  const sizes = measured.map(() => 0);
  for (let round = 0; round < ROUNDS; round++) {
    for (const [at, [, run]] of measured.entries()) {
      const before = cpuUsage();
      sizes[at] = lengthOf(await run());
      const {user, system} = cpuUsage(before);
      times[at]?.push((user + system) / 1000);
    }
  }
  const best = times.map(each => Math.min(...each));
  const alone = best[0] ?? Number.NaN;
  printTable(
    [`${kind}, ${SPANS} spans`, 'MB', 'ms', '× the serializer alone'],
    measured.map(([what], at) => [what, (sizes[at] ?? 0) / 1e6, best[at] ?? Number.NaN, (best[at] ?? 0) / alone]),
  );
}

await measure('compat', () => convertCompatTrace(compat));
await measure('native', () => convertNativeTrace(native));

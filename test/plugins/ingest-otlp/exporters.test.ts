import {type Span, SpanKind, SpanStatusCode} from '@opentelemetry/api';
import {OTLPTraceExporter as GrpcExporter} from '@opentelemetry/exporter-trace-otlp-grpc';
import {OTLPTraceExporter as JsonExporter} from '@opentelemetry/exporter-trace-otlp-http';
import {OTLPTraceExporter as ProtobufExporter} from '@opentelemetry/exporter-trace-otlp-proto';
import {resourceFromAttributes} from '@opentelemetry/resources';
import {BasicTracerProvider, BatchSpanProcessor, type SpanExporter} from '@opentelemetry/sdk-trace-base';
import test from 'ava';
import {ownerOf} from '../../support/owner.js';
import {openReceiver, type Receiver} from './support/receiver.js';

const owner = ownerOf(test);
let receiver: Receiver;

test.before('one receiver for all', async () => {
  receiver = await openReceiver(owner);
});

interface Exporter {
  readonly title: string;
  readonly make: () => SpanExporter;
}

const EXPORTERS: readonly Exporter[] = [
  {title: 'exporter-trace-otlp-http', make: () => new JsonExporter({url: receiver.traces})},
  {title: 'exporter-trace-otlp-proto', make: () => new ProtobufExporter({url: receiver.traces})},
  {title: 'exporter-trace-otlp-grpc', make: () => new GrpcExporter({url: `http://${receiver.grpc}`})},
];

for (const {title, make} of EXPORTERS) {
  test(`what @opentelemetry/${title} sends is stored as it was made`, async t => {
    const provider = new BasicTracerProvider({
      resource: resourceFromAttributes({'service.name': 'checkout', 'service.instance.id': 'one'}),
      spanProcessors: [new BatchSpanProcessor(make())],
    });
    const tracer = provider.getTracer('shop', '1.2.3');
    const parent = tracer.startSpan('POST /orders', {kind: SpanKind.SERVER});
    const linked: Span = tracer.startSpan('other', {root: true});
    const child = tracer.startSpan('charge', {
      root: true,
      kind: SpanKind.CLIENT,
      attributes: {text: 'a', whole: 503, part: 0.5, is: true, list: ['x', 'y'], numbers: [1, 2]},
      links: [{context: linked.spanContext(), attributes: {why: 'retry'}}],
    });
    child.addEvent('exception', {'exception.message': 'no'});
    child.setStatus({code: SpanStatusCode.ERROR, message: 'declined'});
    for (const span of [child, linked, parent]) span.end();
    await provider.shutdown();

    const [stored] = await receiver.stored(child.spanContext().traceId);
    t.is(stored?.spanId, child.spanContext().spanId);
    t.is(stored?.name, 'charge');
    t.is(stored?.kind, 3);
    t.deepEqual(stored?.status, {code: 2, message: 'declined'});
    t.deepEqual(stored?.attributes, [
      {key: 'text', value: 'a'},
      {key: 'whole', value: 503n},
      {key: 'part', value: 0.5},
      {key: 'is', value: true},
      {key: 'list', value: ['x', 'y']},
      {key: 'numbers', value: [1n, 2n]},
    ]);
    t.is(stored?.events[0]?.name, 'exception');
    t.deepEqual(stored?.events[0]?.attributes, [{key: 'exception.message', value: 'no'}]);
    t.is(stored?.links[0]?.traceId, linked.spanContext().traceId);
    t.deepEqual(stored?.links[0]?.attributes, [{key: 'why', value: 'retry'}]);
    t.is(stored?.scope.name, 'shop');
    t.is(stored?.scope.version, '1.2.3');
    t.deepEqual(stored?.resource.attributes, [
      {key: 'service.name', value: 'checkout'},
      {key: 'service.instance.id', value: 'one'},
    ]);
    t.true((stored?.endTime ?? 0n) >= (stored?.startTime ?? 0n));
    t.is((await receiver.stored(parent.spanContext().traceId)).length, 1);
  });
}

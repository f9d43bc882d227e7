import {SpanKind, SpanStatusCode} from '@opentelemetry/api';
import {ZipkinExporter} from '@opentelemetry/exporter-zipkin';
import {resourceFromAttributes} from '@opentelemetry/resources';
import {BasicTracerProvider, SimpleSpanProcessor} from '@opentelemetry/sdk-trace-base';
import test, {type ExecutionContext} from 'ava';
import zipkin from 'zipkin';
import transport from 'zipkin-transport-http';
import {scratchFolder} from '../../support/gateway.js';
import {get} from '../../support/http.js';
import {type ServedHere, serveHere} from '../../support/library.js';

async function start(t: ExecutionContext): Promise<ServedHere> {
  const folder = await scratchFolder(t);
  const config = {
    listeners: {traces: {host: '127.0.0.1', port: 0}, ingest: {port: 0}},
    storage: {use: 'embedded', config: {path: `${folder}/data`}},
    plugins: [{use: 'traceql-compat', listener: 'traces', enabled: true, prefix: '/compat'}, {use: 'ingest'}],
  };
  return serveHere(t, {config, folder});
}

interface Found {
  readonly traceID: string;
  readonly rootServiceName: string;
  readonly rootTraceName: string;
  readonly spanSets: readonly {readonly spans: readonly {readonly spanID: string}[]}[];
}

/** Searches until the reporter, which sends when it likes, has sent. */
async function search(gateway: ServedHere, q: string): Promise<readonly Found[]> {
  for (;;) {
    const answer = await get(`${gateway.urls.traces}/compat/api/search`, {q});
    const {traces} = answer.json<{traces: Found[]}>();
    if (traces.length > 0) return traces;
    await new Promise(resolve => setTimeout(resolve, 50));
  }
}

test.serial('the reporter of zipkin-js sends to the gateway, and its spans are found', async t => {
  const gateway = await start(t);
  const logger = new transport.HttpLogger({
    endpoint: `${gateway.urls.ingest}/api/v2/spans`,
    jsonEncoder: zipkin.jsonEncoder.JSON_V2,
    httpInterval: 10,
  });
  const recorder = new zipkin.BatchRecorder({logger});
  const ctxImpl = new zipkin.ExplicitContext();
  const tracer = new zipkin.Tracer({ctxImpl, recorder, localServiceName: 'Front End', traceId128Bit: true});
  let traceId = '';
  tracer.scoped(() => {
    const id = tracer.createRootId();
    traceId = id.traceId;
    tracer.setId(id);
    tracer.recordServiceName('Front End');
    tracer.recordRpc('GET');
    tracer.recordBinary('http.path', '/users');
    tracer.recordAnnotation(new zipkin.Annotation.ServerRecv());
    tracer.recordMessage('cache missed');
    tracer.recordAnnotation(new zipkin.Annotation.ServerSend());
  });
  const q = '{resource.service.name="front end" && name="get" && kind=server && span.http.path="/users"}';
  const [found] = await search(gateway, q);
  t.is(found?.traceID, traceId);
  t.is(found?.rootServiceName, 'front end');
  t.is(found?.rootTraceName, 'get');
  const trace = await get(`${gateway.urls.traces}/compat/api/v2/traces/${traceId}`);
  t.true(trace.text.includes('"name":"cache missed"'), trace.text);
});

test.serial('the exporter of OpenTelemetry sends to the gateway, and its spans are found', async t => {
  const gateway = await start(t);
  const exporter = new ZipkinExporter({url: `${gateway.urls.ingest}/api/v2/spans`});
  const provider = new BasicTracerProvider({
    resource: resourceFromAttributes({'service.name': 'checkout'}),
    spanProcessors: [new SimpleSpanProcessor(exporter)],
  });
  const tracer = provider.getTracer('test');
  const span = tracer.startSpan('POST /orders', {
    kind: SpanKind.CLIENT,
    attributes: {'http.status_code': 503, retried: true},
  });
  span.addEvent('connection lost');
  span.setStatus({code: SpanStatusCode.ERROR, message: 'out of stock'});
  span.end();
  await provider.forceFlush();
  const q =
    '{resource.service.name="checkout" && kind=client && status=error && span.http.status_code="503" && span.retried="true"}';
  const [found] = await search(gateway, q);
  const {traceId, spanId} = span.spanContext();
  t.is(found?.traceID, traceId);
  t.is(found?.rootTraceName, 'post /orders');
  t.deepEqual(
    found?.spanSets[0]?.spans.map(each => each.spanID),
    [spanId],
  );
  const trace = await get(`${gateway.urls.traces}/compat/api/v2/traces/${traceId}`);
  t.true(trace.text.includes('"code":"STATUS_CODE_ERROR"'), trace.text);
  t.true(trace.text.includes('"name":"connection lost"'), trace.text);
  await provider.shutdown();
});

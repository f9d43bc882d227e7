import test from 'ava';
import type {CompatSpan} from '../../../core/api/plugin.js';
import {convertCompatTrace} from '../../../plugins/traceql-compat/convert.js';
import {attributes, readJson, spansOf} from '../traceql/otlp/read.js';
import {CONVERTED, ROWS} from './rows.js';
import {compatTrace} from './spans.js';

for (const [rule, span, expected] of ROWS) {
  test(rule, t => t.deepEqual(spansOf(convertCompatTrace(compatTrace(span))), [{...CONVERTED, ...expected}]));
}

test('spans are grouped by service, by start, and without a service under a name of their own', t => {
  const trace = convertCompatTrace(
    compatTrace(
      {id: '0000000000000004', timestamp: undefined, localEndpoint: {serviceName: 'app'}},
      {id: '0000000000000003', timestamp: 30, localEndpoint: undefined},
      {id: '0000000000000001', timestamp: 10, localEndpoint: {serviceName: 'songs'}},
      {id: '0000000000000002', timestamp: 20, localEndpoint: {serviceName: 'app', port: 1}},
      {id: '0000000000000005', timestamp: 40, localEndpoint: {ipv4: '10.0.0.1'}},
    ),
  );
  const {resourceSpans} = readJson(trace).trace;
  t.deepEqual(
    resourceSpans.map(({resource, scopeSpans}) => ({
      resource,
      scopes: scopeSpans.map(({scope, spans}) => ({scope, spans: spans.map(span => span.spanId.slice(-1))})),
    })),
    [
      ['songs', ['1']],
      ['app', ['2', '4']],
      ['unknown-service', ['3', '5']],
    ].map(([service, spans]) => ({
      resource: {attributes: attributes(`service.name=${service}`)},
      scopes: [{scope: {name: 'compat-tracer', version: '0.1.0'}, spans}],
    })),
  );
});

test('both halves of a shared span stand, with one id, the client before the server', t => {
  const server: Partial<CompatSpan> = {shared: true, kind: 'SERVER', parentId: '00000000000000ab'};
  const client: Partial<CompatSpan> = {kind: 'CLIENT', parentId: '00000000000000ab'};
  for (const spans of [
    [server, client],
    [client, server],
  ]) {
    t.deepEqual(
      spansOf(convertCompatTrace(compatTrace(...spans))),
      ['CLIENT', 'SERVER'].map(kind => ({...CONVERTED, kind: `SPAN_KIND_${kind}`, parentSpanId: '00000000000000ab'})),
    );
  }
});

test('a trace id of 64 bits stays one', t => {
  const trace = convertCompatTrace({...compatTrace({}), traceId: '64fe8b2a57d3eff7'});
  t.deepEqual(spansOf(trace), [{...CONVERTED, traceId: '64fe8b2a57d3eff7'}]);
});

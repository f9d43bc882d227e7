import test from 'ava';
import type {Segment} from '../../../core/api/plugin.js';
import {convertNativeTrace} from '../../../plugins/traceql-native/convert.js';
import {attributes, readJson, spansOf} from '../traceql/otlp/read.js';
import {CONVERTED, hex, ours, ROWS} from './rows.js';
import {nativeTrace, segment} from './segments.js';

for (const [rule, span, expected] of ROWS) {
  test(rule, t => {
    t.deepEqual(spansOf(convertNativeTrace(nativeTrace(segment({}, span)))), [{...CONVERTED, ...expected}]);
  });
}

test('a span that names itself as its parent in its segment has none', t => {
  const [span] = spansOf(convertNativeTrace(nativeTrace(segment({}, {spanId: 1, parentSpanId: 1}))));
  t.false('parentSpanId' in (span ?? {}));
});

test('parents and children of several segments name each other by the same ids', t => {
  const [parent, child] = spansOf(
    convertNativeTrace(
      nativeTrace(
        segment({traceSegmentId: 'a12.38.0', service: 'producer'}, {spanId: 2, startTime: 1}),
        segment({}, {refs: [ours], startTime: 2}),
      ),
    ),
  );
  t.is(child?.parentSpanId, parent?.spanId);
});

test('spans are grouped by service, by start, and without a service under a name of their own', t => {
  const at = (service: string, id: string, ...starts: readonly number[]): Segment =>
    segment({service, traceSegmentId: id}, ...starts.map(startTime => ({startTime, endTime: startTime})));
  const trace = convertNativeTrace(
    nativeTrace(at('consumer', 'c', 30, 20), at('', 'u', 15), at('producer', 'p', 10, 40), at('consumer', 'b', 30)),
  );
  const {resourceSpans} = readJson(trace).trace;
  t.deepEqual(
    resourceSpans.map(({resource, scopeSpans}) => ({
      resource,
      scopes: scopeSpans.map(({scope, spans}) => ({scope, spans: spans.map(span => span.spanId)})),
    })),
    (
      [
        ['producer', ['pS0', 'pS1']],
        ['unknown', ['uS0']],
        ['consumer', ['cS1', 'bS0', 'cS0']],
      ] as const
    ).map(([service, spans]) => ({
      resource: {attributes: attributes(`service.name=${service}`)},
      scopes: [{scope: {name: 'native-tracer', version: '0.1.0'}, spans: spans.map(hex)}],
    })),
  );
});

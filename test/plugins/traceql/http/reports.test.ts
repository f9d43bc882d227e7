import test from 'ava';
import type {PlainSpan} from '../../../fixtures/memory-adapter.js';
import {get} from '../../../support/http.js';
import {openGateway} from '../../../support/library.js';
import {T0} from '../scene.js';
import {AROUND, sceneConfig, textOf} from '../support.js';

/** What users of like systems have reported as broken, each with what should have happened. */

const SPAN: PlainSpan = {
  traceId: '00000000000000aa',
  id: '00000000000000b1',
  name: 'one',
  timestamp: T0 * 1_000_000,
  localEndpoint: {serviceName: 'shop'},
};

interface Span {
  readonly spanId: string;
  readonly parentSpanId?: string;
  readonly startTimeUnixNano: string;
  readonly endTimeUnixNano: string;
  readonly status: {readonly code: string};
  readonly attributes: readonly {readonly key: string}[];
}

interface Trace {
  readonly trace: {
    readonly resourceSpans: readonly {readonly scopeSpans: readonly {readonly spans: readonly Span[]}[]}[];
  };
}

/** The spans of the trace, and what a search for failures finds. */
async function show(t: Parameters<typeof openGateway>[0], spans: readonly PlainSpan[]) {
  const {urls} = await openGateway(t, sceneConfig({compatSpans: spans}));
  const base = `${urls.traces}/compat`;
  const {trace} = (await get(`${base}/api/v2/traces/aa`)).json<Trace>();
  const failures = textOf(await get(`${base}/api/search`, {q: '{status=error}', ...AROUND}));
  return {base, spans: trace.resourceSpans.flatMap(each => each.scopeSpans.flatMap(scope => scope.spans)), failures};
}

// open-telemetry/opentelemetry-collector-contrib#16530, grafana/tempo#1916
test('an error tag with a message is kept, and is no failure for the trace nor for a search', async t => {
  const {spans, failures} = await show(t, [{...SPAN, tags: {error: 'Ooops!'}}]);
  t.is(spans[0]?.status.code, 'STATUS_CODE_UNSET');
  t.deepEqual(
    spans[0]?.attributes.map(({key}) => key),
    ['error'],
  );
  t.is(failures, '');
});

// apache/skywalking-horizon-ui#167 to #169
test('an empty error tag is no failure, and a span without the tag shows none', async t => {
  const {base, failures} = await show(t, [
    {...SPAN, tags: {error: ''}},
    {...SPAN, id: '00000000000000b2', name: 'two', timestamp: T0 * 1_000_000 + 1, tags: {error: 'TRUE'}},
    {...SPAN, id: '00000000000000b3', name: 'three', timestamp: T0 * 1_000_000 + 2},
  ]);
  t.is(failures, 'one: b2');
  const {text} = await get(`${base}/api/search`, AROUND);
  t.is(text.split('"key":"error"').length - 1, 2);
});

// open-telemetry/opentelemetry-collector#1749
test('a span without a duration ends when it begins', async t => {
  const {base, spans} = await show(t, [SPAN]);
  t.is(spans[0]?.startTimeUnixNano, `${T0}000000000`);
  t.is(spans[0]?.endTimeUnixNano, spans[0]?.startTimeUnixNano);
  const {text} = await get(`${base}/api/search`, AROUND);
  t.regex(text, /"durationNanos":"0"/);
  t.regex(text, /"durationMs":0,/);
});

test('a span without any time is found by the duration that is shown', async t => {
  const {timestamp: _, ...timeless} = {...SPAN, id: '00000000000000b2', name: 'timeless'};
  const {base} = await show(t, [SPAN, timeless]);
  for (const [q, matched] of [
    ['{duration=0}', 2],
    ['{duration<1us && name="timeless"}', 0],
    ['{duration>0us}', 0],
  ] as const) {
    const {text} = await get(`${base}/api/search`, {...AROUND, q});
    t.is(text.split('"durationNanos":"0"').length - 1, matched, q);
  }
});

// grafana/tempo#682, grafana/grafana#45462
test('both halves of a shared span stand', async t => {
  const child = {...SPAN, id: '00000000000000b2', parentId: SPAN.id, timestamp: T0 * 1_000_000 + 1};
  const {spans} = await show(t, [
    SPAN,
    {...child, kind: 'CLIENT'},
    {...child, kind: 'SERVER', shared: true, localEndpoint: {serviceName: 'stock'}},
  ]);
  t.deepEqual(spans.map(({spanId, parentSpanId}) => `${spanId.slice(-2)} ${parentSpanId?.slice(-2)}`).sort(), [
    'b1 undefined',
    'b2 b1',
    'b2 b1',
  ]);
});

// grafana/tempo#5437, grafana/tempo#3802
test('both versions answer JSON with hex ids under the key of a trace', async t => {
  const {base} = await show(t, [SPAN]);
  for (const path of ['/api/traces/aa', '/api/v2/traces/aa', '/api/traces/000aa']) {
    const answer = await get(base + path);
    t.deepEqual(Object.keys(answer.json()), ['trace']);
    t.regex(answer.text, /"traceId":"00000000000000aa","spanId":"00000000000000b1"/);
  }
});

// grafana/tempo#4723, tsouza/cerberus#770
test('a search gives whole ids and one span set a trace', async t => {
  const {base} = await show(t, [SPAN]);
  const {traces} = (await get(`${base}/api/search`, AROUND)).json<{traces: {traceID: string; spanSets: unknown[]}[]}>();
  t.deepEqual(
    traces.map(({traceID, spanSets}) => [traceID, spanSets.length]),
    [['00000000000000aa', 1]],
  );
});

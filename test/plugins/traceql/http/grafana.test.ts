import test from 'ava';
import {type Answer, ask} from '../../../support/http.js';
import {openGateway} from '../../../support/library.js';
import {decodeTrace, decodeTraceByIdResponse} from '../../../support/otlp-protobuf.js';
import {CART, SEGMENTS, T0} from '../scene.js';
import {type SearchResult, sceneConfig} from '../support.js';

/** The scene lies years back: requests without a start reach it. */
const YEARS = 10 * 365 * 86_400_000;

/** The keys that the data source's decoder knows at each level; it refuses an answer with any other. */
const KNOWN_KEYS: ReadonlySet<string> = new Set([
  'traces',
  'traceID',
  'rootServiceName',
  'rootTraceName',
  'startTimeUnixNano',
  'durationMs',
  'spanSets',
  'spans',
  'matched',
  'spanID',
  'durationNanos',
  'attributes',
  'key',
  'value',
  'stringValue',
]);

interface Trace {
  readonly trace: {
    readonly resourceSpans: readonly {
      readonly scopeSpans: readonly {readonly spans: readonly {readonly spanId: string}[]}[];
    }[];
  };
}

interface Values {
  readonly tagValues: readonly {readonly type: string; readonly value: string}[];
}

function strict(answer: Answer): SearchResult {
  return JSON.parse(answer.text, (key, value: unknown) => {
    if (key !== '' && !/^\d+$/.test(key) && !KNOWN_KEYS.has(key)) throw new Error(`unknown key ${key}`);
    if (value === null) throw new Error(`null at ${key}`);
    return value;
  }) as SearchResult;
}

test('a trace of which one clock was wrong by years has the longest duration that 32 bits hold', async t => {
  const plain = SEGMENTS[1]?.spans[1];
  if (plain === undefined) throw new Error('the scene has no span');
  const compatSpans = [
    {traceId: CART, id: '000000000000000a', name: 'right', timestamp: T0 * 1_000_000, duration: 9000},
    {traceId: CART, id: '000000000000000b', parentId: '000000000000000a', timestamp: T0 * 1000},
  ];
  const spans = [
    {...plain, spanId: 0, operationName: 'right', startTime: T0 * 1000, endTime: T0 * 1000 + 9},
    {...plain, spanId: 1, parentSpanId: 0, refs: [], startTime: T0, endTime: T0},
  ];
  const segments = [{...SEGMENTS[1], traceId: 'long', traceSegmentId: 'long', spans}];
  const {urls} = await openGateway(t, sceneConfig({compatSpans, segments}, {lookback: YEARS}));
  for (const prefix of ['/compat', '/native']) {
    const {traces} = strict(await ask(`${urls.traces}${prefix}/api/search?q=${encodeURIComponent('{name="right"}')}`));
    t.deepEqual(
      traces.map(({rootTraceName, durationMs}) => [rootTraceName, durationMs]),
      [['right', 4_294_967_295]],
    );
  }
});

/** What a user does in Grafana, as the data source sends it, of each kind of traces. */
for (const [prefix, service, name, status] of [
  ['/compat', 'backend', 'get /api', ['error']],
  ['/native', 'provider', 'POST:/users', ['ok', 'error']],
] as const) {
  test(`the requests of Grafana's data source work in their order under ${prefix}`, async t => {
    const {urls} = await openGateway(t, sceneConfig({}, {lookback: YEARS}));
    const base = `${urls.traces}${prefix}`;
    const headers = {'user-agent': 'Grafana/12.0.0', 'accept-encoding': 'gzip', 'x-scope-orgid': 'tenant'};
    const values = async (tag: string, q: string): Promise<readonly string[]> => {
      const query = `limit=5000&q=${encodeURIComponent(q)}&tag=${encodeURIComponent(tag)}`;
      const answer = await ask(`${base}/api/v2/search/tag/${encodeURIComponent(tag)}/values?${query}`, {headers});
      t.is(answer.status, 200, answer.text);
      return answer.json<Values>().tagValues.map(({value}) => value);
    };

    // Save & test.
    t.is((await ask(`${base}/api/echo`, {headers})).status, 200);

    // The search tab, then the lists of its filters.
    const tags = await ask(`${base}/api/v2/search/tags?limit=5000`, {headers});
    const {scopes} = tags.json<{scopes: readonly {readonly name: string; readonly tags: readonly string[]}[]}>();
    t.true(scopes.find(scope => scope.name === 'resource')?.tags.includes('service'));
    t.true(scopes.find(scope => scope.name === 'span')?.tags.includes('http.method'));
    t.true((await values('resource.service.name', '{}')).includes(service));
    t.true((await values('name', '{}')).includes(name));
    t.deepEqual(await values('status', '{}'), status);

    // Another filter is edited; then the same is typed.
    const half = `{resource.service.name="${service}"}`;
    t.deepEqual(await values('name', half), [name]);
    t.deepEqual(await values('name', `{resource.service.name="${service}" && name=`), [name]);
    t.deepEqual(await values('span.http.method', `{ span.http.method= && resource.service.name="${service}" }`), [
      prefix === '/compat' ? 'GET' : 'POST',
    ]);

    // The query is run.
    const q = `{resource.service.name="${service}" && name="${name}" && duration>10ms && status=error}`;
    const form = new URLSearchParams({end: String(T0 + 60), limit: '20', q, spss: '3', start: String(T0 - 60)});
    const found = await ask(`${base}/api/search?${form}`, {headers: {...headers, accept: 'application/json'}});
    const {traces} = strict(found);
    t.is(traces.length, 1);
    const {traceID, spanSets} = traces[0] ?? {traceID: '', spanSets: []};
    t.is(spanSets[0]?.matched, 1);

    // The trace is opened. What was found in it can be found in it again.
    const protobuf = {headers: {...headers, accept: 'application/protobuf'}};
    const opened = await ask(`${base}/api/v2/traces/${traceID}`, protobuf);
    t.is(opened.status, 200);
    t.is(opened.headers['content-type'], 'application/protobuf');
    const json = (await ask(`${base}/api/v2/traces/${traceID}`, {headers})).json<Trace>();
    t.deepEqual(decodeTraceByIdResponse(opened.bytes), json);
    t.deepEqual(decodeTrace((await ask(`${base}/api/traces/${traceID}`, protobuf)).bytes), json);
    const ids = json.trace.resourceSpans.flatMap(each => each.scopeSpans.flatMap(({spans}) => spans));
    t.true(ids.some(({spanId}) => spanId === spanSets[0]?.spans[0]?.spanID));

    // A trace that there is not is asked for in both versions.
    for (const version of ['/v2', '']) {
      const missing = await ask(`${base}/api${version}/traces/6162`, protobuf);
      t.is(missing.status, 404);
      t.deepEqual(missing.json(), {error: 'there is no trace "6162"'});
    }
  });
}

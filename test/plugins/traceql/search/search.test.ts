import test from 'ava';
import {CART, ORPHANS, SHOP, spanHex, T0, USERS_HEX} from '../scene.js';
import {AROUND, type SearchResult, STORAGES, textOf, withScene} from '../support.js';

const SCENES = STORAGES.map(storage => ({storage, scene: withScene(test, storage)}));

/** A query of compat traces and what it finds: by trace the name of its root and its matching spans. */
const QUERIES: readonly (readonly [query: string, found: string])[] = [
  ['', 'unknown: b3 b2; sub: c1; post /: 2 3 3'],
  ['{}', 'unknown: b3 b2; sub: c1; post /: 2 3 3'],
  ['{resource.service.name="frontend"}', 'post /: 2 3'],
  ['{.service.name="frontend"}', 'post /: 2 3'],
  ['{resource.service="Frontend"}', 'post /: 2 3'],
  ['{resource.service.name="unknown-service"}', ''],
  ['{name="post /"}', 'post /: 2'],
  ['{name="POST /"}', 'post /: 2'],
  ['{span:name="get /api"}', 'post /: 3'],
  ['{name="Tagged"}', ''],
  ['{span.name="Tagged"}', 'sub: c1'],
  ['{span.name="tagged"}', ''],
  ['{span.name="SUB"}', 'sub: c1'],
  ['{.name="sub"}', 'sub: c1'],
  ['{span.http.method="GET"}', 'post /: 3 3'],
  ['{span.http.method="get"}', ''],
  ['{.http.method="POST"}', 'post /: 2'],
  ['{span.http.status_code=500}', 'post /: 3'],
  ['{span.http.status_code="500"}', 'post /: 3'],
  ['{span.http.status_code=500.0}', ''],
  ['{span.empty=""}', 'sub: c1'],
  ['{span.http.method=""}', ''],
  ['{span."foo bar"="baz"}', 'sub: c1'],
  [String.raw`{span."quo\"te"="a\nb"}`, 'sub: c1'],
  ['{span.net.host.port="9000"}', ''],
  ['{status=error}', 'post /: 3'],
  ['{status="STATUS_CODE_ERROR"}', 'post /: 3'],
  ['{status=ok}', 'sub: c1'],
  ['{status=unset}', 'unknown: b3 b2; post /: 2 3'],
  ['{span.error="Ooops!"}', 'sub: c1'],
  ['{kind=server}', 'post /: 2 3'],
  ['{kind="SPAN_KIND_CLIENT"}', 'post /: 3'],
  ['{kind=internal}', 'unknown: b3'],
  ['{kind=unspecified}', 'sub: c1'],
  ['{kind=producer}', ''],

  // The duration is the span's, and bounds intersect.
  ['{duration=50ms}', 'post /: 3'],
  ['{duration=400}', 'sub: c1'],
  ['{duration<1ms}', 'unknown: b3 b2; sub: c1'],
  ['{duration<0.4ms}', 'unknown: b3 b2'],
  ['{duration<=0.4ms}', 'unknown: b3 b2; sub: c1'],
  ['{duration>45ms900us && duration<50ms}', 'post /: 3'],
  ['{duration>46ms && duration<100ms}', 'post /: 3'],
  ['{duration>=46ms && duration<100ms}', 'post /: 3 3'],
  ['{duration>46ms && duration>10ms}', 'post /: 2 3'],
  ['{duration>50ms && duration<50ms}', ''],

  // One span satisfies all conditions.
  ['{resource.service.name="frontend" && span.http.method="GET" && duration>10ms}', 'post /: 3'],
  ['{resource.service.name="backend" && span.http.method="POST"}', ''],
  ['{span.http.method="GET" && span.http.method="POST"}', ''],
  ['{span.http.method="GET" && status=error}', 'post /: 3'],
];

for (const [query, found] of QUERIES) {
  for (const {storage, scene} of SCENES) {
    test(`found by ${query || 'no query'}, in the storage ${storage}`, async t => {
      t.is(await scene.search(query), found);
    });
  }
}

/** Parameters beside a query. */
const PARAMETERS: readonly (readonly [parameters: Readonly<Record<string, string>>, found: string])[] = [
  [{limit: '1'}, 'unknown: b3 b2'],
  [{limit: '2'}, 'unknown: b3 b2; sub: c1'],
  [{limit: '2', q: '{duration>0.1ms}'}, 'sub: c1; post /: 2 3 3'],
  [{limit: '', spss: '1', q: '   '}, 'unknown: b3 b2; sub: c1; post /: 2 3 3'],
  [{spss: 'x', unknown: 'y', q: '{kind=server}'}, 'post /: 2 3'],

  // Of the trace, beside the query.
  [{minDuration: '100ms'}, 'post /: 2 3 3'],
  [{minDuration: '100.001ms'}, ''],
  [{minDuration: '0.1s', maxDuration: '100ms', q: '{duration<50ms}'}, 'post /: 3'],
  [{maxDuration: '1ms'}, 'sub: c1'],
  [{maxDuration: '1001'}, 'unknown: b3 b2; sub: c1'],
  [{minDuration: '1m30s'}, ''],
  [{maxDuration: '1m30.5s', minDuration: '2ms'}, 'post /: 2 3 3'],

  // 0 is no bound.
  [{minDuration: '0s', maxDuration: '0s'}, 'unknown: b3 b2; sub: c1; post /: 2 3 3'],
  [{minDuration: '100ms', maxDuration: '0'}, 'post /: 2 3 3'],
  [{minDuration: '0h0m0.0s', maxDuration: '0.4ms'}, 'sub: c1'],
  [{q: '{duration<=0}'}, 'unknown: b3'],

  // The older form of a query.
  [{tags: 'service.name=frontend'}, 'post /: 2 3'],
  [{tags: 'resource.service.name=Frontend http.method=GET'}, 'post /: 3'],
  [{tags: ' name="get /api"  span.http.status_code=500 '}, 'post /: 3'],
  [{tags: 'span.name=Tagged'}, ''],
  [{tags: '.error="Ooops!"'}, 'sub: c1'],
  [{tags: 'status.code=error'}, 'post /: 3'],
  [{tags: 'status.code=STATUS_CODE_OK'}, 'sub: c1'],
  [{tags: 'service.name=frontend status.code="Unset"'}, 'post /: 2 3'],
  [{tags: 'service.name=frontend http.status_code=500'}, ''],
  [{tags: 'status=error'}, ''],
  [{tags: String.raw`service.name="front\end"`}, 'post /: 2 3'],
  [{tags: 'service.name=backend', q: '{kind=client}'}, 'post /: 3'],
  [{tags: '  '}, 'unknown: b3 b2; sub: c1; post /: 2 3 3'],

  // A trace is found by a span in the window, both seconds included, and comes whole.
  [{start: String(T0), end: String(T0)}, 'post /: 2 3 3'],
  [{start: String(T0 + 1), end: String(T0 + 9)}, ''],
  [{start: String(T0 + 10), end: String(T0 + 10)}, 'sub: c1'],
  [{start: String(T0 - 5), end: String(T0 - 1)}, ''],
  [{start: '', end: String(T0 + 86_400)}, 'unknown: b3 b2; sub: c1; post /: 2 3 3'],
  [{start: '', end: String(T0 + 86_405)}, 'unknown: b3 b2; sub: c1'],
  [{start: '', end: ''}, ''],
  [{start: String(T0 + 15), end: ''}, 'unknown: b3 b2'],
];

for (const [parameters, found] of PARAMETERS) {
  for (const {storage, scene} of SCENES) {
    test(`found with ${JSON.stringify(parameters)}, in the storage ${storage}`, async t => {
      t.is(await scene.search('', parameters), found);
    });
  }
}

for (const {storage, scene} of SCENES) {
  test(`a result has exactly the keys of its form, in the storage ${storage}`, async t => {
    const answer = await scene.get('/compat/api/search', {q: '{name="get"}', ...AROUND});
    t.is(answer.headers['content-type'], 'application/json; charset=utf-8');
    const text = (key: string, value: string): object => ({key, value: {stringValue: value}});
    t.deepEqual(answer.json(), {
      traces: [
        {
          traceID: SHOP,
          rootServiceName: 'frontend',
          rootTraceName: 'post /',
          startTimeUnixNano: `${T0}000000000`,
          durationMs: 100,
          spanSets: [
            {
              spans: [
                {
                  spanID: '0000000000000003',
                  startTimeUnixNano: `${T0}010000000`,
                  durationNanos: '50000000',
                  attributes: [
                    text('http.method', 'GET'),
                    text('service.name', 'frontend'),
                    text('span.kind', 'SPAN_KIND_CLIENT'),
                  ],
                },
              ],
              matched: 1,
            },
          ],
        },
      ],
    });
    t.deepEqual((await scene.get('/compat/api/search', {q: '{name="none"}', ...AROUND})).json(), {traces: []});
  });
}

for (const {storage, scene} of SCENES) {
  test(`a native result carries encoded ids, and the root is the earliest span without a parent in the trace, in the storage ${storage}`, async t => {
    const answer = await scene.get('/native/api/search', {q: '{status=error}', ...AROUND});
    t.deepEqual(answer.json(), {
      traces: [
        {
          traceID: USERS_HEX,
          rootServiceName: 'consumer',
          rootTraceName: 'POST:/users',
          startTimeUnixNano: `${T0}000000000`,
          durationMs: 123,
          spanSets: [
            {
              spans: [
                {
                  spanID: spanHex('seg.bS0'),
                  startTimeUnixNano: `${T0}020000000`,
                  durationNanos: '60000000',
                  attributes: [
                    {key: 'http.method', value: {stringValue: 'POST'}},
                    {key: 'http.status_code', value: {stringValue: '500'}},
                    {key: 'service.name', value: {stringValue: 'provider'}},
                    {key: 'span.kind', value: {stringValue: 'SPAN_KIND_SERVER'}},
                  ],
                },
              ],
              matched: 1,
            },
          ],
        },
      ],
    });
  });
}

for (const {storage, scene} of SCENES) {
  test(`a trace shorter than a millisecond has a duration of 0, in the storage ${storage}`, async t => {
    const {traces} = (await scene.get('/compat/api/search', {q: '{name="sub"}', ...AROUND})).json<SearchResult>();
    t.like(traces[0], {traceID: CART, durationMs: 0, rootServiceName: 'cart'});
  });
}

for (const {storage, scene} of SCENES) {
  test(`where every span has a parent, the earliest stands in for the root; a computed attribute wins over a tag, in the storage ${storage}`, async t => {
    const {traces} = (await scene.get('/compat/api/search', {q: '{kind=internal}', ...AROUND})).json<SearchResult>();
    t.like(traces[0], {traceID: ORPHANS, rootServiceName: 'unknown-service', rootTraceName: 'unknown'});
    t.deepEqual(traces[0]?.spanSets[0]?.spans[0]?.attributes, [
      {key: 'service.name', value: {stringValue: 'unknown-service'}},
      {key: 'span.kind', value: {stringValue: 'SPAN_KIND_INTERNAL'}},
    ]);
  });
}

/** A query of native traces. */
const NATIVE: readonly (readonly [query: string, spans: readonly string[]])[] = [
  ['{}', ['seg.aS0', 'seg.aS1', 'seg.bS0']],
  ['{resource.service.name="provider"}', ['seg.bS0']],
  ['{resource.service.name="Provider"}', []],
  ['{name="POST:/users"}', ['seg.aS0', 'seg.bS0']],
  ['{name="post:/users"}', []],
  ['{status=ok}', ['seg.aS0', 'seg.aS1']],
  ['{status=unset}', []],
  ['{kind=client}', ['seg.aS1']],
  ['{span.http.method="GET"}', []],
  ['{span.http.method="POST" && status=error}', ['seg.bS0']],
  ['{span.peer.address="provider:9090"}', []],
  ['{duration>80ms}', ['seg.aS0']],
  ['{duration>=80000us}', ['seg.aS0', 'seg.aS1']],
  ['{duration<60.5ms}', ['seg.bS0']],
];

for (const [q, spans] of NATIVE) {
  for (const {storage, scene} of SCENES) {
    test(`found natively by ${q}, in the storage ${storage}`, async t => {
      const answer = await scene.get('/native/api/search', {q, ...AROUND});
      t.is(textOf(answer), spans.length === 0 ? '' : `POST:/users: ${spans.map(spanHex).join(' ')}`);
    });
  }
}

import test from 'ava';
import {memoryReaders, memoryStore} from '../../fixtures/memory-adapter.js';
import {call} from '../../storage-adapters/support/calls.js';
import {encode, type Fields, get, ask as send} from '../../support/http.js';
import {openGateway} from '../../support/library.js';
import {readOtlpJson, readOtlpProtobuf} from '../../support/otlp-messages.js';
import {MEMORY_ADAPTER, textOf} from '../traceql/support.js';
import {AROUND, FOUND, NANOS, SPANS, TRACE, VALUES} from './scene.js';

const SPACE = 'traceql-otlp';

async function otlpGateway(t: Parameters<typeof openGateway>[0], without: readonly string[] = [], plugin: object = {}) {
  await memoryReaders(SPACE)['ingest.otlp.v1'].write(SPANS, call);
  const {config} = memoryStore(SPACE, without as never);
  const {urls} = await openGateway(t, {
    listeners: {traces: {host: '127.0.0.1', port: 0}},
    storage: {use: MEMORY_ADAPTER, config},
    plugins: [{use: 'traceql-otlp', enabled: true, ...plugin}],
  });
  return (path: string, fields: Fields = {}, headers = {}) =>
    send(`${urls.traces}${path}?${encode({...AROUND, ...fields})}`, {headers});
}

test('a search of OTLP finds by attributes of the span and of its resource', async t => {
  const ask = await otlpGateway(t);
  for (const [q, expected] of FOUND) {
    const found = textOf(await ask('/otlp/api/search', {q}));
    if (expected.startsWith('400')) t.true(found.startsWith(expected), `${q}: ${found}`);
    else t.is(found, expected, q);
  }
  t.is(textOf(await ask('/otlp/api/search', {tags: 'resource.replicas=3 http.request.method=GET'})), 'GET /: b1');
  t.is(textOf(await ask('/otlp/api/search', {minDuration: '1500us', maxDuration: '1500us'})), 'GET /: b1 b2');
  t.is(textOf(await ask('/otlp/api/search', {minDuration: '1500.001us'})), '');
});

test('a span that is found shows its times to the nanosecond and its tags with their types', async t => {
  const ask = await otlpGateway(t, [], {
    config: {listResultTags: ['http.response.status_code', 'ratio', 'cached', 'list']},
  });
  const answer = await ask('/otlp/api/search', {q: '{resource.service.name="Shop"}'});
  const text = (key: string, value: string) => ({key, value: {stringValue: value}});
  t.deepEqual(answer.json<{traces: unknown}>().traces, [
    {
      traceID: TRACE,
      rootServiceName: 'Shop',
      rootTraceName: 'GET /',
      startTimeUnixNano: String(NANOS + 1n),
      durationMs: 1,
      spanSets: [
        {
          spans: [
            {
              spanID: '00000000000000b1',
              startTimeUnixNano: String(NANOS + 1n),
              durationNanos: '1500000',
              attributes: [
                {key: 'http.response.status_code', value: {intValue: '200'}},
                {key: 'ratio', value: {doubleValue: 0.5}},
                {key: 'cached', value: {boolValue: true}},
                text('service.name', 'Shop'),
                text('span.kind', 'SPAN_KIND_SERVER'),
              ],
            },
            {
              spanID: '00000000000000b2',
              startTimeUnixNano: String(NANOS + 900_000n),
              durationNanos: '1001',
              attributes: [
                text('http.response.status_code', '200'),
                text('cached', 'true'),
                text('list', '["a",1]'),
                text('service.name', 'Shop'),
                text('span.kind', 'SPAN_KIND_CLIENT'),
              ],
            },
          ],
          matched: 2,
        },
      ],
    },
  ]);
});

test('tags are those of resources and spans, each in its scope', async t => {
  const ask = await otlpGateway(t);
  const resources = ['service.name', 'service', 'faas.name', 'region', 'replicas', 'service.version'];
  const spans = ['cached', 'db.rows', 'http.request.method', 'http.response.status_code', 'list', 'ratio', 'share'];
  const intrinsic = ['duration', 'kind', 'name', 'status'];
  const scopes = async (fields: Fields) =>
    (await ask('/otlp/api/v2/search/tags', fields)).json<{scopes: unknown}>().scopes;
  t.deepEqual(await scopes({}), [
    {name: 'resource', tags: resources},
    {name: 'span', tags: spans},
    {name: 'intrinsic', tags: intrinsic},
  ]);
  t.deepEqual(await scopes({q: '{resource.region="eu"}', scope: 'resource'}), [
    {name: 'resource', tags: ['service.name', 'service', 'faas.name', 'region']},
  ]);
  const names = async (fields: Fields) =>
    (await ask('/otlp/api/search/tags', fields)).json<{tagNames: unknown}>().tagNames;
  t.deepEqual(await names({}), [...new Set(['service.name', ...resources.slice(2), ...spans])]);
  t.deepEqual(await names({scope: 'span', limit: '2'}), spans.slice(0, 2));
});

test('values of tags have the types that they were sent with', async t => {
  const ask = await otlpGateway(t);
  for (const [tag, v2, v1 = v2.map(value => value.slice(value.indexOf(' ') + 1))] of VALUES) {
    const path = encodeURIComponent(tag);
    const typed = (await ask(`/otlp/api/v2/search/tag/${path}/values`)).json<{
      tagValues: readonly {type: string; value: string}[];
    }>();
    t.deepEqual(
      typed.tagValues.map(({type, value}) => `${type} ${value}`),
      v2,
      tag,
    );
    t.deepEqual((await ask(`/otlp/api/search/tag/${path}/values`)).json(), {tagValues: v1}, tag);
  }
  const one = await ask('/otlp/api/search/tag/span.cached/values', {limit: '1'});
  t.deepEqual(one.json(), {tagValues: ['true']});
  const narrowed = await ask('/otlp/api/v2/search/tag/name/values', {q: '{resource.replicas=3 && status=error}'});
  t.deepEqual(narrowed.json(), {tagValues: [{type: 'string', value: 'query'}]});
  const typing = await ask('/otlp/api/v2/search/tag/resource.replicas/values', {q: '{resource.replicas=""}'});
  t.deepEqual(typing.json(), {tagValues: [{type: 'int', value: '3'}]});
});

test('a trace by its id is what was sent, in JSON and protobuf, by both versions', async t => {
  const ask = await otlpGateway(t);
  const group = {scopes: 1, spans: SPANS.slice(0, 2)};
  for (const id of [TRACE, 'A1', TRACE.toUpperCase()]) {
    for (const version of ['v1', 'v2'] as const) {
      const path = `/otlp/api/${version === 'v1' ? '' : 'v2/'}traces/${id}`;
      const json = await ask(path);
      t.is(json.headers['content-type'], 'application/json; charset=utf-8');
      t.deepEqual(readOtlpJson(json.text), [group]);
      const protobuf = await ask(path, {}, {accept: 'application/protobuf'});
      t.is(protobuf.headers['content-type'], 'application/protobuf');
      t.deepEqual(readOtlpProtobuf(protobuf.bytes, version), [group]);
    }
  }
  const [shown] = (await ask(`/otlp/api/traces/${TRACE}`)).json<{trace: {resourceSpans: readonly object[]}}>().trace
    .resourceSpans;
  t.like(shown, {schemaUrl: 'https://schemas/1'});
  const unknown = await ask('/otlp/api/traces/a2');
  t.regex(unknown.text, /"kind":9,/);
  t.is((await ask('/otlp/api/traces/a3')).status, 404);
  for (const id of ['0', 'xyz', `1${TRACE}`]) t.is((await ask(`/otlp/api/traces/${id}`)).status, 400, id);
});

test('a storage without traces of OTLP leaves the plugin off, and it says so', async t => {
  const ask = await otlpGateway(t, ['traces.otlp.v1']);
  const answer = await ask('/otlp/api/search');
  t.is(answer.status, 501);
  t.deepEqual(answer.json(), {
    error: 'the plugin traceql-otlp needs traces.otlp.v1, which the storage adapter memory does not supply',
  });
});

test('the plugin is off unless it is switched on, and has variables of its own', async t => {
  await memoryReaders(SPACE)['ingest.otlp.v1'].write(SPANS, call);
  const {config} = memoryStore(SPACE);
  const bare = {storage: {use: MEMORY_ADAPTER, config}, plugins: [{use: 'traceql-otlp'}]};
  const anyPort = {SVC_TRACEQL_REST_HOST: '127.0.0.1', SVC_TRACEQL_REST_PORT: '0'};
  const off = await openGateway(t, bare, anyPort);
  t.is(off.urls.traces, undefined);
  const {urls} = await openGateway(t, bare, {
    ...anyPort,
    SVC_TRACEQL_ENABLE_DATASOURCE_OTLP: 'true',
    SVC_TRACEQL_REST_CONTEXT_PATH_OTLP: '/o/t',
    SVC_TRACEQL_OTLP_TRACES_LIST_RESULT_TAGS: 'db.rows,cached',
  });
  const found = await get(`${urls.traces}/o/t/api/search`, {q: '{name="query"}', ...AROUND});
  t.regex(found.text, /"key":"db.rows","value":{"stringValue":"200"}/);
  const byDefault = await otlpGateway(t);
  const shown = await byDefault('/otlp/api/search', {q: '{name="GET /"}'});
  t.regex(
    shown.text,
    /"http.request.method","value":{"stringValue":"GET"}.*"http.response.status_code","value":{"intValue":"200"}/,
  );
});

import test from 'ava';
import {T0} from '../scene.js';
import {AROUND, STORAGES, withScene} from '../support.js';

const SCENES = STORAGES.map(storage => ({storage, scene: withScene(test, storage)}));

const SPAN_TAGS = [
  'empty',
  'error',
  'foo bar',
  'http.method',
  'http.path',
  'http.status_code',
  'mq.topic',
  'name',
  'otel.status_code',
  'quo"te',
  'span.kind',
];
const RESOURCE = ['service.name', 'service'];
const INTRINSIC = ['duration', 'kind', 'name', 'status'];

type Parameters = Readonly<Record<string, string>>;

/** Parameters of the tag names of version 1, and the names. */
const NAMES: readonly (readonly [parameters: Parameters, names: readonly string[]])[] = [
  [{}, ['service.name', ...SPAN_TAGS]],
  [{scope: 'all'}, ['service.name', ...SPAN_TAGS]],
  [{scope: 'none'}, ['service.name', ...SPAN_TAGS]],
  [{scope: 'span'}, SPAN_TAGS],
  [{scope: 'SPAN', limit: '2'}, ['empty', 'error']],
  [{scope: 'resource'}, RESOURCE],
  [{scope: 'intrinsic'}, INTRINSIC],
  [{scope: 'event'}, []],
  [{scope: 'link'}, []],
  [{scope: 'instrumentation'}, []],
  [{limit: '3'}, ['service.name', 'empty', 'error']],
  [{start: String(T0), end: String(T0)}, ['service.name', 'error', 'http.method', 'http.path', 'http.status_code']],
];

for (const [parameters, names] of NAMES) {
  for (const {storage, scene} of SCENES) {
    test(`tag names with ${JSON.stringify(parameters)}, in the storage ${storage}`, async t => {
      const answer = await scene.get('/compat/api/search/tags', {...AROUND, ...parameters});
      t.deepEqual(answer.json(), {tagNames: names});
    });
  }
}

/** Parameters of the tag names of version 2, and the names by scope. */
const SCOPES: readonly (readonly [parameters: Parameters, scopes: Readonly<Record<string, readonly string[]>>])[] = [
  [{}, {resource: RESOURCE, span: SPAN_TAGS, intrinsic: INTRINSIC}],
  [{limit: '1'}, {resource: ['service.name'], span: ['empty'], intrinsic: ['duration']}],
  [{scope: 'resource'}, {resource: RESOURCE}],
  [{scope: 'Span', limit: '5000'}, {span: SPAN_TAGS}],
  [{scope: 'intrinsic'}, {intrinsic: INTRINSIC}],
  [{scope: 'link'}, {}],
  [{scope: 'span', q: '{kind=consumer}'}, {span: ['mq.topic']}],
  [{scope: 'span', q: '{kind=consumer && name='}, {span: ['mq.topic']}],
  [{scope: 'span', q: '{kind=producer}'}, {}],
];

for (const [parameters, scopes] of SCOPES) {
  for (const {storage, scene} of SCENES) {
    test(`tag names by scope with ${JSON.stringify(parameters)}, in the storage ${storage}`, async t => {
      const answer = await scene.get('/compat/api/v2/search/tags', {...AROUND, ...parameters});
      t.deepEqual(answer.json(), {scopes: Object.entries(scopes).map(([name, tags]) => ({name, tags}))});
    });
  }
}

/** A tag as a path has it, and its values, of compat and of native traces. */
const VALUES: readonly (readonly [tag: string, compat: readonly string[], native: readonly string[]])[] = [
  ['resource.service.name', ['frontend', 'backend', 'cart', 'worker'], ['consumer', 'provider']],
  ['resource.service', ['frontend', 'backend', 'cart', 'worker'], ['consumer', 'provider']],
  ['service.name', ['frontend', 'backend', 'cart', 'worker'], ['consumer', 'provider']],
  ['.service.name', ['frontend', 'backend', 'cart', 'worker'], ['consumer', 'provider']],
  ['name', ['post /', 'get', 'get /api', 'sub', 'later'], ['POST:/users', '/users']],
  ['span:name', ['post /', 'get', 'get /api', 'sub', 'later'], ['POST:/users', '/users']],
  ['status', ['error'], ['ok', 'error']],
  ['span:status', ['error'], ['ok', 'error']],
  ['kind', ['server', 'client', 'unspecified', 'internal', 'consumer'], ['server', 'client']],
  ['duration', [], []],
  ['span.http.method', ['POST', 'GET'], ['POST']],
  ['.http.method', ['POST', 'GET'], ['POST']],
  ['http.method', ['POST', 'GET'], ['POST']],
  ['span.name', ['Tagged'], []],
  ['span.mq.topic', ['orders/old', 'orders/new'], []],
  ['span.empty', [''], []],
  ['span.foo%20bar', ['baz'], []],
  ['span.%22foo%20bar%22', ['baz'], []],
  ['span.quo%22te', ['a\nb'], []],
  ['span.undefined', [], []],
  ['resource.undefined', [], []],
  ['resource.instance', [], []],
  ['event.name', [], []],
  ['trace:id', [], []],
  ['rootName', [], []],
  ['span.', [], []],
  ['a/b', [], []],
  ['a%2Fb', [], []],
];

for (const [tag, compat, native] of VALUES) {
  for (const {storage, scene} of SCENES) {
    test(`values of ${tag}, in the storage ${storage}`, async t => {
      for (const [prefix, values] of [
        ['/compat', compat],
        ['/native', native],
      ] as const) {
        const first = await scene.get(`${prefix}/api/search/tag/${tag}/values`, AROUND);
        t.deepEqual(first.json(), {tagValues: values});
        const second = await scene.get(`${prefix}/api/v2/search/tag/${tag}/values`, {...AROUND, q: '{}', tag});
        t.deepEqual(second.json(), {tagValues: values.map(value => ({type: 'string', value}))});
      }
    });
  }
}

/** What narrows the values of `span.http.method`. */
const NARROWED: readonly (readonly [parameters: Parameters, values: readonly string[]])[] = [
  [{limit: '1'}, ['POST']],
  [{q: '{resource.service.name="backend"}'}, ['GET']],
  [{q: '{resource.service.name="backend" && span.http.method=}'}, ['GET']],
  [{q: '{ span.http.method = '}, ['POST', 'GET']],
  [{q: 'not a query'}, ['POST', 'GET']],
  [{q: '{kind=server && (name="a" || name="b")}'}, ['POST', 'GET']],
  [{q: '{duration<50ms}'}, ['GET']],
  [{start: String(T0 + 1)}, []],
  [{maxStaleValues: 'x'}, ['POST', 'GET']],
];

for (const [parameters, values] of NARROWED) {
  for (const {storage, scene} of SCENES) {
    test(`values with ${JSON.stringify(parameters)}, in the storage ${storage}`, async t => {
      const answer = await scene.get('/compat/api/v2/search/tag/span.http.method/values', {...AROUND, ...parameters});
      t.deepEqual(answer.json(), {tagValues: values.map(value => ({type: 'string', value}))});
    });
  }
}

/** A tag, and a text in which the caret stands between the quotes behind it. What it names has all of its values. */
const TYPED: readonly (readonly [tag: string, q: string, values: readonly string[]])[] = [
  ...['resource.service.name', 'resource.service', '.service.name', 'service.name'].map(
    tag => [tag, '{resource.service.name=""}', ['frontend', 'backend', 'cart', 'worker']] as const,
  ),
  ['resource.service.name', '{.service.name=""}', ['frontend', 'backend', 'cart', 'worker']],
  ['resource.service.name', '{resource.service=`` && kind=client}', ['frontend']],
  ['resource.service.name', '{resource.service.name!=""}', ['frontend', 'backend', 'cart', 'worker']],
  ['resource.service.name', '{resource.service.name=~""}', ['frontend', 'backend', 'cart', 'worker']],
  ['name', '{span:name="" && resource.service.name="backend"}', ['get /api']],
  ['name', '{span.name=""}', ['post /', 'get', 'get /api', 'sub', 'later']],
  ['span.name', '{.name=""}', ['Tagged']],
  ['kind', '{kind=""}', ['server', 'client', 'unspecified', 'internal', 'consumer']],
  ['status', '{status=""}', ['error']],
  ['span.http.method', '{.http.method="" && kind=client}', ['GET']],
  ['http.method', "{span.http.method=''}", ['POST', 'GET']],
  ['span.foo%20bar', '{span."foo bar"=""}', ['baz']],
  // Of another attribute it says something.
  ['span.http.method', '{resource.service.name=""}', []],
  ['resource.service.name', '{span.empty=""}', ['cart']],
];

for (const [tag, q, values] of TYPED) {
  for (const {storage, scene} of SCENES) {
    test(`values of ${tag} while ${q} is typed, in the storage ${storage}`, async t => {
      const answer = await scene.get(`/compat/api/v2/search/tag/${tag}/values`, {...AROUND, q});
      t.deepEqual(answer.json(), {tagValues: values.map(value => ({type: 'string', value}))});
    });
  }
}

for (const {storage, scene} of SCENES) {
  test(`a tag with slashes in its name stands between its parts of the path, in the storage ${storage}`, async t => {
    for (const path of ['/compat/api/search/tag/a/values', '/compat/api/search/tag/a/b/values/values']) {
      t.deepEqual((await scene.get(path, AROUND)).json(), {tagValues: []});
    }
    t.is((await scene.get('/compat/api/search/tag/a/b', AROUND)).status, 404);
    t.is((await scene.get('/compat/api/search/tag//values', AROUND)).status, 404);
    t.is((await scene.get('/compat/api/search/tag/values', AROUND)).status, 404);
  });
}

import test from 'ava';
import {FIXTURE_PLUGIN} from '../../support/gateway.js';
import {ask, get, post} from '../../support/http.js';
import {fixtureConfig, openGateway} from '../../support/library.js';

interface Echo {
  readonly method: string;
  readonly path: Readonly<Record<string, string>>;
  readonly queryString: string;
  readonly first: string | null;
  readonly all: readonly string[];
}

const FORM = {'content-type': 'application/x-www-form-urlencoded; charset=UTF-8'};

test('parameters come from the query string first and from the form body then, on every method', async t => {
  const {urls} = await openGateway(t);
  for (const method of ['GET', 'POST']) {
    const answer = await ask(`${urls.fixture}/echo?x=1&x=2`, {method, headers: FORM, body: 'x=a b&x=c%2Bd+e&y=1'});
    t.is(answer.status, 200);
    t.is(answer.headers['content-type'], 'application/json; charset=utf-8');
    t.deepEqual(answer.json<Echo>(), {
      method,
      path: {},
      queryString: 'x=1&x=2',
      first: '1',
      all: ['1', '2', 'a b', 'c+d e'],
    });
  }
});

const PARAMETERS: readonly (readonly [
  title: string,
  query: string,
  form: string,
  first: string | null,
  all: readonly string[],
])[] = [
  ['an empty value is absent', 'x=', '', null, []],
  ['a name without a value is absent', 'x', '', null, []],
  ['empty values are left out of a list', 'x=1&x=&x=2', '', '1', ['1', '2']],
  ['the form alone', '', 'x=1', '1', ['1']],
  ['the query string hides the form for a single value', 'x=1', 'x=2', '1', ['1', '2']],
  ['an empty value hides no other', 'x=&x=1', 'x=2', '1', ['1', '2']],
  ['an empty value in the query string hides no form', 'x=', 'x=2', '2', ['2']],
  ['escapes of several bytes', 'x=%C3%A4%F0%9F%98%80', '', 'ä😀', ['ä😀']],
  ['raw text of several bytes in a form', '', 'x=ä', 'ä', ['ä']],
  ['names of Object.prototype are ordinary', 'constructor=1&__proto__=2', '', null, []],
];

for (const [title, query, form, first, all] of PARAMETERS) {
  test(`parameters: ${title}`, async t => {
    const {urls} = await openGateway(t);
    const answer = await ask(`${urls.fixture}/echo?${query}`, {headers: FORM, ...(form !== '' && {body: form})});
    const echo = answer.json<Echo>();
    t.deepEqual([echo.first, echo.all], [first, all]);
  });
}

test('a body of another type is no form', async t => {
  const {urls} = await openGateway(t);
  const answer = await ask(`${urls.fixture}/echo`, {
    method: 'POST',
    headers: {'content-type': 'text/plain'},
    body: 'x=1',
  });
  t.is(answer.json<Echo>().first, null);
});

test('path parameters are decoded, whatever they hold', async t => {
  const {urls} = await openGateway(t);
  const name = 'a/b %ä'.repeat(40);
  const answer = await get(`${urls.fixture}/item/${encodeURIComponent(name)}/value`);
  t.deepEqual(answer.json<Echo>().path, {name});
});

test('HEAD is answered as GET without a body', async t => {
  const {urls} = await openGateway(t);
  const answer = await ask(`${urls.fixture}/hello`, {method: 'HEAD'});
  t.is(answer.status, 200);
  t.is(answer.headers['content-length'], '5');
  t.is(answer.text, '');
});

test('a known path on another method is 405 with Allow, in the form of the plugin', async t => {
  const {urls} = await openGateway(t);
  for (const [method, path, allow] of [
    ['POST', '/hello', 'GET, HEAD'],
    ['PATCH', '/echo', 'GET, HEAD, POST'],
    ['OPTIONS', '/item/a/value', 'GET, HEAD, PUT, DELETE'],
    ['GET', '/bytes', 'POST, PUT'],
    ['PROPFIND', '/bytes', 'POST, PUT'],
  ] as const) {
    const answer = await ask(`${urls.fixture}${path}`, {method});
    t.is(answer.status, 405, `${method} ${path}`);
    t.is(answer.headers.allow, allow);
    t.is(answer.json().fixture, 'bad_request');
  }
});

const REFUSED: readonly (readonly [path: string, status: number, code: string])[] = [
  ['/nothing', 404, 'not_found'],
  ['/item/a', 404, 'not_found'],
  ['/item/a/b/value', 404, 'not_found'],
  ['/item/%zz/value', 400, 'bad_request'],
  ['/item/%ff/value', 400, 'bad_request'],
  ['/echo?x=%', 400, 'bad_request'],
  ['/echo?x=%e4', 400, 'bad_request'],
  ['/echo?%zz=1', 400, 'bad_request'],
  ['/throw?code=overloaded', 503, 'overloaded'],
  ['/throw?code=storage_failed', 502, 'storage_failed'],
  ['/endpoints', 502, 'storage_failed'],
];

for (const [path, status, code] of REFUSED) {
  test(`${path} is ${status} ${code} in the form of the plugin`, async t => {
    const {urls} = await openGateway(t);
    const answer = await get(`${urls.fixture}${path}`);
    t.is(answer.status, status);
    t.is(answer.json().fixture, code);
    t.is(answer.headers['retry-after'], code === 'overloaded' ? '1' : undefined);
  });
}

test('what a handler throws by accident stays in the log', async t => {
  const {urls, logged} = await openGateway(t);
  const answer = await get(`${urls.fixture}/throw`, {message: 'the password is hunter2'});
  t.is(answer.status, 500);
  t.false(answer.text.includes('hunter2'));
  const {component, level, fields} = await logged('the request failed');
  t.like({component, level}, {component: 'fixture-plugin', level: 'error'});
  t.like(fields, {method: 'GET', path: '/throw', code: 'internal', status: 500});
  t.regex(String((fields.err as Error).message), /hunter2/);
});

test('an answer that cannot be sent ends its connection, and the next request is served', async t => {
  const {urls} = await openGateway(t);
  await t.throwsAsync(get(`${urls.fixture}/bad-header`));
  t.is((await get(`${urls.fixture}/hello`)).text, 'hello');
});

test('plugins share a listener under their prefixes, and the longest prefix owns a path', async t => {
  const use = FIXTURE_PLUGIN;
  const plugins = [
    {use, prefix: '/a/', config: {greeting: 'from a'}},
    {use, prefix: '/a/b', config: {greeting: 'from b'}},
    {use, prefix: '/off', enabled: false},
  ];
  const {urls} = await openGateway(t, fixtureConfig({plugins}));
  t.is((await get(`${urls.fixture}/a/hello`)).text, 'from a');
  t.is((await get(`${urls.fixture}/a/b/hello`)).text, 'from b');
  t.is((await get(`${urls.fixture}/a/b/none`)).json().message, 'no such path: /a/b/none');
  t.is((await post(`${urls.fixture}/a/b/hello`)).status, 405);

  for (const path of ['/', '/ab', '/hello', '/a%zz']) {
    const answer = await get(`${urls.fixture}${path}`);
    t.is(answer.status, path.includes('%') ? 400 : 404, path);
    t.deepEqual(Object.keys(answer.json()), ['error'], path);
  }
  const off = await get(`${urls.fixture}/off/hello`);
  t.is(off.status, 404);
  t.is(off.json().fixture, 'not_found');
});

for (const [target, expected] of [
  ['//echo?x=1//', 'x=1//'],
  ['/echo/?x=1', 'x=1'],
  ['///echo//', ''],
] as const) {
  test(`${target} is served as the path that is meant, by any method`, async t => {
    const {urls} = await openGateway(t);
    for (const method of ['GET', 'POST']) {
      const answer = await ask(`${urls.fixture}${target}`, {method});
      t.is(answer.status, 200);
      t.is(answer.json<Echo>().queryString, expected);
    }
  });
}

test('slashes too many hide neither a wrong method nor a prefix', async t => {
  const {urls} = await openGateway(t, fixtureConfig({plugins: [{use: FIXTURE_PLUGIN, prefix: '/a'}]}));
  t.is((await get(`${urls.fixture}//a//hello/`)).text, 'hello');
  const refused = await ask(`${urls.fixture}//a/hello/`, {method: 'POST'});
  t.is(refused.status, 405);
  t.is(refused.headers.allow, 'GET, HEAD');
  t.is((await get(`${urls.fixture}//a//none`)).json().fixture, 'not_found');
  t.deepEqual((await get(`${urls.fixture}/a/item//x//value/`)).json<Echo>().path, {name: 'x'});
});

test('what a route has kept for a target is the answer to it, unless a form says more', async t => {
  const {urls} = await openGateway(t, fixtureConfig({plugins: [{use: FIXTURE_PLUGIN, prefix: '/a'}]}));
  const url = `${urls.fixture}/a/kept`;
  for (const method of ['GET', 'POST']) {
    t.is((await ask(`${url}?kept`, {method})).text, 'kept for /a/kept?kept');
    t.is((await ask(`${url}?kept`, {method, body: 'no form'})).text, 'kept for /a/kept?kept');
    t.is((await ask(`${url}?kept`, {method, headers: FORM, body: 'x=1'})).text, 'asked');
    t.is((await ask(`${url}?other`, {method})).text, 'asked');
  }
  const head = await ask(`${url}?kept`, {method: 'HEAD'});
  t.is(head.headers['content-length'], String('kept for /a/kept?kept'.length));
  t.is(head.text, '');
  t.is((await get(`${url}?broken`)).status, 500);
});

import test from 'ava';
import {ask} from '../../../support/http.js';
import {CART, T0, USERS_HEX} from '../scene.js';
import {AROUND, textOf, withScene} from '../support.js';

const scene = withScene(test);

type Parameters = Readonly<Record<string, string>>;

const PATHS = [
  '/api/search',
  '/api/search/tags',
  '/api/v2/search/tags',
  '/api/search/tag/span.a/values',
  '/api/v2/search/tag/span.a/values',
] as const;

/** What is refused on every path that takes it. */
const EVERYWHERE: readonly (readonly [parameters: Parameters, error: string])[] = [
  ...['x', '-1', '1.5', '1e3', '0x10', ' 1', '1700000040000', '999999999999'].map(
    text =>
      [
        {start: text},
        `the parameter "start": found "${text}", expected a time in whole Unix seconds such as 1700000040`,
      ] as const,
  ),
  [{end: 'now'}, 'the parameter "end": found "now", expected a time in whole Unix seconds such as 1700000040'],
  [{start: '200', end: '100'}, 'the parameter "start": found "200", which lies after "end" "100"'],
  ...['0', '-1', '1.5', 'x', '1e3'].map(
    text => [{limit: text}, `the parameter "limit": found "${text}", expected a whole number from 1`] as const,
  ),
];

for (const path of PATHS) {
  for (const [parameters, error] of EVERYWHERE) {
    test(`refused on ${path}: ${JSON.stringify(parameters)}`, async t => {
      const answer = await scene.get(`/compat${path}`, parameters);
      t.is(answer.status, 400);
      t.is(answer.headers['content-type'], 'application/json; charset=utf-8');
      t.deepEqual(answer.json(), {error});
    });
  }
}

const DURATION = 'expected a duration such as 100ms or 1.5s, in us, ms, s, m or h';

/** What is refused on one path. */
const REFUSED: readonly (readonly [path: string, parameters: Parameters, error: string])[] = [
  ...['x', '-1s', '1 s', '1e3ms', '1d', '1ns', '"1s"', '1..5s', '1s ', 's'].map(
    text =>
      [
        '/api/search',
        {minDuration: text},
        `the parameter "minDuration": found ${JSON.stringify(text)}, ${DURATION}`,
      ] as const,
  ),
  ['/api/search', {maxDuration: '1y'}, `the parameter "maxDuration": found "1y", ${DURATION}`],
  [
    '/api/search',
    {maxDuration: '1'.repeat(100)},
    `the parameter "maxDuration": found "${'1'.repeat(64)}…", ${DURATION}`,
  ],
  [
    '/api/search',
    {minDuration: '2s', maxDuration: '1000ms'},
    'the parameter "minDuration": found "2s", which is above "maxDuration" "1000ms"',
  ],
  ...['a', '=x', 'a=', 'a="b', 'a="b"c', 'a=b c', 'a=""'].map(
    text =>
      [
        '/api/search',
        {tags: text},
        `the parameter "tags": found ${JSON.stringify(text === 'a=b c' ? 'c' : text)}, expected key=value pairs, as in service.name=shop http.method="GET"`,
      ] as const,
  ),
  [
    '/api/search',
    {tags: 'status.code=failed'},
    'the parameter "tags": found "failed", expected as a status one of ok, error, unset',
  ],
  ...['root.name', 'root.service.name'].map(
    key =>
      [
        '/api/search',
        {tags: `service.name=shop ${key}=svc-03`},
        `the parameter "tags": found "${key}", which is not in this subset: conditions are on one span, and not on the root of its trace`,
      ] as const,
  ),
  ['/api/search', {q: '{', tags: 'a=b'}, 'found the end, expected "}" or an attribute (line 1, column 2)'],
  [
    '/api/search/tags',
    {scope: 'bogus'},
    'the parameter "scope": found "bogus", expected one of all, resource, span, intrinsic, event, link, instrumentation',
  ],
  [
    '/api/v2/search/tags',
    {scope: 'bogus'},
    'the parameter "scope": found "bogus", expected one of all, resource, span, intrinsic, event, link, instrumentation',
  ],
  [
    '/api/v2/search/tags',
    {q: `{name="${'a'.repeat(17_000)}`},
    'the query is longer than limits.queryLength, 16384 bytes',
  ],
  [
    '/api/v2/search/tag/name/values',
    {q: `{${'('.repeat(200)}`},
    'the query nests deeper than limits.nesting, 200 levels (line 1, column 201)',
  ],
  [
    `/api/traces/${CART}`,
    {start: 'x'},
    'the parameter "start": found "x", expected a time in whole Unix seconds such as 1700000040',
  ],
  [`/api/v2/traces/${CART}`, {start: '2', end: '1'}, 'the parameter "start": found "2", which lies after "end" "1"'],
];

for (const [path, parameters, error] of REFUSED) {
  test(`refused on ${path}: ${JSON.stringify(parameters).slice(0, 60)}`, async t => {
    const answer = await scene.get(`/compat${path}`, parameters);
    t.is(answer.status, 400);
    t.deepEqual(answer.json(), {error});
  });
}

test('a start in the future is refused when the end is now', async t => {
  const start = String(Math.floor(Date.now() / 1000) + 3600);
  const answer = await scene.get('/compat/api/search', {start});
  t.is(answer.status, 400);
  const {error} = answer.json<{error: string}>();
  t.regex(error, /^the parameter "start": found "\d+", which lies after "end", now \d+$/);
});

test('of a repeated parameter the first counts, and an empty one is absent', async t => {
  const search = async (query: string): Promise<string> => textOf(await scene.get(`/compat/api/search?${query}`));
  const window = `start=${T0}&end=${T0 + 30}`;
  t.is(await search(`${window}&q={name="sub"}&q={name="later"}&limit=5&limit=x`), 'sub: c1');
  t.is(await search(`${window}&q=&limit=&tags=&minDuration=&spss=`), 'unknown: b3 b2; sub: c1; post /: 2 3 3');
});

const FORM = {'content-type': 'application/x-www-form-urlencoded'};

/** Requests as scripts make them: with a form body on GET, and with what they leave as it is. */
const RAW: readonly (readonly [query: string, body: string | undefined])[] = [
  ['', `q={resource.service.name="frontend" && span.http.method="GET"}&start=${T0}&end=${T0}`],
  [`?q={resource.service.name=%22frontend%22%20&&%20span.http.method=%22GET%22}&start=${T0}&end=${T0}`, undefined],
  [`?start=${T0}&q={resource.service.name="frontend"&&span.http.method="GET"}&end=${T0}`, undefined],
  [`?start=${T0}`, `start=1&end=${T0}&q=%7B.service.name%3D%22frontend%22+%26%26+.http.method%3D%22GET%22%7D`],
  [`?end=${T0}&start=${T0}&q=%7Bduration%3E%3D50000%C2%B5s+%26%26+kind%3Dclient%7D`, undefined],
];

for (const [query, body] of RAW) {
  test(`read: ${query} ${body ?? ''}`, async t => {
    const options = body === undefined ? {} : {headers: FORM, body};
    t.is(textOf(await ask(scene.url(`/compat/api/search${query}`), options)), 'post /: 3');
  });
}

test('several spansets that a script leaves as they are do not become one', async t => {
  const body = `q={name="get"} && {name="sub"}&start=${T0}&end=${T0}`;
  const {status, text} = await ask(scene.url('/compat/api/search'), {headers: FORM, body});
  t.is(status, 400);
  t.regex(text, /\\"&&\\" between spansets is not in this subset/);
});

/** Paths, methods and what they answer, under both prefixes. */
const PLAIN: readonly (readonly [path: string, type: string, body: string])[] = [
  ['/api/echo', 'text/plain; charset=utf-8', 'echo\n'],
  ['/ready', 'text/plain; charset=utf-8', 'ready\n'],
  [
    '/api/status/buildinfo',
    'application/json; charset=utf-8',
    '{"version":"v2.9.0","revision":"","branch":"","buildUser":"","buildDate":"","goVersion":""}',
  ],
];

for (const prefix of ['/compat', '/native']) {
  for (const [path, type, body] of PLAIN) {
    test(`${prefix}${path} answers`, async t => {
      const answer = await scene.get(prefix + path, {unknown: 'x'});
      t.like(answer, {status: 200, text: body});
      t.is(answer.headers['content-type'], type);
    });
  }

  for (const path of ['query_range', 'query', 'summary', 'a/b']) {
    test(`${prefix}/api/metrics/${path} is not supported`, async t => {
      const answer = await scene.get(`${prefix}/api/metrics/${path}`, {q: '{} | rate()'});
      t.is(answer.status, 501);
      const refusal = {error: `metrics are not computed from traces here: "/api/metrics/${path}"`};
      t.deepEqual(answer.json(), refusal);
      for (const method of ['POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']) {
        const other = await ask(scene.url(`${prefix}/api/metrics/${path}`), {method});
        t.is(other.status, 501);
        t.deepEqual(JSON.parse(other.text), refusal);
      }
    });
  }

  test(`an unknown path, and another method, are refused under ${prefix}`, async t => {
    for (const path of ['/', '/api/nothing', '/api/nothing/', '/api/traces']) {
      const answer = await scene.get(prefix + path);
      t.is(answer.status, 404);
      t.deepEqual(answer.json(), {error: `no such path: ${prefix}${path}`});
    }
    for (const path of ['/api/search', '/api/v2/search/tag/span.a/b/values', '/api/traces/1', '/ready']) {
      const answer = await ask(scene.url(prefix + path), {method: 'POST'});
      t.is(answer.status, 405);
      t.is(answer.headers.allow, 'GET, HEAD');
      t.deepEqual(answer.json(), {error: `POST is not allowed on ${prefix}${path}; expected GET, HEAD`});
    }
  });
}

test('HEAD has the headers of GET, and Accept names the form in any case', async t => {
  for (const [path, accept] of [
    ['/compat/api/search', 'application/json'],
    [`/native/api/traces/${USERS_HEX}`, 'Application/Protobuf'],
  ] as const) {
    const url = `${scene.url(path)}?${new URLSearchParams(AROUND)}`;
    const [got, head] = [await ask(url, {headers: {accept}}), await ask(url, {method: 'HEAD', headers: {accept}})];
    t.is(head.status, 200);
    t.is(head.text, '');
    t.true(String(got.headers['content-type']).startsWith(accept.toLowerCase()));
    t.is(head.headers['content-type'], got.headers['content-type']);
    t.is(head.headers['content-length'], got.headers['content-length']);
  }
});

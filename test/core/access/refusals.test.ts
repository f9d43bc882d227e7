import {createHash} from 'node:crypto';
import test from 'ava';
import {hashSync} from 'bcryptjs';
import {FIXTURE_PLUGIN} from '../../support/gateway.js';
import {askSecurely} from '../../support/https.js';
import {fixtureConfig, openGateway} from '../../support/library.js';

const RIGHTS = ['read', 'write', 'admin', 'agent'];
const digest = (token: string): string => createHash('sha256').update(token).digest('hex');
/** Of each right a token with its name. */
const ACCESS = {
  tokens: RIGHTS.map(right => ({name: `the one who may ${right}`, sha256: digest(right), rights: [right]})),
  users: [{name: 'ops', password: hashSync('secret', 4), rights: ['read', 'admin']}],
};
const PORTS = Object.fromEntries(
  ['fixture', 'metrics', 'traces', 'ingest', 'diagnostics', 'admin'].map(name => [name, {host: '127.0.0.1', port: 0}]),
);
const CONFIG = fixtureConfig({
  access: ACCESS,
  listeners: PORTS,
  plugins: [
    {use: FIXTURE_PLUGIN, prefix: '/fixture'},
    {use: 'promql-subset'},
    {use: 'traceql-compat', enabled: true},
    {use: 'traceql-native', enabled: false},
    {use: 'ingest'},
    {use: 'diagnostics-proxy', config: {grpcListenAddr: '127.0.0.1:0'}},
  ],
});

const bearer = (token: string) => ({authorization: `Bearer ${token}`});
const MISSING =
  'this path asks for credentials; expected the header "Authorization" with Bearer and a token, or Basic and a user name and password';
const WRONG = 'the credentials in the header "Authorization" are not known';

/** The error in the form of each listener's paths. */
const FORMS: Readonly<Record<string, (status: number, message: string) => unknown>> = {
  metrics: (status, error) => ({status: 'error', errorType: status === 401 ? 'unauthorized' : 'forbidden', error}),
  fixture: (status, message) => ({fixture: status === 401 ? 'unauthenticated' : 'forbidden', message}),
};
const plain = (_status: number, error: string): unknown => ({error});

const PATHS: readonly (readonly [listener: string, method: string, path: string, right: string])[] = [
  ['metrics', 'GET', '/api/v1/query?query=x', 'read'],
  ['metrics', 'POST', '/api/v1/query', 'read'],
  ['metrics', 'GET', '/no/such/path', 'read'],
  ['traces', 'GET', '/compat/api/search', 'read'],
  ['traces', 'GET', '/native/api/search', 'read'],
  ['ingest', 'POST', '/api/v2/spans', 'write'],
  ['ingest', 'POST', '/ingest/v1/metrics/', 'write'],
  ['ingest', 'GET', '/ingest/v1/metrics', 'write'],
  ['diagnostics', 'GET', '/agents', 'read'],
  ['admin', 'GET', '/-/plugins', 'admin'],
  ['admin', 'GET', '/metrics', 'admin'],
  ['fixture', 'GET', '/fixture/hello', 'read'],
  ['fixture', 'POST', '/fixture/change', 'write'],
];

test('each path asks for its right, and refuses in its form, before a body is read', async t => {
  const {urls} = await openGateway(t, CONFIG);
  for (const [listener, method, path, right] of PATHS) {
    const form = FORMS[listener] ?? plain;
    const title = `${method} ${listener} ${path}`;
    // A body that is announced and never sent: whoever waits for it does not answer.
    const announced = method === 'POST' ? {'content-length': '10', expect: '100-continue'} : {};
    for (const [headers, message] of [
      [{}, MISSING],
      [bearer('other'), WRONG],
      [{authorization: 'Basic b3BzOm90aGVy'}, WRONG],
    ] as const) {
      const answer = await askSecurely(urls[listener] + path, {method, headers: {...announced, ...headers}});
      t.is(answer.status, 401, title);
      t.deepEqual(JSON.parse(answer.text), form(401, message), title);
      t.deepEqual(answer.lines('www-authenticate'), [
        'Bearer realm="query-gateway"',
        'Basic realm="query-gateway", charset="UTF-8"',
      ]);
    }
    for (const other of RIGHTS.filter(each => each !== right)) {
      const answer = await askSecurely(urls[listener] + path, {method, headers: {...announced, ...bearer(other)}});
      t.is(answer.status, 403, title);
      t.deepEqual(JSON.parse(answer.text), form(403, `"the one who may ${other}" lacks the right "${right}"`), title);
      t.deepEqual(answer.lines('www-authenticate'), []);
    }
    const allowed = await askSecurely(urls[listener] + path, {method, headers: bearer(right), body: ''});
    t.false([401, 403].includes(allowed.status), `${title}: ${allowed.status} ${allowed.text}`);
  }
});

test('health is open, and what nobody owns asks who is there, not what for', async t => {
  const {urls} = await openGateway(t, CONFIG);
  for (const [listener, path] of [
    ['admin', '/-/healthy'],
    ['admin', '/-/ready'],
    ['admin', '/-/healthy/'],
    ['diagnostics', '/health'],
  ] as const)
    t.is((await askSecurely(urls[listener] + path, {headers: bearer('other')})).status, 200, path);

  const nobody = `${urls.fixture}/nobody`;
  const answer = await askSecurely(nobody);
  t.is(answer.status, 401);
  t.deepEqual(JSON.parse(answer.text), {error: MISSING});
  for (const right of RIGHTS) t.is((await askSecurely(nobody, {headers: bearer(right)})).status, 404);
});

test('a password is good for the rights of its user, and every refusal is counted by its reason', async t => {
  const {urls, lines} = await openGateway(t, CONFIG);
  const headers = {authorization: `Basic ${Buffer.from('ops:secret').toString('base64')}`};
  for (let time = 0; time < 3; time++) {
    t.is((await askSecurely(`${urls.fixture}/fixture/hello`, {headers})).status, 200);
    const write = {method: 'POST', headers, body: 'x'};
    t.is((await askSecurely(`${urls.fixture}/fixture/change`, write)).status, 403);
  }
  await askSecurely(`${urls.fixture}/fixture/hello`);
  await askSecurely(`${urls.fixture}/fixture/hello`, {headers: bearer('secret token')});
  const evil = {method: 'POST', headers: {...bearer('write'), origin: 'http://evil.example'}, body: 'x'};
  t.is((await askSecurely(`${urls.fixture}/fixture/change`, evil)).status, 403);
  const {text} = await askSecurely(`${urls.admin}/metrics`, {headers});
  const counts = [...text.matchAll(/access_refused_total\{[^}]*listener="fixture",reason="(\w+)"\} (\d+)/g)];
  t.deepEqual(
    counts.map(([, reason, count]) => `${reason} ${count}`),
    ['missing 1', 'wrong 1', 'right 3', 'origin 1'],
  );
  const said = JSON.stringify(lines);
  for (const secret of ['secret token', 'b3Bz', 'ops:secret', digest('read')]) t.false(said.includes(secret), secret);
});

test('a handler knows its caller, and a route that stores needs to say no right', async t => {
  const {urls} = await openGateway(t, CONFIG);
  const change = await askSecurely(`${urls.fixture}/fixture/change`, {method: 'POST', headers: bearer('write')});
  t.is(change.text, 'changed by the one who may write');
  const store = await askSecurely(`${urls.fixture}/fixture/store`, {
    method: 'POST',
    headers: bearer('read'),
    body: 'x',
  });
  t.deepEqual(JSON.parse(store.text), {
    fixture: 'forbidden',
    message: '"the one who may read" lacks the right "write"',
  });
});

test('an open listener asks nobody, and without the block none does', async t => {
  const listeners = {...PORTS, fixture: {port: 0, access: 'open'}};
  const {urls} = await openGateway(t, {...CONFIG, listeners});
  t.is((await askSecurely(`${urls.fixture}/fixture/hello`)).status, 200);
  t.is((await askSecurely(`${urls.admin}/metrics`)).status, 401);
  const {urls: free} = await openGateway(t, {...CONFIG, access: undefined});
  t.is((await askSecurely(`${free.admin}/metrics`)).status, 200);
  t.is((await askSecurely(`${free.fixture}/fixture/hello`, {headers: bearer('other')})).status, 200);
});

test('a block that lets nobody in is said', async t => {
  const {urls, logged} = await openGateway(t, {...CONFIG, access: {tokens: [], users: []}});
  t.is((await logged('access has no tokens and no users; whoever asks is refused')).level, 'warn');
  t.is((await askSecurely(`${urls.admin}/metrics`, {headers: bearer('admin')})).status, 401);
});

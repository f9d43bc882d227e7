import {createHash} from 'node:crypto';
import {gunzipSync} from 'node:zlib';
import test from 'ava';
import {ask} from '../../support/http.js';
import {ownerOf} from '../../support/owner.js';
import {startConsole} from './gateway.js';

const owner = ownerOf(test);
const servers: {root: string; below: string; metrics: string} = {root: '', below: '', metrics: ''};
test.before(async () => {
  const off = [
    {use: 'promql-subset', enabled: false},
    {use: 'console', prefix: '/ui'},
  ];
  const [plain, prefixed] = await Promise.all([
    startConsole(owner),
    startConsole(owner, {config: {plugins: off, storage: {use: 'embedded', config: {path: 'data'}}}}),
  ]);
  const {console: root = '', metrics = ''} = plain.urls;
  Object.assign(servers, {root, metrics, below: `${prefixed.urls.console}/ui`});
});

const PAGES: readonly (readonly [path: string, base: string])[] = [
  ['/', './'],
  ['/query', './'],
  ['/query?expr=1/2', './'],
  ['/query/', '../'],
  ['/traces', './'],
  ['/traces/compat/463ac35c9f6413ad', '../../'],
  ['/traces/compat/', '../../'],
  ['/traces/compat/463ac35c9f6413ad/', '../../../'],
  ['/services', './'],
  ['/services/GENERAL/a%2Fb', '../../'],
  ['/fleet', './'],
];

for (const [path, base] of PAGES) {
  test(`${path} answers the page, which knows the way to its root: ${base}`, async t => {
    for (const url of [servers.root, servers.below]) {
      const {status, headers, text} = await ask(url + path);
      t.is(status, 200);
      t.is(headers['content-type'], 'text/html; charset=utf-8');
      t.is(headers['cache-control'], 'no-store');
      t.true(text.includes(`<base href="${base}">`), text);
    }
  });
}

test('the policy of a page lets in nothing inline but styles with the nonce of this very answer', async t => {
  const answers = await Promise.all([ask(`${servers.root}/`), ask(`${servers.root}/`)]);
  const nonces = answers.map(({headers, text}) => {
    const policy = String(headers['content-security-policy']);
    t.regex(policy, /^default-src 'none'; script-src 'self'; /);
    t.notRegex(policy, /unsafe/);
    const nonce = /style-src 'self' 'nonce-([^']+)'/.exec(policy)?.[1] ?? '';
    t.true(text.includes(`nonce="${nonce}"`));
    return nonce;
  });
  t.not(nonces[0], nonces[1]);
});

test('the root without its slash redirects relatively, with the query', async t => {
  const plain = await ask(servers.below);
  t.deepEqual([plain.status, plain.headers.location], [307, 'ui/']);
  t.is((await ask(`${servers.below}?a=b?c`)).headers.location, 'ui/?a=b?c');
});

test('files of the bundle are immutable, and compressed for who takes that', async t => {
  const {text} = await ask(`${servers.root}/`);
  const names = [...text.matchAll(/(?:src|href)="(assets\/[^"]+)"/g)].map(match => match[1]);
  t.true(names.length >= 3);
  for (const name of names) {
    const url = `${servers.root}/${name}`;
    const [plain, small, refused] = await Promise.all([
      ask(url),
      ask(url, {headers: {'accept-encoding': 'br, gzip;q=0.5'}}),
      ask(url, {headers: {'accept-encoding': 'gzip;q=0'}}),
    ]);
    t.is(small.headers['cache-control'], 'public, max-age=31536000, immutable');
    t.is(small.headers['content-encoding'], 'gzip');
    t.deepEqual(gunzipSync(small.bytes), Buffer.from(plain.bytes));
    t.is(plain.headers['content-encoding'], undefined);
    t.is(refused.headers['content-encoding'], undefined);
    const head = await ask(url, {method: 'HEAD'});
    t.deepEqual([head.status, head.bytes.length], [200, 0]);
  }
  t.is((await ask(`${servers.root}/assets/nothing-12345678.js`)).status, 404);
});

test('below "api" the other plugins answer as at their own place, by GET and by POST', async t => {
  const headers = {'content-type': 'application/x-www-form-urlencoded'};
  for (const [method, body] of [
    ['GET', undefined],
    ['POST', 'query=1%2B1&time=60'],
    ['POST', 'query=nonsense('],
    ['DELETE', undefined],
  ] as const) {
    const options = {method, headers, ...(body !== undefined && {body})};
    const path = method === 'GET' ? '/api/v1/labels' : '/api/v1/query';
    const [direct, mirrored] = await Promise.all([
      ask(servers.metrics + path, options),
      ask(`${servers.root}/api/promql-subset${path}`, options),
    ]);
    t.is(mirrored.status, direct.status);
    t.is(mirrored.text.replaceAll('/api/promql-subset', ''), direct.text);
  }
});

test('below "api" an id that is not mounted answers 404, whatever the reason', async t => {
  const {status, text} = await ask(`${servers.below}/api/promql-subset/api/v1/labels`);
  t.is(status, 404);
  t.regex(text, /the plugin promql-subset is disabled/);
  t.is((await ask(`${servers.below}/api/nobody/x`)).status, 404);
  t.is((await ask(`${servers.below}/api/console/nothing`)).status, 404);
});

test('below "api/admin" the admin paths are read, and nothing is changed', async t => {
  const {status, json} = await ask(`${servers.root}/api/admin/-/plugins`);
  t.is(status, 200);
  t.true(json<{plugins: {name: string}[]}>().plugins.some(({name}) => name === 'console'));
  t.true([404, 405].includes((await ask(`${servers.root}/api/admin/-/reload`, {method: 'POST'})).status));
});

test('the overview of who may read names states, and reasons only of what is off', async t => {
  const {json} = await ask(`${servers.below}/api/console/overview`);
  const {plugins} = json<{plugins: {name: string; state: string; message?: string}[]}>();
  t.deepEqual(
    plugins.map(({name, state, message}) => [name, state, message]),
    [
      ['promql-subset', 'disabled', 'disabled: "enabled" is false'],
      ['console', 'ok', undefined],
    ],
  );
});

test('where callers are asked who they are, the console asks for the other plugins too', async t => {
  const token = (name: string, ...rights: string[]) => ({
    name,
    sha256: createHash('sha256').update(name).digest('hex'),
    rights,
  });
  const access = {tokens: [token('reader', 'read'), token('boss', 'read', 'admin')]};
  const {urls} = await startConsole(t, {config: {access, storage: {use: 'embedded', config: {path: 'data'}}}});
  const statusOf = async (path: string, who?: string, method = 'GET'): Promise<number> => {
    const headers = who === undefined ? {} : {authorization: `Bearer ${who}`};
    const {status, headers: answered, text} = await ask(urls.console + path, {headers, method});
    if (status === 401) {
      t.is([answered['www-authenticate']].flat().length, 2);
      t.regex(text, /credential/);
    }
    return status;
  };
  for (const path of [
    '/',
    '/query',
    '/api/promql-subset/api/v1/labels',
    '/api/console/overview',
    '/api/admin/metrics',
  ]) {
    t.is(await statusOf(path), 401, path);
    t.is(await statusOf(path, 'reader'), path.startsWith('/api/admin') ? 403 : 200, path);
    t.is(await statusOf(path, 'boss'), 200, path);
  }
  t.is(await statusOf('/api/ingest/ingest/v1/metrics', 'reader', 'POST'), 403);
  for (const [who, mayAll] of [
    ['reader', false],
    ['boss', true],
  ] as const) {
    const {json} = await ask(`${urls.console}/api/console/overview`, {headers: {authorization: `Bearer ${who}`}});
    t.is(json<{mayAll: boolean}>().mayAll, mayAll);
  }
});

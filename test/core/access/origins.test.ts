import {createHash} from 'node:crypto';
import test from 'ava';
import {askSecurely, type SecureAsk} from '../../support/https.js';
import {fixtureConfig, openGateway} from '../../support/library.js';

const sha256 = createHash('sha256').update('token').digest('hex');
const ACCESS = {tokens: [{name: 'all', sha256, rights: ['read', 'write', 'admin']}]};
const CONSOLE = 'https://console.example';

type Row = readonly [title: string, method: string, path: string, headers: SecureAsk['headers'], status: number];

/** `own` stands for the origin of the listener itself. */
const ROWS: readonly Row[] = [
  ['a page of another origin must not write', 'POST', '/change', {origin: 'http://evil.example'}, 403],
  ['nor one of no origin', 'POST', '/change', {origin: 'null'}, 403],
  ['nor one of another scheme', 'POST', '/change', {origin: 'https own'}, 403],
  ['nor one of another port', 'POST', '/change', {origin: 'http://127.0.0.1:1'}, 403],
  ['nor one whose name begins alike', 'POST', '/change', {origin: `${CONSOLE}.evil`}, 403],
  ['one of its own may', 'POST', '/change', {origin: 'own'}, 200],
  ['one that is listed may', 'POST', '/change', {origin: CONSOLE}, 200],
  ['a sender that is no page may', 'POST', '/change', {}, 200],
  ['a query changes nothing, by POST neither', 'POST', '/echo', {origin: 'http://evil.example'}, 200],
  ['a name of another page', 'GET', '/hello', {host: 'evil.example'}, 421],
  ['such a name with a port', 'GET', '/hello', {host: 'evil.example:80'}, 421],
  ['a name that begins like an address', 'GET', '/hello', {host: '127.0.0.1.evil.example'}, 421],
  ['a name that ends like localhost', 'GET', '/hello', {host: 'evil-localhost'}, 421],
  ['another name where nobody owns the path', 'GET', '/-/nobody', {host: 'evil.example'}, 421],
  ['localhost', 'GET', '/hello', {host: 'LOCALHOST:1'}, 200],
  ['an address', 'GET', '/hello', {host: '192.0.2.7'}, 200],
  ['an address of version 6', 'GET', '/hello', {host: '[::1]:9090'}, 200],
  ['a listed name', 'GET', '/hello', {host: 'Gateway.example:9090'}, 200],
];

for (const access of [undefined, ACCESS]) {
  test(`which pages and names are answered ${access ? 'with' : 'without'} credentials`, async t => {
    const fixture = {port: 0, hosts: ['gateway.example'], cors: {origins: [CONSOLE]}};
    const {urls} = await openGateway(t, fixtureConfig({access, listeners: {fixture, admin: {port: 0}}}));
    const own = urls.fixture ?? '';
    const credentials = access && {authorization: 'Bearer token'};
    for (const [title, method, path, given = {}, status] of ROWS) {
      const origin = given.origin?.replace('https own', own.replace('http', 'https')).replace(/^own$/, own);
      const headers = {...given, ...(origin && {origin}), ...credentials};
      const answer = await askSecurely(own + path, {method, headers, ...(method === 'POST' && {body: 'x'})});
      t.is(answer.status, status, `${title}: ${answer.text}`);
      if (status === 403) t.like(JSON.parse(answer.text), {fixture: 'forbidden'});
      if (status === 421) t.like(JSON.parse(answer.text), {fixture: 'bad_request'});
    }
    t.is((await askSecurely(`${urls.admin}/-/healthy`, {headers: {host: 'evil.example'}})).status, 421);
  });
}

test('listed pages are answered before they ask, and may read whatever comes', async t => {
  const fixture = {port: 0, cors: {origins: [CONSOLE]}};
  const {urls} = await openGateway(t, fixtureConfig({access: ACCESS, listeners: {fixture}}));
  const asking = {
    'access-control-request-method': 'POST',
    'access-control-request-headers': 'authorization,content-type',
  };
  const preflight = await askSecurely(`${urls.fixture}/store`, {
    method: 'OPTIONS',
    headers: {...asking, origin: CONSOLE},
  });
  t.is(preflight.status, 204);
  t.like(preflight.headers, {
    'access-control-allow-origin': CONSOLE,
    'access-control-allow-methods': 'GET, HEAD, POST, PUT, PATCH, DELETE',
    'access-control-allow-headers': 'authorization,content-type',
    vary: 'origin',
  });
  const other = await askSecurely(`${urls.fixture}/store`, {
    method: 'OPTIONS',
    headers: {...asking, origin: 'http://evil.example'},
  });
  t.is(other.status, 401);
  t.is(other.headers['access-control-allow-origin'], undefined);
  for (const [headers, status] of [
    [{}, 401],
    [{authorization: 'Bearer token'}, 200],
  ] as const) {
    const answer = await askSecurely(`${urls.fixture}/hello`, {headers: {origin: CONSOLE, ...headers}});
    t.is(answer.status, status);
    t.is(answer.headers['access-control-allow-origin'], CONSOLE);
  }
});

test('a listener that other machines reach answers to every name, until it is given some', async t => {
  const open = {host: '0.0.0.0', port: 0};
  for (const [fixture, status] of [
    [open, 200],
    [{...open, hosts: ['gateway.example']}, 421],
  ] as const) {
    const {urls} = await openGateway(t, fixtureConfig({listeners: {fixture}}));
    t.is((await askSecurely(`${urls.fixture}/hello`, {headers: {host: 'other.example'}})).status, status);
    t.is((await askSecurely(`${urls.fixture}/hello`, {headers: {host: 'gateway.example'}})).status, 200);
  }
});

import {createHash} from 'node:crypto';
import {once} from 'node:events';
import {connect} from 'node:net';
import {setTimeout as sleep} from 'node:timers/promises';
import test, {type ExecutionContext} from 'ava';
import {FIXTURE_ADAPTER, FIXTURE_PLUGIN, startGateway} from '../../support/gateway.js';
import {ask} from '../../support/http.js';
import {fixtureConfig, type Line, openGateway} from '../../support/library.js';

const ON = fixtureConfig({listeners: {fixture: {port: 0, accessLog: true}}});
const FORM = {'content-type': 'application/x-www-form-urlencoded'};

const linesOf = (lines: readonly Line[]): readonly Line[] => lines.filter(({component}) => component === 'access');

/** The first so many lines, as soon as they are there. */
async function logged(lines: readonly Line[], count: number): Promise<readonly Line[]> {
  while (linesOf(lines).length < count) await sleep(5);
  return linesOf(lines);
}

/** What a line says of one request. */
async function lineOf(t: ExecutionContext, path: string, options: Parameters<typeof ask>[1] = {}) {
  const {urls, lines} = await openGateway(t, ON);
  const answer = await ask(`${urls.fixture}${path}`, options);
  const [line] = await logged(lines, 1);
  const {ms, ...fields} = line?.fields ?? {};
  t.is(typeof ms, 'number');
  t.is(line?.level, 'info');
  t.is(line?.message, 'request');
  t.is(fields.bytes, options.method === 'HEAD' ? 0 : answer.bytes.byteLength);
  return {answer, fields};
}

const COMMON = {listener: 'fixture', client: '127.0.0.1', plugin: 'fixture-plugin', method: 'GET'};

test('a line tells who asked for what with which parameters, and what the answer was', async t => {
  const {answer, fields} = await lineOf(t, '/echo?x=a%20b&x=c&y=%7Bz%3D%221%22%7D', {
    headers: {'user-agent': 'test/1'},
  });
  t.deepEqual(fields, {
    ...COMMON,
    path: '/echo',
    parameters: Object.assign(Object.create(null), {x: ['a b', 'c'], y: '{z="1"}'}),
    status: 200,
    bytes: answer.bytes.byteLength,
    agent: 'test/1',
  });
});

test('the parameters of a form are in the line, and those in whose names a credential is expected are not', async t => {
  const options = {method: 'POST', headers: {...FORM, authorization: 'Bearer hunter2', cookie: 'hunter2'}};
  const {fields} = await lineOf(t, '/echo?access_token=hunter2', {...options, body: 'query=up&%70assword=hunter2'});
  t.like(fields, {method: 'POST', parameters: {access_token: '(hidden)', query: 'up', password: '(hidden)'}});
  t.notRegex(JSON.stringify(fields), /hunter2/);
});

test('a caller who is known is named, and the credential is not in the line', async t => {
  const token = 'qgw_hunter2hunter2';
  const sha256 = createHash('sha256').update(token).digest('hex');
  const {urls, lines} = await openGateway(t, {...ON, access: {tokens: [{name: 'grafana', sha256, rights: ['read']}]}});
  for (const authorization of [`Bearer ${token}`, 'Bearer another']) {
    await ask(`${urls.fixture}/hello`, {headers: {authorization}});
  }
  const [known, unknown] = await logged(lines, 2);
  t.like(known?.fields, {caller: 'grafana', status: 200});
  t.like(unknown?.fields, {caller: undefined, status: 401});
  t.notRegex(JSON.stringify(linesOf(lines)), /hunter2|another/);
});

test('what a front says of the client is told beside the address of the front', async t => {
  const {fields} = await lineOf(t, '/hello', {headers: {'x-forwarded-for': '192.0.2.7'}});
  t.like(fields, {client: '127.0.0.1', forwardedFor: '192.0.2.7'});
});

const ANSWERS: readonly (readonly [title: string, path: string, method: string, expected: object])[] = [
  ['a body in pieces', '/pieces?count=3', 'GET', {status: 200}],
  ['HEAD', '/hello', 'HEAD', {status: 200, bytes: 0}],
  ['an unknown path', '/nowhere', 'GET', {status: 404, plugin: 'fixture-plugin'}],
  ['a method that is not allowed', '/hello', 'DELETE', {status: 405}],
  ['a failure', '/throw?code=internal', 'GET', {status: 500}],
];

for (const [title, path, method, expected] of ANSWERS) {
  test(`${title} has its line too`, async t => {
    const {fields} = await lineOf(t, path, {method});
    t.like(fields, {path: path.replace(/\?.*/, ''), method, ...expected});
  });
}

test('a client that leaves before the answer is told', async t => {
  const {urls, lines} = await openGateway(t, ON);
  const {hostname, port} = new URL(urls.fixture ?? '');
  const socket = connect(Number(port), hostname);
  await once(socket, 'connect');
  socket.write('GET /hold HTTP/1.1\r\nhost: localhost\r\n\r\n');
  await sleep(50);
  socket.destroy();
  const [line] = await logged(lines, 1);
  t.like(line?.fields, {path: '/hold', aborted: true});
});

test('what is no request has a line with what is wrong', async t => {
  const {urls, lines} = await openGateway(t, ON);
  const {hostname, port} = new URL(urls.fixture ?? '');
  const socket = connect(Number(port), hostname);
  socket.end('nonsense\r\n\r\n');
  socket.resume();
  const [line] = await logged(lines, 1);
  t.deepEqual(line?.fields, {
    listener: 'fixture',
    client: '127.0.0.1',
    status: 400,
    problem: 'this is not an HTTP/1.1 request',
  });
});

test('requests have no lines unless the listener says so', async t => {
  const {urls, lines} = await openGateway(t, fixtureConfig());
  await ask(`${urls.fixture}/hello`);
  await ask(`${urls.fixture}/nowhere`);
  t.deepEqual(linesOf(lines), []);
});

test('the lines are written whatever logLevel says, each as one line of JSON', async t => {
  const gateway = await startGateway(t, {
    config: {
      listeners: {fixture: {port: 0, accessLog: true}},
      storage: {use: FIXTURE_ADAPTER},
      plugins: [{use: FIXTURE_PLUGIN}],
      logLevel: 'error',
    },
  });
  await ask(`${gateway.urls.fixture}/echo?x=a%0Ab&dsn=postgres%3A%2F%2Fu%3Ahunter2%40db`);
  const line = await gateway.logged('request');
  t.like(line, {level: 'info', component: 'access', parameters: {x: 'a\nb', dsn: 'postgres://u:(hidden)@db'}});
  t.is(await gateway.stop(), 0);
  t.is(gateway.stderr.length, 1, gateway.stderr.join('\n'));
});

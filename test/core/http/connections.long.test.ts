import {once} from 'node:events';
import {connect, type Socket} from 'node:net';
import {setTimeout as sleep} from 'node:timers/promises';
import test from 'ava';
import {FIXTURE_ADAPTER, FIXTURE_PLUGIN, startGateway} from '../../support/gateway.js';
import {ask} from '../../support/http.js';
import {fixtureConfig, openGateway} from '../../support/library.js';

const IDLE = fixtureConfig({listeners: {fixture: {idleTimeout: 300}}});

/** A connection, with everything that has come from the other end. */
class Raw {
  readonly socket: Socket;
  received = '';
  readonly closed: Promise<unknown>;

  constructor(url: string | undefined) {
    const {hostname, port} = new URL(url ?? '');
    this.socket = connect(Number(port), hostname);
    this.socket.setEncoding('utf8').on('data', text => {
      this.received += text;
    });
    this.socket.on('error', () => undefined);
    this.closed = once(this.socket, 'close');
  }

  async until(part: string): Promise<void> {
    while (!this.received.includes(part)) await sleep(5);
  }
}

for (const [title, bytes] of [
  ['has sent nothing', ''],
  ['has sent half a header', 'GET /hello HTTP/1.1\r\nHost: localhost\r\n'],
  ['has sent half a body', 'POST /bytes HTTP/1.1\r\nHost: localhost\r\nContent-Length: 10\r\n\r\n12345'],
] as const) {
  test(`a connection that ${title} is closed when it is idle${title.includes('body') ? ', at the request deadline' : ''}`, async t => {
    t.timeout(90_000);
    const {urls} = await openGateway(t, IDLE);
    const raw = new Raw(urls.fixture);
    raw.socket.write(bytes);
    await raw.closed;
    if (bytes.startsWith('POST')) t.regex(raw.received, /^HTTP\/1\.1 408 [\s\S]*"fixture":"bad_request"/);
    else t.is(raw.received, '');
  });
}

test('a connection is closed when it is idle after its answer', async t => {
  const {urls} = await openGateway(t, IDLE);
  const raw = new Raw(urls.fixture);
  raw.socket.write('GET /hello HTTP/1.1\r\nHost: localhost\r\n\r\n');
  await raw.closed;
  t.regex(raw.received, /^HTTP\/1\.1 200 OK\r\n[\s\S]*hello$/);
});

test('a connection is not idle while its query runs', async t => {
  const {urls} = await openGateway(t, IDLE);
  const raw = new Raw(urls.fixture);
  raw.socket.write('GET /hold HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n');
  const idle = new Raw(urls.fixture);
  await idle.closed;
  const later = new Raw(urls.fixture);
  await later.closed;
  await ask(`${urls.fixture}/release`, {method: 'POST'});
  await raw.closed;
  t.regex(raw.received, /^HTTP\/1\.1 200 OK\r\n[\s\S]*released$/);
});

test('a header that trickles in is refused after fifteen seconds', async t => {
  t.timeout(60_000);
  const {urls} = await openGateway(t);
  const raw = new Raw(urls.fixture);
  raw.socket.write('GET /hello HTTP/1.1\r\n');
  const trickle = setInterval(() => raw.socket.write('X-A: b\r\n'), 200);
  await raw.closed;
  clearInterval(trickle);
  t.regex(raw.received, /^HTTP\/1\.1 408 Request Timeout\r\n[\s\S]*\{"error":"the request was not complete in time/);
});

const NOT_HTTP = 'this is not an HTTP/1.1 request';
const LENGTHS = 'the header \\"Content-Length\\" stands more than once';
const LENGTH = 'the header \\"Content-Length\\" is not a whole number of bytes that a body can have';
const FRAMINGS = 'the headers \\"Content-Length\\" and \\"Transfer-Encoding\\" contradict each other';
const NAME = 'a line of the headers does not begin with a name of letters, digits and hyphens, and a colon';
const LINE_END = 'a line of the request does not end with CR and LF';
const codings = (found: string) => `found \\"Transfer-Encoding: ${found}\\", expected chunked or none`;

/** A request with these headers beside its Host. */
const head = (headers: string) => `POST /bytes HTTP/1.1\r\nHost: localhost\r\n${headers}\r\n\r\n`;

for (const [title, bytes, message = NOT_HTTP, status = 400] of [
  ['no HTTP', 'hello\r\n\r\n'],
  ['TLS', '\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03'],
  ['of two lengths', head('Content-Length: 1\r\nContent-Length: 2'), LENGTHS],
  ['of one length twice', head('Content-Length: 2\r\nContent-Length: 2'), LENGTHS],
  ['of a negative length', head('Content-Length: -2'), LENGTH],
  ['of a length without end', head(`Content-Length: ${'9'.repeat(30)}`), LENGTH],
  ['of a length beside chunks', head('Content-Length: 2\r\nTransfer-Encoding: chunked'), FRAMINGS],
  ['of chunks beside a length', head('Transfer-Encoding: chunked\r\nContent-Length: 2'), FRAMINGS],
  [
    'in chunks of chunks',
    head('Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked'),
    'the header \\"Transfer-Encoding\\" is not chunked alone, or chunked once at its end',
  ],
  ['in chunks of gzip', head('Transfer-Encoding: gzip, chunked'), codings('gzip, chunked'), 501],
  [
    'in chunks of gzip, on two lines',
    head('Transfer-Encoding: gzip\r\nTransfer-Encoding: chunked'),
    codings('gzip, chunked'),
    501,
  ],
  ['of gzip without chunks', head('Transfer-Encoding: gzip'), codings('gzip')],
  [
    'of gzip to an unknown path',
    head('Transfer-Encoding: gzip, chunked').replace('bytes', 'none'),
    codings('gzip, chunked'),
    501,
  ],
  ['a header without a name', head(': y'), NAME],
  ['a header with a blank in its name', head('X Y: y'), NAME],
  ['a header without a colon', head('X'), NAME],
  ['a header with a control character', head('X: a\x01'), 'the value of a header holds a control character'],
  ['a header on two lines', head('X: a\r\n b'), 'the value of a header goes on in a second line'],
  ['of bare line feeds', 'GET /hello HTTP/1.1\nHost: localhost\n\n', LINE_END],
  ['of a bare carriage return', head('X: a\rb'), LINE_END],
  ['of two hosts', head('Host: y'), 'the header \\"Host\\" stands more than once'],
  ['of one host twice, in capitals', head('HOST: localhost'), 'the header \\"Host\\" stands more than once'],
  ['of an unknown method', 'FOO / HTTP/1.1\r\nHost: localhost\r\n\r\n', 'there is no HTTP method \\"FOO\\"'],
  [
    'a raw blank',
    'GET /hello?x=a b HTTP/1.1\r\nHost: localhost\r\n\r\n',
    'the request target holds a raw blank; write %20',
  ],
  [
    'raw UTF-8',
    'GET /hello?x=ü HTTP/1.1\r\nHost: localhost\r\n\r\n',
    'the request target holds raw bytes outside ASCII; write their UTF-8 as percent escapes',
  ],
  [
    'a tunnel',
    'CONNECT x:1 HTTP/1.1\r\nHost: localhost\r\n\r\n',
    'CONNECT asks for a tunnel, and the gateway is no proxy',
  ],
  ['without Host', 'GET /hello HTTP/1.1\r\nConnection: close\r\n\r\n', 'the header \\"Host\\" is missing'],
  [
    'an expectation',
    'GET /hello HTTP/1.1\r\nHost: localhost\r\nExpect: foo\r\nConnection: close\r\n\r\n',
    'found \\"Expect: foo\\", expected 100-continue or none',
    417,
  ],
] as const) {
  test(`what is ${title} is refused in JSON`, async t => {
    const {urls} = await openGateway(t);
    const raw = new Raw(urls.fixture);
    raw.socket.write(bytes);
    await raw.closed;
    t.true(raw.received.startsWith(`HTTP/1.1 ${status} `), raw.received);
    t.regex(raw.received, /\r\ncontent-type: application\/json; charset=utf-8\r\n/);
    t.true(raw.received.endsWith(`":"${message}"}`), raw.received);
    t.is(raw.received.match(/^HTTP\/1\.1 /gm)?.length, 1, raw.received);
  });
}

for (const [target, status] of [
  ['http://other.example/hello', /^HTTP\/1\.1 (200|404)/],
  ['*', /^HTTP\/1\.1 4\d\d/],
  ['hello', /^HTTP\/1\.1 400/],
  ['//', /^HTTP\/1\.1 404/],
  ['/?', /^HTTP\/1\.1 404/],
  ['/%', /^HTTP\/1\.1 400/],
  ['/%c0%ae%c0%ae/', /^HTTP\/1\.1 400/],
  ['/echo#x=1', /^HTTP\/1\.1 (200|404)/],
  ['/echo;x=1', /^HTTP\/1\.1 404/],
  ['/../../etc/passwd', /^HTTP\/1\.1 404/],
] as const) {
  test(`the request target ${target} does no harm`, async t => {
    const {urls} = await openGateway(t);
    const raw = new Raw(urls.fixture);
    raw.socket.write(`GET ${target} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n`);
    await raw.closed;
    t.regex(raw.received, status);
  });
}

const CHUNKED = 'HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n';

for (const [title, of, bytes, statuses] of [
  ['a bad chunk in a body that is read', 'fixture', `POST /bytes ${CHUNKED}zz\r\n`, [400]],
  ['a bad chunk after a good one', 'fixture', `POST /bytes ${CHUNKED}1\r\na\r\nzz\r\n`, [400]],
  ['a bad chunk behind an answer that needs no body', 'fixture', `POST /none ${CHUNKED}zz\r\n`, [404]],
  ['a bad chunk to the admin listener', 'admin', `POST /metrics ${CHUNKED}zz\r\n`, [405]],
  ['a header of a megabyte', 'fixture', `GET /hello HTTP/1.1\r\nX: ${'a'.repeat(1 << 20)}`, [431]],
  [
    'a header of a megabyte to the admin listener',
    'admin',
    `GET /metrics HTTP/1.1\r\nX: ${'a'.repeat(1 << 20)}`,
    [431],
  ],
  [
    'no HTTP behind a good request',
    'fixture',
    'GET /services HTTP/1.1\r\nHost: localhost\r\n\r\nGET\r\n\r\n',
    [200, 400],
  ],
] as const) {
  test(`${title} has one answer`, async t => {
    const {urls} = await openGateway(t);
    const raw = new Raw(urls[of]);
    raw.socket.write(bytes);
    await raw.closed;
    t.deepEqual(
      raw.received.match(/(?<=HTTP\/1\.1 )\d{3}(?= )/g)?.map(Number),
      statuses as readonly number[] as number[],
      raw.received,
    );
  });
}

test('a bad chunk that comes after a pause has one answer', async t => {
  const {urls} = await openGateway(t);
  const raw = new Raw(urls.fixture);
  raw.socket.write(`POST /bytes ${CHUNKED}`);
  await sleep(50);
  raw.socket.write('zz\r\n');
  await raw.closed;
  t.regex(
    raw.received,
    /^HTTP\/1\.1 400 [\s\S]*"fixture":"bad_request","message":"the body is not sent in well-formed chunks"\}$/,
  );
});

const EXPECTING = 'HTTP/1.1\r\nHost: localhost\r\nExpect: 100-continue\r\n';

for (const [title, request, status] of [
  ['a body that is too long', `POST /bytes ${EXPECTING}Content-Length: 999999999\r\n\r\n`, 413],
  ['a body of an unknown coding', `POST /bytes ${EXPECTING}Content-Encoding: x\r\nContent-Length: 2\r\n\r\n`, 400],
  ['a body to an unknown path', `POST /none ${EXPECTING}Content-Length: 2\r\n\r\n`, 404],
] as const) {
  test(`${title} is refused before the client has been asked to send it, and the connection ends`, async t => {
    const {urls} = await openGateway(t);
    const raw = new Raw(urls.fixture);
    raw.socket.write(request);
    await raw.closed;
    t.deepEqual(raw.received.match(/(?<=HTTP\/1\.1 )\d{3}(?= )/g)?.map(Number), [status], raw.received);
    t.regex(raw.received, /\r\nconnection: close\r\n/i);
  });
}

test('a client that waits to be asked for its body is asked, and the connection goes on', async t => {
  const {urls} = await openGateway(t);
  const raw = new Raw(urls.fixture);
  for (const body of ['ab', 'cd']) {
    raw.received = '';
    raw.socket.write(`POST /bytes ${EXPECTING}Content-Length: 2\r\n\r\n`);
    await raw.until('HTTP/1.1 100 Continue\r\n\r\n');
    raw.socket.write(body);
    await raw.until(`2 ${body}`);
    t.regex(raw.received, /^HTTP\/1\.1 100 Continue\r\n\r\nHTTP\/1\.1 200 OK\r\n/);
  }
  raw.socket.destroy();
});

test('requests that come before the answer of the one before are answered in order', async t => {
  const {urls} = await openGateway(t);
  const raw = new Raw(urls.fixture);
  const request = (path: string) => `GET ${path} HTTP/1.1\r\nHost: localhost\r\n\r\n`;
  raw.socket.write(request('/hold') + request('/hello') + request('/none'));
  while ((await ask(`${urls.fixture}/held`)).text !== '1') await sleep(5);
  await ask(`${urls.fixture}/release`, {method: 'POST'});
  await raw.until('no such path');
  t.deepEqual(
    raw.received.match(/\r\n\r\n(released|hello|\{"fixture":"not_found")/g)?.map(part => part.trim()),
    ['released', 'hello', '{"fixture":"not_found"'],
  );
});

/** How many of `count` connections a process that accepts none has taken, once no more come. */
async function taken(url: string | undefined, count: number): Promise<number> {
  let connected = 0;
  const connections = Array.from({length: count}, () => new Raw(url));
  for (const {socket} of connections) {
    socket.on('connect', () => {
      connected++;
    });
  }
  // A busy machine may bring none for a while, and what was not taken is tried again after a second.
  for (let looks = 0, before = 0; looks < 8 && connected < count; looks++) {
    await sleep(400);
    if (connected !== before) looks = 0;
    before = connected;
  }
  for (const {socket} of connections) socket.destroy();
  return connected;
}

for (const [acceptQueueSize, limited] of [
  [2, true],
  [0, false],
] as const) {
  test(`a backlog of ${acceptQueueSize} ${limited ? 'bounds the connections that wait' : 'is the maximum of the system'}`, async t => {
    const gateway = await startGateway(t, {
      config: {
        listeners: {fixture: {acceptQueueSize}},
        storage: {use: FIXTURE_ADAPTER},
        plugins: [{use: FIXTURE_PLUGIN}],
      },
    });
    gateway.process.kill('SIGSTOP');
    const connected = await taken(gateway.urls.fixture, 100);
    gateway.process.kill('SIGCONT');
    if (limited) t.true(connected < 10, `${connected} connections`);
    else t.is(connected, 100);
  });
}

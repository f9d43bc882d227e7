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
  ['has sent half a header', 'GET /hello HTTP/1.1\r\nHost: x\r\n'],
  ['has sent half a body', 'POST /bytes HTTP/1.1\r\nHost: x\r\nContent-Length: 10\r\n\r\n12345'],
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
  raw.socket.write('GET /hello HTTP/1.1\r\nHost: x\r\n\r\n');
  await raw.closed;
  t.regex(raw.received, /^HTTP\/1\.1 200 OK\r\n[\s\S]*hello$/);
});

test('a connection is not idle while its query runs', async t => {
  const {urls} = await openGateway(t, IDLE);
  const raw = new Raw(urls.fixture);
  raw.socket.write('GET /hold HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n');
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

for (const [title, bytes, message = NOT_HTTP, status = 400] of [
  ['no HTTP', 'hello\r\n\r\n'],
  ['TLS', '\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03'],
  ['two lengths', 'POST /bytes HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n12'],
  ['a header without a name', 'GET / HTTP/1.1\r\nHost: x\r\n: y\r\n\r\n'],
  ['of an unknown method', 'FOO / HTTP/1.1\r\nHost: x\r\n\r\n', 'there is no HTTP method \\"FOO\\"'],
  ['a raw blank', 'GET /hello?x=a b HTTP/1.1\r\nHost: x\r\n\r\n', 'the request target holds a raw blank; write %20'],
  [
    'raw UTF-8',
    'GET /hello?x=ü HTTP/1.1\r\nHost: x\r\n\r\n',
    'the request target holds raw bytes outside ASCII; write their UTF-8 as percent escapes',
  ],
  ['a tunnel', 'CONNECT x:1 HTTP/1.1\r\nHost: x\r\n\r\n', 'CONNECT asks for a tunnel, and the gateway is no proxy'],
  ['without Host', 'GET /hello HTTP/1.1\r\nConnection: close\r\n\r\n', 'the header \\"Host\\" is missing'],
  [
    'an expectation',
    'GET /hello HTTP/1.1\r\nHost: x\r\nExpect: foo\r\nConnection: close\r\n\r\n',
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
    raw.socket.write(`GET ${target} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`);
    await raw.closed;
    t.regex(raw.received, status);
  });
}

const CHUNKED = 'HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n';

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
  ['no HTTP behind a good request', 'fixture', 'GET /services HTTP/1.1\r\nHost: x\r\n\r\nGET\r\n\r\n', [200, 400]],
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

test('requests that come before the answer of the one before are answered in order', async t => {
  const {urls} = await openGateway(t);
  const raw = new Raw(urls.fixture);
  const request = (path: string) => `GET ${path} HTTP/1.1\r\nHost: x\r\n\r\n`;
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
  let before = -1;
  while (connected !== before && connected < count) {
    before = connected;
    await sleep(400);
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

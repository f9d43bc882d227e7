import {connect} from 'node:net';
import {setTimeout as sleep} from 'node:timers/promises';
import test from 'ava';
import {ask, get} from '../../support/http.js';
import {fixtureConfig, openGateway} from '../../support/library.js';

test('a body in pieces arrives whole, in order and without a length', async t => {
  const {urls} = await openGateway(t, fixtureConfig({}));
  const {status, headers, text} = await get(`${urls.fixture}/pieces?count=5000`);
  t.is(status, 200);
  t.is(headers['transfer-encoding'], 'chunked');
  t.is(text.length, 5000 * 1024);
  t.deepEqual(
    text
      .trimEnd()
      .split('\n')
      .map(line => Number(line.slice(0, line.indexOf('.')))),
    Array.from({length: 5000}, (_, index) => index),
  );
});

test('HEAD is answered without the pieces', async t => {
  const {urls} = await openGateway(t, fixtureConfig({}));
  t.like(await ask(`${urls.fixture}/pieces?count=1&fail=1`, {method: 'HEAD'}), {status: 200, text: ''});
});

test('a body whose source fails is cut off, not ended', async t => {
  const {urls} = await openGateway(t, fixtureConfig({}));
  await t.throwsAsync(get(`${urls.fixture}/pieces?count=3&fail=1`));
  t.is((await get(`${urls.fixture}/hello`)).status, 200);
});

test('a request without an answer within the write timeout is told so', async t => {
  const {urls} = await openGateway(t, fixtureConfig({listeners: {fixture: {writeTimeout: 100}}}));
  const answer = await get(`${urls.fixture}/hold`);
  t.is(answer.status, 503);
  t.is(answer.json().message, 'no answer within writeTimeout, 0.1 s');
});

test('an answer that the client takes too slowly is cut off at the write timeout', async t => {
  const {urls} = await openGateway(t, fixtureConfig({listeners: {fixture: {writeTimeout: 200}}}));
  const {hostname, port} = new URL(urls.fixture ?? '');
  const socket = connect(Number(port), hostname);
  socket.write('GET /pieces?count=100000 HTTP/1.1\r\nHost: localhost\r\n\r\n');
  let received = 0;
  const closed = new Promise<void>(resolve => socket.on('close', () => resolve()));
  socket.on('error', () => undefined);
  await sleep(400);
  socket.on('data', chunk => {
    received += chunk.byteLength;
  });
  await closed;
  t.true(received < 100_000 * 1024);
});

test('a request that does not arrive within the read timeout is answered 408', async t => {
  const {urls} = await openGateway(t, fixtureConfig({listeners: {fixture: {readTimeout: 100}}}));
  const {hostname, port} = new URL(urls.fixture ?? '');
  const socket = connect(Number(port), hostname).setEncoding('utf8');
  socket.write('GET /hello HTTP/1.1\r\nHost:');
  let text = '';
  for await (const chunk of socket) text += chunk;
  t.regex(text, /^HTTP\/1\.1 408 [\s\S]*0\.1 s for its headers, 0\.1 s for all of it/);
});

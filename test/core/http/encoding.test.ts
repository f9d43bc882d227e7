import {gunzipSync} from 'node:zlib';
import test from 'ava';
import {ask} from '../../support/http.js';
import {fixtureConfig, openGateway} from '../../support/library.js';

const LARGE = 16 * 1024;

for (const [accept, compresses] of [
  ['gzip', true],
  ['x-gzip', true],
  ['GZIP', true],
  ['deflate, gzip;q=0.5, br', true],
  ['*', true],
  ['gzip;q=1.0, identity;q=0.5', true],
  ['identity;q=0, gzip', true],
  ['gzip ; q = 0.5', true],
  ['gzip;q=0', false],
  ['gzip ; q = 0.0', false],
  ['identity; q = 1, gzip ;q =0.2', false],
  ['gzip;q=0, *', false],
  ['identity, gzip;q=0.2', false],
  ['identity', false],
  ['br, deflate', false],
  ['', false],
] as const) {
  test(`a large answer ${compresses ? 'is' : 'is not'} compressed for a client that accepts "${accept}"`, async t => {
    const {urls} = await openGateway(t);
    const headers = {'accept-encoding': accept};
    const answer = await ask(`${urls.fixture}/large?size=${LARGE}`, {headers});
    t.is(answer.headers['content-encoding'], compresses ? 'gzip' : undefined);
    t.is(answer.headers.vary, 'accept-encoding');
    t.is(Number(answer.headers['content-length']), answer.bytes.length);
    const body = compresses ? gunzipSync(answer.bytes) : answer.bytes;
    t.is(Buffer.from(body).toString(), 'x'.repeat(LARGE));
  });
}

const GZIP = {'accept-encoding': 'gzip'};

test('a small answer is not compressed, nor what asks for nothing', async t => {
  const {urls} = await openGateway(t);
  const small = await ask(`${urls.fixture}/large?size=${LARGE - 1}`, {headers: GZIP});
  t.is(small.headers['content-encoding'], undefined);
  t.is(small.headers.vary, undefined);
  const plain = await ask(`${urls.fixture}/large?size=${LARGE}`);
  t.is(plain.headers['content-encoding'], undefined);
  t.is(plain.text.length, LARGE);
});

test('a body in pieces is compressed whole and in order', async t => {
  const {urls} = await openGateway(t);
  const answer = await ask(`${urls.fixture}/pieces?count=3000`, {headers: GZIP});
  t.is(answer.headers['content-encoding'], 'gzip');
  t.true(answer.bytes.length < 300_000);
  t.is(gunzipSync(answer.bytes).toString(), (await ask(`${urls.fixture}/pieces?count=3000`)).text);
});

test('a compressed body whose source fails is cut off, not ended', async t => {
  const {urls} = await openGateway(t);
  await t.throwsAsync(ask(`${urls.fixture}/pieces?count=3&fail=1`, {headers: GZIP}));
  t.is((await ask(`${urls.fixture}/hello`)).status, 200);
});

test('HEAD has the header of the compressed answer, and no length that is not its own', async t => {
  const {urls} = await openGateway(t);
  const answer = await ask(`${urls.fixture}/large?size=${LARGE}`, {method: 'HEAD', headers: GZIP});
  t.is(answer.status, 200);
  t.is(answer.headers['content-encoding'], 'gzip');
  t.is(answer.headers['content-length'], undefined);
});

test('the size from which on answers are compressed, and whether, is a matter of the listener', async t => {
  for (const [compression, size, encoding] of [
    [false, 1_000_000, undefined],
    [true, LARGE, 'gzip'],
    ['1KiB', 1024, 'gzip'],
    [100, 99, undefined],
  ] as const) {
    const {urls} = await openGateway(t, fixtureConfig({listeners: {fixture: {compression}}}));
    const {headers} = await ask(`${urls.fixture}/large?size=${size}`, {headers: GZIP});
    t.is(headers['content-encoding'], encoding, String(compression));
  }
});

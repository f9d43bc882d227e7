import {randomBytes} from 'node:crypto';
import {setTimeout as sleep} from 'node:timers/promises';
import {deflateSync, gzipSync} from 'node:zlib';
import test from 'ava';
import {type AskOptions, ask} from '../../support/http.js';
import {fixtureConfig, openGateway} from '../../support/library.js';

const LIMITS = {limits: {formBody: '16KiB', ingestBody: '64KiB'}};
const FORM = {'content-type': 'application/x-www-form-urlencoded'};
const KIB = 1024;

interface Row {
  readonly title: string;
  readonly path: string;
  readonly options: AskOptions;
  readonly status: number;
  /** The answer of a good one, or what the message of a bad one says. */
  readonly says: string | RegExp;
}

const text = (length: number): string => 'x'.repeat(length);

const ROWS: readonly Row[] = [
  {title: 'plain bytes', path: '/bytes', options: {body: 'hello'}, status: 200, says: '5 hello'},
  {title: 'no body', path: '/bytes', options: {}, status: 200, says: '0 '},
  {
    title: 'an empty body that says it is gzip',
    path: '/bytes',
    options: {headers: {'content-encoding': 'gzip'}},
    status: 200,
    says: '0 ',
  },
  {
    title: 'bytes of any content type',
    path: '/bytes',
    options: {body: 'hello', headers: {'content-type': 'not a type'}},
    status: 200,
    says: '5 hello',
  },
  {
    title: 'gzip',
    path: '/bytes',
    options: {body: gzipSync('hello'), headers: {'content-encoding': 'gzip'}},
    status: 200,
    says: '5 hello',
  },
  {
    title: 'deflate, the name in capitals',
    path: '/bytes',
    options: {body: deflateSync('hello'), headers: {'content-encoding': 'DEFLATE'}},
    status: 200,
    says: '5 hello',
  },
  {title: 'bytes up to the limit', path: '/bytes', options: {body: text(64 * KIB)}, status: 200, says: /^65536 x/},
  {
    title: 'bytes above the limit',
    path: '/bytes',
    options: {body: text(64 * KIB + 1)},
    status: 413,
    says: /limits\.ingestBody, 65536 bytes$/,
  },
  {
    title: 'a bomb that is small until it is decompressed',
    path: '/bytes',
    options: {body: gzipSync(text(64 * KIB + 1)), headers: {'content-encoding': 'gzip'}},
    status: 413,
    says: /limits\.ingestBody, 65536 bytes after decompression$/,
  },
  {
    title: 'compressed bytes above the limit',
    path: '/bytes',
    options: {body: gzipSync(randomBytes(80 * KIB)), headers: {'content-encoding': 'gzip'}},
    status: 413,
    says: /limits\.ingestBody, 65536 bytes$/,
  },
  {
    title: 'what is not gzip',
    path: '/bytes',
    options: {body: 'hello', headers: {'content-encoding': 'gzip'}},
    status: 400,
    says: /^the body is not gzip as its content-encoding says$/,
  },
  {
    title: 'gzip that is cut off',
    path: '/bytes',
    options: {body: gzipSync('hello').subarray(0, 15), headers: {'content-encoding': 'gzip'}},
    status: 400,
    says: /^the body is not gzip/,
  },
  {
    title: 'an encoding that nobody knows',
    path: '/bytes',
    options: {body: 'hello', headers: {'content-encoding': 'br'}},
    status: 400,
    says: /^found the content-encoding "br", expected one of gzip, x-gzip, deflate or none$/,
  },
  {
    title: 'a form up to the limit',
    path: '/echo',
    options: {headers: FORM, body: `y=${text(16 * KIB - 2)}`},
    status: 200,
    says: /"first":null/,
  },
  {
    title: 'a form above the limit',
    path: '/echo',
    options: {headers: FORM, body: text(16 * KIB + 1)},
    status: 413,
    says: /limits\.formBody, 16384 bytes$/,
  },
  {
    title: 'a form that is not UTF-8',
    path: '/echo',
    options: {headers: FORM, body: Buffer.from([0x78, 0x3d, 0xff])},
    status: 400,
    says: /^the form body is not UTF-8$/,
  },
  {
    title: 'a form with a broken escape',
    path: '/echo',
    options: {headers: FORM, body: 'x=1&y=%e4'},
    status: 400,
    says: /^the parameter "y" in the form body holds a percent sign/,
  },
  {
    title: 'a form in gzip',
    path: '/echo',
    options: {headers: {...FORM, 'content-encoding': 'gzip'}, body: gzipSync('x=zipped')},
    status: 200,
    says: /"first":"zipped"/,
  },
];

for (const {title, path, options, status, says} of ROWS) {
  test(`${title} on ${path} is ${status}`, async t => {
    const {urls} = await openGateway(t, fixtureConfig(LIMITS));
    const answer = await ask(`${urls.fixture}${path}`, {method: 'POST', ...options});
    t.is(answer.status, status, answer.text);
    const said = status === 200 ? answer.text : String(answer.json().message);
    if (typeof says === 'string') t.is(said, says);
    else t.regex(said, says);
    // The connection still serves.
    t.is((await ask(`${urls.fixture}/hello`)).text, 'hello');
  });
}

test('a body in chunks counts as it arrives', async t => {
  const {urls} = await openGateway(t, fixtureConfig(LIMITS));
  const send = (chunks: number) =>
    fetch(`${urls.fixture}/bytes`, {
      method: 'POST',
      duplex: 'half',
      body: new Blob(Array.from({length: chunks}, () => text(16 * KIB))).stream(),
    });
  t.is((await send(4)).status, 200);
  t.is((await send(5)).status, 413);
});

test('bodies together take no more memory than a few of the largest', async t => {
  const {urls} = await openGateway(t, fixtureConfig({limits: {ingestBody: '64KiB', formBody: '64KiB'}}));
  const hold = (body: string) => ask(`${urls.fixture}/hold`, {method: 'POST', headers: FORM, body});
  const release = () => ask(`${urls.fixture}/release`, {method: 'POST'});
  const large = Promise.all(Array.from({length: 3}, () => hold(text(63 * KIB))));
  while ((await ask(`${urls.fixture}/held`)).text !== '3') await sleep(5);

  const refused = await hold(text(63 * KIB));
  t.is(refused.status, 503);
  t.regex(String(refused.json().message), /^the gateway holds as many request bodies as it has memory for/);
  await release();
  t.deepEqual(
    (await large).map(({status}) => status),
    [200, 200, 200],
  );

  const again = hold(text(63 * KIB));
  while ((await ask(`${urls.fixture}/held`)).text !== '1') await sleep(5);
  await release();
  t.is((await again).status, 200);
});

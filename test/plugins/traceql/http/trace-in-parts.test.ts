import {once} from 'node:events';
import {type IncomingMessage, get as open} from 'node:http';
import test from 'ava';
import type {PlainSpan} from '../../../fixtures/memory-adapter.js';
import {ask, get} from '../../../support/http.js';
import {openGateway} from '../../../support/library.js';
import {T0} from '../scene.js';
import {sceneConfig} from '../support.js';

const ID = '00000000000000aa';
const SPANS = 1000;
const ENDED = 'a trace has ended';
/** More than the buffers between the gateway and a client that does not read. */
const LONG = 'long '.repeat(2000);

const LARGE: readonly PlainSpan[] = Array.from({length: SPANS}, (_, i) => ({
  traceId: ID,
  id: (i + 1).toString(16).padStart(16, '0'),
  timestamp: T0 * 1_000_000 + ((i * 7919) % SPANS),
  localEndpoint: {serviceName: `service-${i % 3}`},
  tags: {long: LONG},
}));
const PATH = `/compat/api/v2/traces/${ID}`;
const inParts = (failAfterParts: number) => sceneConfig({compatSpans: LARGE, failAfterParts});
const PROTOBUF = {headers: {accept: 'application/protobuf'}};

test('a trace that is read in parts has the same answers as one that is read whole', async t => {
  const whole = await openGateway(t, sceneConfig({compatSpans: LARGE}));
  const parts = await openGateway(t, inParts(SPANS));
  for (const path of [PATH, PATH.replace('/v2', '')]) {
    for (const form of [{}, PROTOBUF]) {
      const [expected, given] = await Promise.all([whole, parts].map(({urls}) => ask(`${urls.traces}${path}`, form)));
      t.is(given?.status, 200);
      t.true(Buffer.from(given?.bytes ?? []).equals(expected?.bytes ?? Buffer.of(0)));
    }
  }
  t.is((await get(`${parts.urls.traces}/compat/api/traces/abc`)).status, 404);
});

test('a trace of which too little can be read for a piece is an error', async t => {
  const {urls} = await openGateway(t, inParts(1));
  for (const form of [{}, PROTOBUF]) {
    const {status, text} = await ask(`${urls.traces}${PATH}`, form);
    t.is(status, 502);
    t.true(text.includes('the disk is gone'), text);
  }
});

test('the connection of a trace that cannot be read to its end is cut', async t => {
  const {urls, logged} = await openGateway(t, inParts(SPANS - 1));
  await t.throwsAsync(ask(`${urls.traces}${PATH}`), {any: true});
  t.deepEqual((await logged(ENDED)).fields, {parts: SPANS});
  t.is((await ask(`${urls.traces}${PATH}`, PROTOBUF)).status, 502);
});

test('a trace is read no further than a client takes it, and not at all when the client has gone', async t => {
  const {urls, logged} = await openGateway(t, inParts(SPANS));
  const [response] = (await once(open(`${urls.traces}${PATH}`), 'response')) as [IncomingMessage];
  t.is(response.statusCode, 200);
  response.destroy();
  const {fields} = await logged(ENDED);
  t.true((fields.parts as number) < SPANS, JSON.stringify(fields));
});

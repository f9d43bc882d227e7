import test from 'ava';
import type {OtlpResource, OtlpSpan} from '../../../../core/api/plugin.js';
import {complete} from '../../../../core/toolkit/yielder.js';
import {decodeTraces, encodedTraces} from '../../../../plugins/ingest-otlp/decode/decode.js';
import {otlpSpan} from '../../../core/api/otlp-spans.js';
import {jsonOf} from '../support/encode.js';

const RESOURCE: OtlpResource = {
  attributes: [{key: 'service.name', value: 's'}],
  droppedAttributesCount: 0,
  schemaUrl: '',
};

const decode = (bytes: Uint8Array): readonly OtlpSpan[] => complete(decodeTraces(bytes, 'json', () => undefined));

test('a request in JSON is decoded in at least a step a span, and what is passed over in steps too', t => {
  const spans = Array.from({length: 2000}, (_, i) =>
    otlpSpan({traceId: (i + 1).toString(16).padStart(32, '0'), resource: RESOURCE}),
  );
  const unknown = JSON.stringify({unknown: Array.from({length: 50_000}, (_, i) => i)}).slice(0, -1);
  const bytes = Buffer.from(`${unknown},${jsonOf(spans).slice(1)}`);
  const steps = decodeTraces(bytes, 'json', () => undefined);
  let taken = 0;
  let step = steps.next();
  for (; step.done !== true; step = steps.next()) taken++;
  t.is(step.value.length, spans.length);
  t.true(taken > spans.length + 50_000 / 4096, `${taken} steps`);
});

test('a request in protobuf is gone through in steps, also one of lists that are empty', t => {
  const emptyScopes = Buffer.alloc(100_000, Buffer.from([0x12, 0]));
  for (const [what, bytes] of [
    ['resources', Buffer.alloc(200_000, Buffer.from([0x0a, 0]))],
    ['scopes', Buffer.concat([Buffer.from([0x0a, 0xa0, 0x8d, 0x06]), emptyScopes])],
    ['fields that nobody knows', Buffer.alloc(200_000, Buffer.from([0x12, 0]))],
  ] as const) {
    const steps = encodedTraces(bytes, () => undefined);
    let taken = 0;
    let step = steps.next();
    for (; step.done !== true; step = steps.next()) taken++;
    t.is(step.value.spans.length, 0, what);
    t.is(step.value.origins.length, 0, what);
    t.true(taken >= 50_000 / 64, `${what}: ${taken} steps`);
  }
});

const MEBIBYTE = 1024 * 1024;

for (const character of ['a', 'é', '€', '😀']) {
  test(`a text of ${character} is read whole, wherever its characters lie`, t => {
    for (let offset = 0; offset < 4; offset++) {
      const name = 'x'.repeat(offset) + character.repeat(Math.ceil(MEBIBYTE / Buffer.byteLength(character)));
      const status = {code: 0, message: name};
      const [span] = decode(Buffer.from(jsonOf([otlpSpan({status, resource: RESOURCE})])));
      t.true(span?.status.message === name, `moved by ${offset}`);
    }
  });
}

test('a byte that is no UTF-8 is refused, wherever it lies', t => {
  const status = {code: 0, message: '€'.repeat(MEBIBYTE / 2)};
  const good = Buffer.from(jsonOf([otlpSpan({status, resource: RESOURCE})]));
  t.is(decode(good).length, 1);
  for (const at of [262_142, 262_143, 262_144, 262_145, 262_146, MEBIBYTE, good.length - 1]) {
    for (const byte of [0x80, 0xbf, 0xff, 0xe2]) {
      const bytes = Buffer.from(good);
      if (bytes[at] === byte || (bytes[at] ?? 0) >> 6 === byte >> 6) continue;
      bytes[at] = byte;
      t.throws(() => decode(bytes), {message: 'the body is no UTF-8'}, `${byte} at ${at}`);
    }
  }
});

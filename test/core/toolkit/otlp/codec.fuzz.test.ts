import test from 'ava';
import fc from 'fast-check';
import {GatewayError} from '../../../../core/api/adapter.js';
import {encodeOtlpSpan} from '../../../../core/toolkit/otlp/encode.js';
import {OtlpSpanDecoder} from '../../../../core/toolkit/otlp/span-decoder.js';
import {FUZZ_RUNS} from '../../../support/fuzz.js';
import {anyOtlpSpan} from '../../../support/otlp-arbitrary.js';
import {readOtlpProtobuf} from '../../../support/otlp-messages.js';
import {otlpSpan} from '../../api/otlp-spans.js';

test('any span of OTLP is read as it was written, by us and by a general decoder of protobuf', t => {
  const decoder = new OtlpSpanDecoder();
  const property = fc.property(anyOtlpSpan, span => {
    const bytes = encodeOtlpSpan(span);
    t.deepEqual(decoder.decode(bytes), span);
    const inTraces = Buffer.concat([Buffer.from([0x0a, ...lengthOf(bytes)]), bytes]);
    t.deepEqual(readOtlpProtobuf(inTraces, 'v1'), [{scopes: 1, spans: [span]}]);
  });
  fc.assert(property, {numRuns: FUZZ_RUNS});
});

/** A varint. */
function lengthOf({length}: Uint8Array): number[] {
  const bytes: number[] = [];
  let rest = length;
  for (; rest > 0x7f; rest >>>= 7) bytes.push((rest & 0x7f) | 0x80);
  return [...bytes, rest];
}

test('damaged bytes are read as something, or refused', t => {
  const decoder = new OtlpSpanDecoder();
  const damaged = fc.tuple(anyOtlpSpan, fc.nat(), fc.nat(255), fc.nat()).map(([span, at, byte, end]) => {
    const bytes = encodeOtlpSpan(span);
    bytes[at % bytes.length] = byte;
    return end % 3 === 0 ? bytes.subarray(0, end % bytes.length) : bytes;
  });
  const property = fc.property(damaged, bytes => {
    try {
      decoder.decode(bytes);
    } catch (error) {
      if (!GatewayError.is(error) || error.code !== 'bad_request') throw error;
    }
  });
  t.notThrows(() => fc.assert(property, {numRuns: FUZZ_RUNS}));
});

test('a span of OTLP is written as it always was', t => {
  const span = otlpSpan({
    name: 'a',
    startTime: 1n,
    attributes: [{key: 'n', value: 300n}],
    resource: {attributes: [{key: 'service.name', value: 's'}], droppedAttributesCount: 0, schemaUrl: 'u'},
  });
  const written =
    '0a150a130a0c736572766963652e6e616d6512030a0173' +
    '12380a001234' +
    '0a10000000000000000000000000000000a1120800000000000000b12a0161390100000000000000' +
    '4a080a016e120318ac02' +
    '7a00' +
    '1a0175';
  t.is(Buffer.from(encodeOtlpSpan(span)).toString('hex'), written);
});

test('spans of one resource and scope share the objects', t => {
  const decoder = new OtlpSpanDecoder();
  const [a, b] = ['1', '2'].map(id => decoder.decode(encodeOtlpSpan(otlpSpan({spanId: id.repeat(16)}))));
  t.is(a?.resource, b?.resource);
  t.is(a?.scope, b?.scope);
});

import test from 'ava';
import fc from 'fast-check';
import {GatewayError, type OtlpSpan} from '../../../../core/api/plugin.js';
import {complete} from '../../../../core/toolkit/yielder.js';
import {decodeTraces} from '../../../../plugins/ingest-otlp/decode/decode.js';
import type {RejectedSpan} from '../../../../plugins/ingest-otlp/decode/request-checks.js';
import {FUZZ_RUNS} from '../../../support/fuzz.js';
import {jsonOf, protobufOf} from '../support/encode.js';
import {mutatedRequests, requestSpans} from '../support/random-request.js';

const RUNS = {numRuns: Math.max(200, FUZZ_RUNS / 10)};

function decode(bytes: Uint8Array, encoding: 'protobuf' | 'json'): readonly OtlpSpan[] {
  const rejected: RejectedSpan[] = [];
  const spans = complete(decodeTraces(bytes, encoding, each => rejected.push(each)));
  if (rejected.length > 0) throw new Error(rejected[0]?.reason);
  return spans;
}

test('random requests in protobuf are decoded to the same spans', t => {
  fc.assert(
    fc.property(requestSpans, spans => {
      t.deepEqual(decode(protobufOf(spans), 'protobuf'), spans);
    }),
    RUNS,
  );
});

test('random requests in JSON are decoded to the same spans, in any white space', t => {
  fc.assert(
    fc.property(requestSpans, fc.boolean(), (spans, isSpread) => {
      const json = jsonOf(spans);
      const text = isSpread ? JSON.stringify(JSON.parse(json), null, '\t') : json;
      t.deepEqual(decode(Buffer.from(text), 'json'), spans);
    }),
    RUNS,
  );
});

for (const [encoding, bodies] of [
  ['protobuf', mutatedRequests(protobufOf)],
  ['json', mutatedRequests(spans => Buffer.from(jsonOf(spans)))],
] as const) {
  test(`mutated bodies in ${encoding} are decoded, or refused as bad requests`, t => {
    let refused = 0;
    const any = fc.oneof(
      bodies,
      fc.uint8Array({maxLength: 100}).map(bytes => Buffer.from(bytes)),
    );
    fc.assert(
      fc.property(any, bytes => {
        try {
          complete(decodeTraces(bytes, encoding, () => undefined));
        } catch (error) {
          refused++;
          if (!GatewayError.is(error) || error.code !== 'bad_request') throw error;
        }
      }),
      {numRuns: FUZZ_RUNS},
    );
    t.true(refused > 0);
  });
}

test('what JSON.parse takes as JSON is taken, and nothing else', t => {
  const near = fc
    .tuple(
      fc.json({maxDepth: 4}),
      fc.array(fc.tuple(fc.nat(), fc.constantFrom(...'{}[],:"\\0-1.eE ntf')), {maxLength: 2}),
    )
    .map(([json, changes]) => {
      const characters = [...`{"unknown":${json}}`];
      for (const [at, character] of changes) characters[at % characters.length] = character;
      return characters.join('');
    });
  fc.assert(
    fc.property(near, text => {
      const isJson = attempt(() => JSON.parse(text));
      const value = isJson ? (JSON.parse(text) as unknown) : undefined;
      const isRequest = typeof value === 'object' && value !== null && !Array.isArray(value);
      t.is(
        attempt(() => decode(Buffer.from(text), 'json')),
        isRequest,
        text,
      );
    }),
    RUNS,
  );
});

function attempt(act: () => unknown): boolean {
  try {
    act();
    return true;
  } catch {
    return false;
  }
}

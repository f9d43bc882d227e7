import test from 'ava';
import fc from 'fast-check';
import {GatewayError} from '../../../../core/api/errors.js';
import type {Segment} from '../../../../core/api/traces.js';
import {ContentBudget} from '../../../../core/toolkit/traces/content-budget.js';
import {NativeSegments} from '../../../../plugins/ingest/formats/native-segments/format.js';
import {readSegmentMessage} from '../../../../plugins/ingest/skywalking/segment-message.js';
import {FUZZ_RUNS} from '../../../support/fuzz.js';
import {CALL} from '../support.js';
import {bytesOf} from './agent-messages.js';

const text = fc
  .oneof(fc.string({unit: 'grapheme', maxLength: 20}), fc.constant('x'.repeat(300)))
  .map(each => each.replaceAll('\0', ''));
const int32 = fc.integer({min: 0, max: 2 ** 31 - 1});
const time = fc.integer({min: 0, max: 4_000_000_000_000});
const pairs = fc.array(fc.record({key: text, value: text}), {maxLength: 4});

const reference = fc.record({
  refType: fc.integer({min: 0, max: 1}),
  traceId: text,
  parentTraceSegmentId: text,
  parentSpanId: int32,
  parentService: text,
  parentServiceInstance: text,
  parentEndpoint: text,
  networkAddressUsedAtPeer: text,
});

const span = fc.record({
  startTime: time,
  endTime: time,
  refs: fc.array(reference, {maxLength: 2}),
  operationName: text,
  peer: text,
  spanType: fc.integer({min: 0, max: 4}),
  spanLayer: fc.integer({min: 0, max: 8}),
  componentId: int32,
  isError: fc.boolean(),
  tags: pairs,
  logs: fc.array(fc.record({time, data: pairs}), {maxLength: 2}),
  skipAnalysis: fc.boolean(),
});

const segment = fc
  .record({
    traceId: text.filter(each => each !== ''),
    traceSegmentId: text.filter(each => each !== ''),
    service: text,
    serviceInstance: text,
    spans: fc.array(span, {minLength: 1, maxLength: 4}),
  })
  // A time of 0 is left out on the wire, and a span needs its start.
  .map(each => ({
    ...each,
    spans: each.spans.map((one, spanId) => ({...one, startTime: one.startTime + 1, spanId, parentSpanId: spanId - 1})),
  }));

async function fromJson(object: object): Promise<readonly Segment[]> {
  const stored: Segment[] = [];
  const writer = {write: async (segments: readonly Segment[]) => void stored.push(...segments)};
  const intake = await new NativeSegments({spanTags: 1000}).begin({'ingest.native.v1': writer}, CALL);
  const fail = ({reason}: {readonly reason: string}): never => {
    throw new Error(reason);
  };
  await intake.decode(Buffer.from(JSON.stringify(object)), fail);
  await intake.finish(fail);
  await intake.write();
  return stored;
}

test('a segment is the same whether an agent sends it as protobuf or as JSON', async t => {
  await fc.assert(
    fc.asyncProperty(segment, async each => {
      const read = readSegmentMessage(bytesOf('SegmentObject', each), new ContentBudget(1000));
      t.deepEqual([read], await fromJson(each));
    }),
    {numRuns: Math.max(100, FUZZ_RUNS / 10)},
  );
});

test('a message of any bytes is read, or refused as a bad request', t => {
  const mutated = fc
    .tuple(segment, fc.array(fc.tuple(fc.nat(), fc.nat({max: 255})), {maxLength: 5}), fc.nat())
    .map(([each, changes, cut]) => {
      const bytes = bytesOf('SegmentObject', each);
      for (const [at, byte] of changes) bytes[at % bytes.length] = byte;
      return cut % 3 === 0 ? bytes.subarray(0, cut % bytes.length) : bytes;
    });
  const bytes = fc.oneof(
    mutated,
    fc.uint8Array({maxLength: 200}).map(each => Buffer.from(each)),
  );
  let refused = 0;
  fc.assert(
    fc.property(bytes, each => {
      try {
        readSegmentMessage(each, new ContentBudget(1000));
      } catch (error) {
        refused++;
        if (!GatewayError.is(error) || error.code !== 'bad_request') throw error;
      }
    }),
    {numRuns: FUZZ_RUNS},
  );
  t.true(refused > 0);
});

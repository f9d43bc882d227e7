import test from 'ava';
import fc from 'fast-check';
import {convertCompatTrace} from '../../../plugins/traceql-compat/convert.js';
import {FUZZ_RUNS} from '../../support/fuzz.js';
import {decodeTrace, decodeTraceByIdResponse} from '../../support/otlp-protobuf.js';
import {encodeTrace, encodeTraceByIdResponse} from '../../support/whole-trace.js';
import {readJson} from '../traceql/otlp/read.js';
import {anyCompatTrace} from './spans.js';

const numRuns = Math.ceil(FUZZ_RUNS / 2);

test('compat spans in protobuf say what they say in JSON', async t => {
  await fc.assert(
    fc.asyncProperty(anyCompatTrace, async trace => {
      const converted = convertCompatTrace(trace);
      const json = readJson(converted);
      t.deepEqual(decodeTrace(Buffer.concat(await encodeTrace(converted))), json);
      t.deepEqual(decodeTraceByIdResponse(Buffer.concat(await encodeTraceByIdResponse(converted))), json);
    }),
    {numRuns},
  );
});

test('the order in which compat spans are read makes no difference', t => {
  const identity = (span: {readonly id: string; readonly kind?: string; readonly shared?: boolean}): string =>
    `${span.id} ${span.kind} ${span.shared ?? false}`;
  fc.assert(
    fc.property(anyCompatTrace, ({traceId, spans}) => {
      // Storage holds one span of an identity.
      const stored = [...new Map(spans.map(span => [identity(span), span])).values()];
      t.deepEqual(
        readJson(convertCompatTrace({traceId, spans: stored.toReversed()})),
        readJson(convertCompatTrace({traceId, spans: stored})),
      );
    }),
    {numRuns},
  );
});

import test from 'ava';
import fc from 'fast-check';
import {convertNativeTrace} from '../../../plugins/traceql-native/convert.js';
import {FUZZ_RUNS} from '../../support/fuzz.js';
import {decodeTrace, decodeTraceByIdResponse} from '../../support/otlp-protobuf.js';
import {encodeTrace, encodeTraceByIdResponse} from '../../support/whole-trace.js';
import {readJson} from '../traceql/otlp/read.js';
import {anyNativeTrace} from './segments.js';

const numRuns = Math.ceil(FUZZ_RUNS / 2);

test('segments in protobuf say what they say in JSON', async t => {
  await fc.assert(
    fc.asyncProperty(anyNativeTrace, async trace => {
      const converted = convertNativeTrace(trace);
      const json = readJson(converted);
      t.deepEqual(decodeTrace(Buffer.concat(await encodeTrace(converted))), json);
      t.deepEqual(decodeTraceByIdResponse(Buffer.concat(await encodeTraceByIdResponse(converted))), json);
    }),
    {numRuns},
  );
});

test('the order in which segments are read makes no difference', t => {
  fc.assert(
    fc.property(anyNativeTrace, ({traceId, segments}) => {
      const reversed = segments.toReversed().map(segment => ({...segment, spans: segment.spans.toReversed()}));
      t.deepEqual(
        readJson(convertNativeTrace({traceId, segments: reversed})),
        readJson(convertNativeTrace({traceId, segments})),
      );
    }),
    {numRuns},
  );
});

test('no attribute is repeated', t => {
  fc.assert(
    fc.property(anyNativeTrace, trace => {
      for (const {spans} of convertNativeTrace(trace).resources) {
        for (const {attributes, events} of spans) {
          for (const list of [attributes, ...events.map(event => event.attributes)]) {
            t.is(new Set(list.map(({key}) => key)).size, list.length);
          }
        }
      }
    }),
    {numRuns},
  );
});

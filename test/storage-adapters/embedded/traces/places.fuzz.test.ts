import test from 'ava';
import fc from 'fast-check';
import {compatPlace, nativePlace} from '../../../../core/api/adapter.js';
import {
  embeddedCompatModel,
  embeddedNativeModel,
} from '../../../../storage-adapters/embedded/traces/fragments/model.js';
import {anyCompatTrace} from '../../../plugins/traceql-compat/spans.js';
import {anyNativeTrace} from '../../../plugins/traceql-native/segments.js';
import {FUZZ_RUNS} from '../../../support/fuzz.js';

test('the place of a compat span is found in its text', t => {
  fc.assert(
    fc.property(anyCompatTrace, ({spans}) => {
      for (const span of spans) {
        const body = embeddedCompatModel.encode(span);
        t.deepEqual(embeddedCompatModel.placed?.(body), [{place: compatPlace(span), body}]);
      }
    }),
    {numRuns: FUZZ_RUNS},
  );
});

test('the text of a segment is cut into its spans', t => {
  fc.assert(
    fc.property(anyNativeTrace, ({traceId, segments}) => {
      for (const segment of segments) {
        const placed = embeddedNativeModel.placed?.(embeddedNativeModel.encode(segment)) ?? [];
        t.deepEqual(
          placed.map(({place, body}) => ({place, segment: embeddedNativeModel.decode(traceId, body)})),
          segment.spans.map(span => ({place: nativePlace({segment, span}), segment: {...segment, spans: [span]}})),
        );
      }
    }),
    {numRuns: FUZZ_RUNS},
  );
});

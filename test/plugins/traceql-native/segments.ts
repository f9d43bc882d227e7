import fc from 'fast-check';
import type {NativeSpan, NativeTrace, Segment, SegmentReference} from '../../../core/api/plugin.js';
import {nativeSpan} from '../../../storage-adapters/conformance/data/spans.js';

export const TRACE_ID = 'a12.38.17739924187687539';

export const SPAN: NativeSpan = nativeSpan(0, 1_700_000_040_000, {
  endTime: 1_700_000_040_123,
  operationName: 'POST:/users',
  spanType: 'Entry',
  spanLayer: 'Http',
  componentId: 1,
});

const SEGMENT: Segment = {
  traceId: TRACE_ID,
  traceSegmentId: 'a12.38.1',
  layer: 'GENERAL',
  service: 'consumer',
  serviceInstance: 'consumer1',
  spans: [],
};

export function segment(parts: Partial<Segment>, ...spans: readonly Partial<NativeSpan>[]): Segment {
  return {...SEGMENT, ...parts, spans: spans.map((span, spanId) => ({...SPAN, spanId, ...span}))};
}

export function nativeTrace(...segments: readonly Segment[]): NativeTrace {
  return {traceId: TRACE_ID, segments};
}

export function reference(parts: Partial<SegmentReference>): SegmentReference {
  return {
    refType: 'CrossProcess',
    traceId: TRACE_ID,
    parentTraceSegmentId: 'a12.38.0',
    parentSpanId: 2,
    parentService: 'producer',
    parentServiceInstance: 'producer1',
    parentEndpoint: 'GET:/',
    networkAddressUsedAtPeer: '10.0.0.1:80',
    ...parts,
  };
}

const text = fc.string({unit: 'binary', maxLength: 8});
/** No array indexes: in protobuf these stand first. */
const key = fc
  .oneof(fc.constantFrom('http.method', 'component', 'layer', '__proto__', 'a'), text)
  .filter(name => !/^\d+$/.test(name));
const pairs = fc.array(fc.record({key, value: text}), {maxLength: 4});
const millis = fc.oneof(fc.constantFrom(0, 1, 1_700_000_040_000), fc.maxSafeNat());
const instant = fc.record({seconds: fc.bigInt({min: 0n, max: 2n ** 63n - 1n}), nanos: fc.nat(999_999_999)});
const segmentId = fc.constantFrom('a12.38.1', 'a12.38.2', 'é S0', '\u{1F600}');
const traceId = fc.constantFrom(TRACE_ID, 'other');

const span = fc.record({
  spanId: fc.nat(20),
  parentSpanId: fc.integer({min: -1, max: 20}),
  startTime: millis,
  endTime: millis,
  operationName: text,
  peer: text,
  spanType: fc.constantFrom('Entry', 'Exit', 'Local', '', 'Other'),
  spanLayer: fc.constantFrom('Unknown', 'Http', 'MQ'),
  componentId: fc.integer({min: 0, max: 200}),
  isError: fc.boolean(),
  skipAnalysis: fc.boolean(),
  tags: pairs,
  logs: fc.array(fc.record({time: millis, data: pairs}), {maxLength: 2}),
  refs: fc.array(
    fc.record({traceId, parentTraceSegmentId: segmentId, parentSpanId: fc.nat(20)}).map(parts => reference(parts)),
    {maxLength: 2},
  ),
  attachedEvents: fc.array(
    fc.record({
      startTime: instant,
      endTime: instant,
      event: text,
      tags: pairs,
      summary: fc.array(fc.record({key, value: fc.bigInt({min: -(2n ** 63n), max: 2n ** 63n - 1n})}), {maxLength: 2}),
    }),
    {maxLength: 2},
  ),
});

/** Traces of any segments that can be stored, not only sensible ones. */
export const anyNativeTrace: fc.Arbitrary<NativeTrace> = fc
  .uniqueArray(
    fc.record({
      traceId: fc.constant(TRACE_ID),
      traceSegmentId: segmentId,
      layer: fc.constant('GENERAL'),
      service: fc.constantFrom('consumer', 'producer', ''),
      serviceInstance: text,
      spans: fc.uniqueArray(span, {maxLength: 4, selector: ({spanId}) => spanId}),
    }),
    {maxLength: 3, selector: ({traceSegmentId}) => traceSegmentId},
  )
  .map(segments => ({traceId: TRACE_ID, segments}));

import test from 'ava';
import {
  type CompatTrace,
  compatPlace,
  inTraceOrder,
  type LocatedSpan,
  type NativeTrace,
  nativePlace,
  type TraceReader,
} from '../../../../core/api/adapter.js';
import {nativeSpan} from '../../../../storage-adapters/conformance/data/spans.js';
import {collected} from '../../support/answers.js';
import {call} from '../../support/calls.js';
import {Harness, temporaryFolder} from '../harness.js';
import {START, span} from './support.js';

const SERVICES = 5;
const LONG = 'ü "quoted" \\ [text] '.repeat(20);
/** Of about 400 characters each: the parts of each service are several. */
const SPANS = 4000;
const SPANS_PER_SEGMENT = 7;
const NUMBERS = Array.from({length: SPANS}, (_, i) => i);
const startOf = (number: number) => (number * 7919) % 1000;

function compatSpan(trace: number, number: number) {
  return span(trace, number, {
    timestamp: START + startOf(number),
    localEndpoint: {serviceName: `service-${number % SERVICES}`},
    tags: new Map([['long', LONG]]),
  });
}

function segmentsOf(traceId: string, spans: number) {
  return Array.from({length: Math.ceil(spans / SPANS_PER_SEGMENT)}, (_, segment) => ({
    traceId,
    traceSegmentId: `${traceId}.${segment}`,
    layer: 'GENERAL',
    service: `service-${segment % SERVICES}`,
    serviceInstance: 'instance',
    spans: NUMBERS.slice(segment * SPANS_PER_SEGMENT, (segment + 1) * SPANS_PER_SEGMENT).map((number, spanId) =>
      nativeSpan(spanId, START / 1000 + startOf(number), {tags: [{key: 'long', value: LONG}]}),
    ),
  }));
}

const compatSpans = (trace: CompatTrace) => inTraceOrder(trace.spans, compatPlace);

function nativeSpans({segments}: NativeTrace): ReadonlyMap<string, readonly LocatedSpan[]> {
  const located = segments.flatMap(segment =>
    segment.spans.map(one => ({segment: {...segment, spans: []}, span: one})),
  );
  return inTraceOrder(located, nativePlace);
}

interface Subject<Trace> {
  readonly kind: string;
  /** Stores a large trace and one of a single span, and gives their ids. */
  readonly fill: (harness: Harness) => Promise<readonly [large: string, small: string]>;
  readonly reader: (harness: Harness) => TraceReader<Trace>;
  readonly inOrder: (trace: Trace) => ReadonlyMap<string, readonly unknown[]>;
}

const COMPAT: Subject<CompatTrace> = {
  kind: 'compat',
  async fill(harness) {
    await harness.spans.write([...NUMBERS.map(number => compatSpan(0, number)), compatSpan(1, 0)], call);
    return [compatSpan(0, 0).traceId, compatSpan(1, 0).traceId];
  },
  reader: harness => harness.compat,
  inOrder: compatSpans,
};

const NATIVE: Subject<NativeTrace> = {
  kind: 'native',
  async fill(harness) {
    await harness.segments.write([...segmentsOf('large', SPANS), ...segmentsOf('small', 1)], call);
    return ['large', 'small'];
  },
  reader: harness => harness.native,
  inOrder: nativeSpans,
};

function declare<Trace>({kind, fill, reader: readerOf, inOrder}: Subject<Trace>): void {
  test(`a large ${kind} trace comes in parts of one service each, in the order of the whole`, async t => {
    const harness = await Harness.open({path: await temporaryFolder(t)});
    const [large, small] = await fill(harness);
    const reader = readerOf(harness);
    for (const id of [large, small]) {
      const whole = await reader.trace(id, call);
      const parts = await reader.traceInOrder?.(id, call);
      if (whole === undefined || parts === undefined) return t.fail('the trace is gone');
      const given = (await collected(parts)).map(part => [...inOrder(part)]);
      t.true(given.every(services => services.length === 1));
      t.is(given.length > SERVICES, id === large);
      const joined = new Map<string, unknown[]>();
      for (const [service, spans] of given.flat()) joined.set(service, [...(joined.get(service) ?? []), ...spans]);
      t.deepEqual([...joined], [...inOrder(whole)]);
    }
    t.is(await reader.traceInOrder?.('7e57', call), undefined);
  });
}

declare(COMPAT);
declare(NATIVE);

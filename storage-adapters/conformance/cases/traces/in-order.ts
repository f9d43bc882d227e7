import {
  type CompatSpan,
  type CompatTrace,
  compatPlace,
  inTraceOrder,
  type LocatedSpan,
  type NativeTrace,
  nativePlace,
  type Segment,
  type TraceReader,
} from '../../../../core/api/adapter.js';
import {call, callWith} from '../../call.js';
import {sameList} from '../../comparable.js';
import {nativeSpan, segment} from '../../data/spans.js';
import {ownDays} from '../../data/times.js';
import {comparableTrace, compat, native, type TraceFormat} from '../../data/trace-formats.js';
import type {Group} from '../../group.js';
import type {TestContext} from '../../runner.js';
import type {Subject} from '../../subject.js';
import {within} from '../../within.js';

/** In milliseconds, as that of all times here. */
const START = ownDays(70) * 1000;
const WRITTEN = ownDays(71) * 1000;

/** With texts as long as these, more than a storage has as objects without a thought. */
const SPANS = 2000;
const LONG = 'ü "quoted" \\ [text] '.repeat(20);
const SPANS_PER_SEGMENT = 7;
const NUMBERS = Array.from({length: SPANS}, (_, number) => number);

/** Several begin together, and few in the order in which they are stored. */
const startOf = (number: number) => (number * 7919) % 997;
const serviceOf = (number: number) => ['', 'a', 'unknown', 'unknown-service', 'b'][number % 5] ?? '';

/** What the kit needs of a kind that can be read some spans at a time. */
interface Family<Fragment, Trace> {
  readonly kind: TraceFormat<Fragment, Trace>;
  reader(subject: Subject): TraceReader<Trace>;
  /** Fragments with so many spans, each with its number, beginning at `start`. */
  fragments(trace: number, numbers: readonly number[], start: number): readonly Fragment[];
  /** The spans of a part, as they stand in it. */
  given(part: Trace): readonly unknown[];
  /** All spans as a trace is shown. */
  shown(trace: Trace): ReadonlyMap<string, readonly unknown[]>;
}

const compatFamily: Family<CompatSpan, CompatTrace> = {
  kind: compat,
  reader: ({compat}) => compat,
  fragments: (trace, numbers, start) =>
    numbers.map(number => ({
      traceId: compat.id(trace),
      // Two in a row are the halves of a shared span, or differ in their kind.
      id: Math.floor(number / 2)
        .toString(16)
        .padStart(16, '0'),
      kind: number % 4 === 1 ? 'CLIENT' : 'SERVER',
      ...(number % 4 === 2 && {shared: true}),
      ...(number % 11 > 0 && {timestamp: (start + startOf(number)) * 1000}),
      ...(serviceOf(number) !== '' && {localEndpoint: {serviceName: serviceOf(number)}}),
      annotations: [],
      tags: new Map([['long', LONG]]),
    })),
  given: ({spans}) => spans,
  shown: ({spans}) => inTraceOrder(spans, compatPlace),
};

const nativeFamily: Family<Segment, NativeTrace> = {
  kind: native,
  reader: ({native}) => native,
  fragments: (trace, numbers, start) =>
    Array.from({length: Math.ceil(numbers.length / SPANS_PER_SEGMENT)}, (_, index) => {
      const own = numbers.slice(index * SPANS_PER_SEGMENT, (index + 1) * SPANS_PER_SEGMENT);
      const spans = own.map((number, spanId) =>
        nativeSpan(spanId, start + startOf(number), {tags: [{key: 'long', value: LONG}]}),
      );
      return segment(native.id(trace), `${native.id(trace)}.${own[0]}`, spans, serviceOf(index));
    }),
  given: located,
  shown: trace => inTraceOrder(located(trace), nativePlace),
};

function located({segments}: NativeTrace): readonly LocatedSpan[] {
  return segments.flatMap(one => one.spans.map(span => ({segment: {...one, spans: []}, span})));
}

type Offered<Trace> = NonNullable<TraceReader<Trace>['traceInOrder']>;

function inOrder<Fragment, Trace>(family: Family<Fragment, Trace>): readonly [Group, Group] {
  const {kind} = family;
  const of = (trace: number) => 0x5a7c5000 + trace;
  const [LARGE, SMALL, SINGLE, GROWING] = [1, 2, 3, 4].map(of) as [number, number, number, number];
  const fragmentsOf = (trace: number, count: number) => family.fragments(trace, NUMBERS.slice(0, count), START);
  const reason = new Error('no longer wanted');

  /** Undefined where the reader does not offer it, which is right too. */
  function offered(subject: Subject): Offered<Trace> | undefined {
    const reader = family.reader(subject);
    return reader.traceInOrder?.bind(reader);
  }

  async function partsOf(parts: AsyncIterable<Trace> | undefined): Promise<readonly Trace[]> {
    const given: Trace[] = [];
    for await (const part of parts ?? []) given.push(part);
    return given;
  }

  /** What is given alone may be the whole trace, its spans in any order. */
  function compare(t: TestContext, whole: Trace | undefined, parts: readonly Trace[], what: string): void {
    t.true(whole !== undefined && parts.length > 0, `${what} is there`);
    if (whole === undefined) return;
    if (parts.length === 1) {
      const [part] = parts;
      t.deepEqual(comparableTrace(kind, part), comparableTrace(kind, whole), what);
      return;
    }
    t.true(
      parts.every(part => kind.idOf(part) === kind.idOf(whole)),
      `every part of ${what} has its id`,
    );
    for (const [i, part] of parts.entries()) t.is(family.shown(part).size, 1, `the services in part ${i} of ${what}`);
    const expected = [...family.shown(whole).values()].flat();
    sameList(t, parts.flatMap(family.given), expected, what);
  }

  const read: Group = {
    name: `${kind.name}_in_order`,
    needs: [kind.query],
    data: kind.data([
      fragmentsOf(LARGE, SPANS / 2).toReversed(),
      [...fragmentsOf(SMALL, 20), ...fragmentsOf(SINGLE, 1)],
      fragmentsOf(LARGE, SPANS),
    ]),
    tests: {
      [`a ${kind.name} trace that is given some spans at a time comes in the order in which it is shown`]: async (
        t,
        subject,
      ) => {
        const inOrder = offered(subject);
        if (inOrder === undefined) return void t.pass();
        for (const [what, trace] of [
          ['a large trace', LARGE],
          ['a small one', SMALL],
          ['a single span', SINGLE],
        ] as const) {
          const whole = await kind.reader(subject).trace(kind.id(trace), call);
          compare(t, whole, await partsOf(await inOrder(kind.id(trace), call)), what);
        }
        t.is(await inOrder(kind.id(of(9)), call), undefined, 'a trace that is not there');
      },
      [`a ${kind.name} trace that is given some spans at a time may be left early, or be taken after an abort`]: async (
        t,
        subject,
      ) => {
        const inOrder = offered(subject);
        if (inOrder === undefined) return void t.pass();
        for (let round = 0; round < 20; round++) {
          const parts = await inOrder(kind.id(LARGE), call);
          const iterator = parts?.[Symbol.asyncIterator]();
          for (let taken = 0; taken < round % 4; taken++) await iterator?.next();
          const left = await within('return() of a trace', Promise.resolve(iterator?.return?.()));
          t.is(left.status, 'fulfilled', 'return()');
        }
        const whole = await kind.reader(subject).trace(kind.id(LARGE), call);
        const controller = new AbortController();
        const parts = await inOrder(kind.id(LARGE), callWith(controller.signal));
        controller.abort(reason);
        compare(t, whole, await partsOf(parts), 'what was on its way at an abort');
        const refused = await within(
          'a call with an aborted signal',
          inOrder(kind.id(LARGE), callWith(controller.signal)),
        );
        t.true(
          refused.status === 'rejected' && refused.reason === reason,
          'it rejects with signal.reason from the start',
        );
      },
    },
  };

  const written: Group = {
    name: `${kind.name}_in_order_writing`,
    needs: [kind.query, kind.ingest],
    tests: {
      [`a ${kind.name} trace that is given some spans at a time is of one moment, however slowly it is taken`]: async (
        t,
        subject,
      ) => {
        const inOrder = offered(subject);
        if (inOrder === undefined) return void t.pass();
        const fragments = (count: number) => family.fragments(GROWING, NUMBERS.slice(0, count), WRITTEN);
        await kind.write(subject, fragments(SPANS - 500));
        const before = await kind.reader(subject).trace(kind.id(GROWING), call);
        const parts = (await inOrder(kind.id(GROWING), call))?.[Symbol.asyncIterator]();
        const given: Trace[] = [];
        for (let next = await parts?.next(); next?.done === false; next = await parts?.next()) {
          given.push(next.value);
          if (given.length === 1) await kind.write(subject, fragments(SPANS));
        }
        compare(t, before, given, 'the trace as it was');
        const after = await kind.reader(subject).trace(kind.id(GROWING), call);
        compare(t, after, await partsOf(await inOrder(kind.id(GROWING), call)), 'the trace that has grown');
      },
    },
  };
  return [read, written];
}

export const [compatInOrder, compatInOrderWriting] = inOrder(compatFamily);
export const [nativeInOrder, nativeInOrderWriting] = inOrder(nativeFamily);

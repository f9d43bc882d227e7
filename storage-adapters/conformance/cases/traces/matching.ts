import {
  type CompatSpan,
  type CompatTrace,
  compatRoot,
  type NativeTrace,
  nativeRoot,
  type OtlpSpan,
  type OtlpTrace,
  otlpMicros,
  otlpRoot,
  type Segment,
  type SpanFilter,
  type TraceSummary,
} from '../../../../core/api/adapter.js';
import {comparable, sameList, searched, unordered} from '../../comparable.js';
import {otlp} from '../../data/otlp-format.js';
import {DAY, ownDays} from '../../data/times.js';
import {type CommonSpan, compat, native, type TraceFormat} from '../../data/trace-formats.js';
import type {Group} from '../../group.js';
import type {TestContext} from '../../runner.js';

const START = ownDays(39) * 1000;
const ALL = {from: START * 1000, to: (START + DAY * 1000) * 1000};
/** More than a storage reads as a whole without a thought. */
const SPANS = 200;

/** What the kit needs of a kind beside what `TraceKind` has. */
interface Family<Fragment, Trace> {
  readonly kind: TraceFormat<Fragment, Trace>;
  /** The fragment as a child of the other. */
  child(fragment: Fragment, parent: Fragment): Fragment;
  trace(fragments: readonly Fragment[]): Trace;
  root(trace: Trace): unknown;
  summary(trace: Trace): TraceSummary<unknown> | undefined;
}

const compatFamily: Family<CompatSpan, CompatTrace> = {
  kind: compat,
  child: (span, {id}) => ({...span, parentId: id}),
  trace: spans => ({traceId: spans[0]?.traceId ?? '', spans}),
  root: trace => compatRoot(trace),
  summary: ({summary}) => summary,
};

const nativeFamily: Family<Segment, NativeTrace> = {
  kind: native,
  child: (segment, {traceId, traceSegmentId, service}) => ({
    ...segment,
    spans: segment.spans.map(span => ({
      ...span,
      refs: [
        {
          refType: 'CrossProcess',
          traceId,
          parentTraceSegmentId: traceSegmentId,
          parentSpanId: 0,
          parentService: service,
          parentServiceInstance: '',
          parentEndpoint: '',
          networkAddressUsedAtPeer: '',
        },
      ],
    })),
  }),
  trace: segments => ({traceId: segments[0]?.traceId ?? '', segments}),
  root: trace => {
    const {segment, span} = nativeRoot(trace);
    return {...segment, spans: [span]};
  },
  summary: ({summary}) => summary,
};

const otlpFamily: Family<OtlpSpan, OtlpTrace> = {
  kind: otlp,
  child: (span, {spanId}) => ({...span, parentSpanId: spanId}),
  trace: spans => ({traceId: spans[0]?.traceId ?? '', spans}),
  root: ({spans}) => otlpRoot(spans),
  summary: ({summary}) => summary && {...summary, start: otlpMicros(summary.start), end: otlpMicros(summary.end)},
};

/** The number of a trace, and the parent of its span `i`. */
const TRACES: readonly (readonly [title: string, trace: number, parentOf: (i: number) => number | undefined])[] = [
  ['begins with its root', 1, i => (i === 0 ? undefined : 0)],
  ['has its root in the middle', 2, i => (i === SPANS / 2 ? undefined : SPANS / 2)],
  ['has no root', 3, i => (i + 1) % SPANS],
  ['has many roots', 4, i => (i % 3 === 0 ? undefined : i - 1)],
];

const spanOf = (trace: number, i: number): CommonSpan => ({
  trace: 0x5a7c4000 + trace,
  span: i + 1,
  // Several begin together, and the later ones lie outside a window of an hour.
  start: START + trace * 1000 + Math.floor(i / 4) * 60_000,
  duration: (i * 7) % 50,
  service: `s${i % 5}`,
  name: `work ${i % 9}`,
  kind: 'SERVER',
  error: i % 100 === 7,
  tags: {rare: `r${i % 50}`},
});

const FILTERS: readonly SpanFilter[] = [
  [],
  [{on: 'tag', key: 'rare', value: 'r3'}],
  [{on: 'status', value: 'ERROR'}],
  [
    {on: 'service', value: 's1'},
    {on: 'duration', is: '>', value: 20_000},
  ],
];

function matching<Fragment, Trace>(family: Family<Fragment, Trace>): Group {
  const {kind} = family;
  const fragments = TRACES.map(([, trace, parentOf]) => {
    const spans = Array.from({length: SPANS}, (_, i) => kind.fragment(spanOf(trace, i)));
    return spans.map((fragment, i) => {
      const parent = spans[parentOf(i) ?? -1];
      return parent === undefined ? fragment : family.child(fragment, parent);
    });
  });
  const window = {from: ALL.from, to: ALL.from + 3_600_000_000};

  return {
    name: `${kind.name}_matching`,
    needs: [kind.query],
    // Halves, so that the traces grow.
    data: kind.data([
      fragments.flatMap(spans => spans.slice(SPANS / 2)),
      fragments.flatMap(spans => spans.slice(0, SPANS / 2)),
    ]),
    tests: {
      [`of ${kind.name} traces a search may give what matches alone, with the root and the extent`]: async (
        t,
        subject,
      ) => {
        for (const filter of FILTERS) {
          const whole = await searched(kind.reader(subject), {filter, ...window});
          const found = await searched(kind.reader(subject), {filter, ...window, matching: true});
          sameList(t, found.map(kind.idOf), whole.map(kind.idOf), 'ids');
          for (const [i, trace] of found.entries()) compare(t, filter, trace, kind.fragmentsOf(whole[i] as Trace));
        }
      },
    },
  };

  /** `all`: the fragments of the whole trace. */
  function compare(t: TestContext, filter: SpanFilter, trace: Trace, all: readonly Fragment[]): void {
    const id = kind.idOf(trace);
    const summary = family.summary(trace);
    const wanted =
      summary === undefined ? all : all.filter(fragment => kind.matches(filter, ALL, family.trace([fragment])));
    const given = new Set(unordered(kind.fragmentsOf(trace)).map(text));
    const missing = unordered(wanted).filter(fragment => !given.has(text(fragment)));
    t.deepEqual(missing, [], `spans of ${id} that match ${JSON.stringify(filter)} and are missing`);
    if (summary === undefined) return;
    t.deepEqual(comparable(summary.root), comparable(family.root(family.trace(all))), `the root of ${id}`);
    t.deepEqual([summary.start, summary.end], extentOf(id), `the extent of ${id}`);
  }

  function extentOf(id: string): readonly number[] {
    const spans = TRACES.filter(([, trace]) => kind.id(0x5a7c4000 + trace) === id).flatMap(([, trace]) =>
      Array.from({length: SPANS}, (_, i) => spanOf(trace, i)),
    );
    const starts = spans.map(({start}) => start * 1000);
    const ends = spans.map(({start, duration}) => (start + duration) * 1000);
    return [Math.min(...starts), Math.max(...ends)];
  }
}

function text(fragment: unknown): string {
  return JSON.stringify(fragment, (_, part) => (typeof part === 'bigint' ? `${part}n` : part));
}

export const compatMatching = matching(compatFamily);
export const nativeMatching = matching(nativeFamily);
export const otlpMatching = matching(otlpFamily);

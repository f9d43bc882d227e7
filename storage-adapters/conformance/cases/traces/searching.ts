import type {SpanFilter, SpanKind, TimeWindow} from '../../../../core/api/adapter.js';
import {call} from '../../call.js';
import {searched} from '../../comparable.js';
import {otlp} from '../../data/otlp-format.js';
import {
  type CommonSpan,
  comparableFragments,
  comparableTrace,
  compat,
  native,
  type TraceFormat,
} from '../../data/trace-formats.js';
import type {Group} from '../../group.js';
import type {Subject} from '../../subject.js';
import {ALL, at, SPANS, traceNumber} from './scene.js';

interface Question {
  readonly filter: SpanFilter;
  readonly window?: TimeWindow;
  /** Numbers of the traces, in their order. */
  readonly found: readonly number[];
}

const tag = (key: string, value: string) => ({on: 'tag', key, value}) as const;
const duration = (is: '=' | '>' | '>=' | '<' | '<=', value: number) => ({on: 'duration', is, value}) as const;

const BY_CONDITION: readonly Question[] = [
  {filter: [{on: 'service', value: 'songs'}], found: [1]},
  {filter: [{on: 'service', value: 'son'}], found: []},
  {filter: [{on: 'service', value: 'Songs'}], found: []},
  {filter: [{on: 'service', value: ''}], found: []},
  {filter: [{on: 'service', value: "it's"}], found: [7]},
  {filter: [{on: 'service', value: '中文\u{1F600}'}], found: [7]},
  {filter: [{on: 'name', value: 'get /songs'}], found: [1]},
  {filter: [{on: 'name', value: 'get /'}], found: [6, 2, 1]},
  {filter: [{on: 'name', value: 'a % b_c'}], found: [7]},
  {filter: [{on: 'name', value: 'a _ b_c'}], found: []},
  {filter: [{on: 'name', value: ''}], found: [7]},
  {filter: [tag('http.method', 'GET')], found: [1]},
  {filter: [tag('http.method', 'get')], found: []},
  {filter: [tag('http_method', 'GET')], found: []},
  {filter: [tag('k"\\', "'; DROP TABLE spans; --")], found: [7]},
  {filter: [tag('\u{1F600}', '\uFF5E')], found: [7]},
  {filter: [tag('', '')], found: [7]},
  {filter: [tag('empty', '')], found: [7]},
  {filter: [tag('absent', '')], found: []},
  {filter: [{on: 'name-or-tag', name: 'compute', value: 'tagged'}], found: [7, 2]},
  {filter: [{on: 'name-or-tag', name: 'tagged', value: 'compute'}], found: []},
  {filter: [{on: 'name-or-tag', name: 'tie', value: 'nothing'}], found: [3, 4]},
  {filter: [{on: 'status', value: 'ERROR'}], found: [2]},
  {filter: [duration('=', 50_000)], found: [1]},
  {filter: [duration('=', 49_999)], found: []},
  {filter: [duration('>', 20_000)], found: [1]},
  {filter: [duration('>', 30_000), duration('<', 50_000)], found: []},
  {filter: [duration('>=', 30_000), duration('<', 50_000)], found: [1]},
  {filter: [duration('>=', 50_000)], found: [1]},
  {filter: [duration('>', 50_000)], found: []},
  {filter: [duration('<', 5000)], found: [2]},
  {filter: [duration('<=', 4999.5)], found: [2]},
  {filter: [duration('=', 0)], found: [2]},
  {filter: [duration('<', 0)], found: []},
  {filter: [duration('>', 6999.5), duration('<', 7000.5)], found: [2]},
];

/** The traces that have spans of a kind. */
const BY_KIND = {CLIENT: [1], INTERNAL: [2], UNSPECIFIED: [7], PRODUCER: []} as const satisfies Partial<
  Record<SpanKind, readonly number[]>
>;

const ON_ONE_SPAN: readonly Question[] = [
  {filter: [{on: 'service', value: 'split'}, tag('color', 'red')], found: [6]},
  {filter: [{on: 'service', value: 'split'}, tag('color', 'blue')], found: []},
  {filter: [{on: 'service', value: 'songs'}, tag('env', 'prod')], found: []},
  {
    filter: [{on: 'service', value: 'app'}, tag('http.method', 'GET'), tag('env', 'prod'), duration('=', 50_000)],
    found: [1],
  },
  {
    filter: [
      {on: 'name', value: 'compute'},
      {on: 'status', value: 'ERROR'},
    ],
    found: [],
  },
  {filter: [{on: 'kind', value: 'CLIENT'}, duration('>', 30_000)], found: []},
  {filter: [tag('color', 'red'), tag('color', 'blue')], found: []},
];

const BY_TIME: readonly Question[] = [
  {filter: [], found: [7, 6, 5, 3, 4, 2, 1]},
  {filter: [], window: {from: at(1000), to: at(1000) + 1}, found: [1]},
  {filter: [], window: {from: at(1000) + 1, to: at(1010)}, found: []},
  {filter: [], window: {from: at(999), to: at(1000)}, found: []},
  {filter: [], window: {from: at(3000), to: at(10_000)}, found: [3, 4]},
  {filter: [], window: {from: at(2001), to: at(3000)}, found: [2]},
  {filter: [], window: {from: at(2000), to: at(2000)}, found: []},
  {filter: [{on: 'status', value: 'ERROR'}], window: {from: at(2000), to: at(2001)}, found: [2]},
  {filter: [{on: 'status', value: 'ERROR'}], window: {from: at(2001), to: at(2002)}, found: []},
  {filter: [], window: {from: at(3_600_000), to: at(3_700_000)}, found: [5]},
  {filter: [tag('part', 'second')], found: [5]},
  {filter: [tag('part', 'first')], window: {from: at(3_600_000), to: at(3_700_000)}, found: []},
  {filter: [tag('part', 'second')], window: {from: at(0), to: at(3_600_000)}, found: []},
];

const ALL_NUMBERS = [7, 6, 5, 3, 4, 2, 1];

export function searching<Fragment, Trace>(kind: TraceFormat<Fragment, Trace>): Group {
  const fragments = SPANS.map(span => kind.fragment(span));
  const stored = ({data}: Subject, number: number): unknown => {
    const trace = traceNumber(number);
    const fragments = kind.fragmentsIn(data);
    const parts = SPANS.flatMap((span: CommonSpan, i) => (span.trace === trace ? (fragments[i] as Fragment) : []));
    return comparableFragments(kind.id(trace), parts, kind);
  };

  /** Kinds that the storage tells apart, with what a search for each has to find. */
  const kindQuestions = ({options}: Subject): readonly Question[] => {
    const kinds = Object.keys(BY_KIND) as (keyof typeof BY_KIND)[];
    return kinds.map(value => {
      const alike = kinds.filter(one => kind.representableKind(one, options.unsupported) === value);
      const found = ALL_NUMBERS.filter(number =>
        alike.some(one => (BY_KIND[one] as readonly number[]).includes(number)),
      );
      return {filter: [{on: 'kind', value}], found};
    });
  };

  /** The traces that match, of those that the search yields. */
  const search = async (subject: Subject, filter: SpanFilter, window: TimeWindow): Promise<readonly Trace[]> => {
    const traces = await searched(kind.reader(subject), {filter, ...window});
    return traces.filter(trace => kind.matches(filter, window, trace));
  };

  const ask =
    (questions: (subject: Subject) => readonly Question[]): Group['tests'][string] =>
    async (t, subject) => {
      for (const {filter, window = ALL, found} of questions(subject)) {
        const traces = await search(subject, filter, window);
        const about = JSON.stringify({filter, from: window.from - at(0), to: window.to - at(0)});
        t.deepEqual(
          traces.map(kind.idOf),
          found.map(number => kind.id(traceNumber(number))),
          `traces of ${about}`,
        );
      }
    };

  return {
    name: `${kind.name}_searching`,
    needs: [kind.query],
    data: kind.data([fragments]),
    tests: {
      [`a search of ${kind.name} traces finds by every condition exactly what it means`]: ask(subject => [
        ...BY_CONDITION,
        ...kindQuestions(subject),
      ]),
      [`all conditions of a search of ${kind.name} traces hold on the same span`]: ask(() => ON_ONE_SPAN),
      [`a search of ${kind.name} traces tells spans without an error from those with one`]: async (t, subject) => {
        for (const value of ['OK', 'UNSET'] as const) {
          const traces = await search(subject, [{on: 'status', value}], ALL);
          const expected = value === kind.fine ? ALL_NUMBERS : [];
          t.deepEqual(
            traces.map(kind.idOf),
            expected.map(number => kind.id(traceNumber(number))),
            value,
          );
        }
      },
      [`${kind.name} traces come newest first, ties by id, from the start of a window to before its end`]: ask(
        () => BY_TIME,
      ),
      [`a search yields whole ${kind.name} traces, each once, with the spans outside its window`]: async (
        t,
        subject,
      ) => {
        for (const [filter, window, numbers] of [
          [[tag('part', 'second')], {from: at(3_600_000), to: at(3_700_000)}, [5]],
          [[], ALL, [7, 6, 5, 3, 4, 2, 1]],
        ] as const) {
          const traces = await search(subject, filter, window);
          t.deepEqual(
            traces.map(trace => comparableTrace(kind, trace)),
            numbers.map(number => stored(subject, number)),
            JSON.stringify({filter}),
          );
        }
      },
      [`what a search of ${kind.name} traces yields beside the matching ones is in order too`]: async (t, subject) => {
        for (const {filter} of [...BY_CONDITION, ...kindQuestions(subject), ...ON_ONE_SPAN]) {
          const traces = await searched(kind.reader(subject), {filter, ...ALL});
          const order = ALL_NUMBERS.map(number => kind.id(traceNumber(number)));
          const positions = traces.map(trace => order.indexOf(kind.idOf(trace)));
          const sorted = [...new Set(positions)].sort((a, b) => a - b);
          t.deepEqual(positions, sorted, `the order with ${JSON.stringify(filter)}`);
        }
      },
      [`a hint on the whole duration takes away no ${kind.name} trace that fits it`]: async (t, subject) => {
        // Trace 1 takes 50 ms, the fifth an hour and 10 ms.
        for (const [traceDuration, fitting] of [
          [{min: 50_000}, [5, 1]],
          [{max: 50_000}, [7, 6, 3, 4, 2, 1]],
          [{min: 50_000, max: 50_000}, [1]],
          [{min: 49_999.5, max: 50_000.5}, [1]],
          [{min: 3_600_010_000}, [5]],
          [{max: 3_600_010_000}, [7, 6, 5, 3, 4, 2, 1]],
        ] as const) {
          const traces = await searched(kind.reader(subject), {filter: [], traceDuration, ...ALL});
          const ids = fitting.map(number => kind.id(traceNumber(number)));
          const found = traces.map(kind.idOf).filter(id => ids.includes(id));
          t.deepEqual(found, ids, JSON.stringify(traceDuration));
        }
      },
      [`a ${kind.name} trace is found by its id, whole, and nothing is found by another`]: async (t, subject) => {
        for (const number of [1, 2, 3, 4, 5, 6, 7]) {
          const found = await kind.reader(subject).trace(kind.id(traceNumber(number)), call);
          t.deepEqual(comparableTrace(kind, found), stored(subject, number), `trace ${number}`);
        }
        const ids = [
          kind.id(0x5ce4eff0),
          '',
          '%',
          "' OR '1'='1",
          '\u{1F600}',
          ' ',
          'x'.repeat(5000),
          kind.id(traceNumber(1)).slice(0, -1),
        ];
        for (const id of ids)
          t.is(await kind.reader(subject).trace(id, call), undefined, JSON.stringify(id.slice(0, 40)));
      },
    },
  };
}

export const compatSearching = searching(compat);
export const nativeSearching = searching(native);
export const otlpSearching = searching(otlp);

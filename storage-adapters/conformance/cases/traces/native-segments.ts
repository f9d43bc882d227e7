import type {NativeSpan, Segment, SpanFilter, SpanKind, TimeWindow} from '../../../../core/api/adapter.js';
import {call} from '../../call.js';
import {searched} from '../../comparable.js';
import {nativeSpan, segment} from '../../data/spans.js';
import {DAY, ownDays} from '../../data/times.js';
import {comparableFragments, comparableTrace, native} from '../../data/trace-formats.js';
import type {Group} from '../../group.js';
import type {Subject} from '../../subject.js';

const START = ownDays(16) * 1000;
const ALL: TimeWindow = {from: (START - DAY * 1000) * 1000, to: (START + 2 * DAY * 1000) * 1000};

/** Ids that differ in their case, in zeros and in spaces alone. Later ones start later. */
const IDS: readonly string[] = [
  'kit-ids.1',
  'KIT-IDS.1',
  ' kit-ids.1',
  'kit-ids.1 ',
  '0kit-ids.1',
  'kit-ids.01',
  "kit-ids'; DROP TABLE segments; --",
  'kit-ids.中文\u{1F600}',
  `kit-ids.${'x'.repeat(900)}`,
];

const FULL: Segment = {
  traceId: 'kit-full',
  traceSegmentId: "kit-full.'1'",
  layer: 'MESH',
  service: 'Full "Service"',
  serviceInstance: 'instance\n1',
  spans: [
    nativeSpan(0, START, {
      endTime: START + 123,
      operationName: 'GET:/\'"\\%_{}\u{1F600}',
      peer: '10.0.0.1:80',
      spanType: 'Entry',
      spanLayer: 'Http',
      componentId: 2_147_483_647,
      isError: true,
      skipAnalysis: true,
      tags: [
        {key: 'z', value: 'first'},
        {key: 'a', value: ''},
        {key: 'z', value: 'second'},
        {key: '', value: "'; DROP TABLE segments; --"},
      ],
      logs: [
        {
          time: START + 5,
          data: [
            {key: 'event', value: 'error'},
            {key: 'event', value: '\u{1F600}'},
          ],
        },
        {time: START + 1, data: []},
      ],
      refs: [
        {
          refType: 'CrossProcess',
          traceId: 'kit-other',
          parentTraceSegmentId: 'kit-other.1',
          parentSpanId: 3,
          parentService: "it's",
          parentServiceInstance: 'i',
          parentEndpoint: '/',
          networkAddressUsedAtPeer: '10.0.0.1:80',
        },
      ],
      attachedEvents: [
        {
          startTime: {seconds: 1_700_000_040n, nanos: 999_999_999},
          endTime: {seconds: 9_223_372_036_854_775_807n, nanos: 0},
          event: 'tcp connect',
          tags: [{key: 'k', value: 'v'}],
          summary: [
            {key: 'n', value: 9_007_199_254_740_993n},
            {key: 'n', value: -9_223_372_036_854_775_808n},
          ],
        },
      ],
    }),
    nativeSpan(1, START + 1, {component: 'MyThing', spanType: 'SomethingElse', spanLayer: 'Other', operationName: ''}),
  ],
};

const typed = (i: number): string => `kit-types.${i}`;
const TYPES: readonly (readonly [string, 'SERVER' | 'CLIENT' | 'INTERNAL' | 'UNSPECIFIED'])[] = [
  ['Entry', 'SERVER'],
  ['ENTRY', 'SERVER'],
  ['Exit', 'CLIENT'],
  ['Local', 'INTERNAL'],
  ['Odd', 'INTERNAL'],
  ['', 'UNSPECIFIED'],
];

/** Milliseconds from the start to the end: also an end before the start, and more microseconds than a float can tell. */
const DURATIONS: readonly number[] = [0, 1, -3, 4_294_967_297];

const one = (id: string, span: NativeSpan, service: string): Segment => segment(id, `${id}.1`, [span], service);

const SEGMENTS: readonly Segment[] = [
  ...IDS.map((id, i) => one(id, nativeSpan(0, START + i), 'ids')),
  FULL,
  ...TYPES.map(([spanType], i) => one(typed(i), nativeSpan(0, START + i, {spanType}), 'types')),
  ...DURATIONS.map((duration, i) =>
    one(`kit-durations.${i}`, nativeSpan(0, START + i, {endTime: START + i + duration}), 'durations'),
  ),
  segment('kit-pair', 'kit-pair.1', [nativeSpan(0, START, {tags: [{key: 'pair', value: 'one'}]})], 'pair'),
  segment('kit-pair', 'kit-pair.2', [nativeSpan(0, START + 5), nativeSpan(1, START + 6)], 'pair 2'),
];

async function found(subject: Subject, filter: SpanFilter): Promise<readonly string[]> {
  const traces = await searched(subject.native, {filter, ...ALL});
  return traces.filter(trace => native.matches(filter, ALL, trace)).map(({traceId}) => traceId);
}

const inService = (value: string) => ({on: 'service', value}) as const;

export const nativeSegments: Group = {
  name: 'native_segments',
  needs: ['traces.native.v2'],
  data: {segments: [SEGMENTS]},
  tests: {
    'the id of a native trace is its text, exactly': async (t, subject) => {
      for (const [i, id] of IDS.entries()) {
        const trace = await subject.native.trace(id, call);
        t.is(trace?.traceId, id, 'the trace found by its id');
        t.is(trace?.segments[0]?.spans[0]?.startTime, START + i, `the start of ${id.slice(0, 40)}`);
      }
      for (const id of ['kit-ids', 'kit-ids.2', 'Kit-ids.1', 'kit-ids%', 'kit-ids.1\n']) {
        t.is(await subject.native.trace(id, call), undefined, `found by ${JSON.stringify(id)}`);
      }
      t.deepEqual(await found(subject, [inService('ids')]), [...IDS].reverse(), 'a search');
    },
    'every member of a segment comes back as it was': async (t, subject) => {
      const trace = await subject.native.trace(FULL.traceId, call);
      const stored = native.fragmentsIn(subject.data).filter(({traceId}) => traceId === FULL.traceId);
      t.deepEqual(comparableTrace(native, trace), comparableFragments(FULL.traceId, stored), 'the trace');
    },
    'the segments of a trace come together, whichever matches': async (t, subject) => {
      const [trace] = await searched(subject.native, {filter: [{on: 'tag', key: 'pair', value: 'one'}], ...ALL});
      const expected = SEGMENTS.filter(({traceId}) => traceId === 'kit-pair');
      t.deepEqual(comparableTrace(native, trace), comparableFragments('kit-pair', expected), 'the trace');
    },
    'of a tag key that repeats the last value counts': async (t, subject) => {
      const tag = (value: string): SpanFilter => [{on: 'tag', key: 'z', value}];
      t.deepEqual(await found(subject, tag('second')), [FULL.traceId], 'the last value');
      t.deepEqual(await found(subject, tag('first')), [], 'a value before it');
      const request = {attribute: {of: 'tag', key: 'z'}, filter: [], limit: 9, ...ALL} as const;
      t.deepEqual([...(await subject.native.attributeValues(request, call))], ['second'], 'values');
      const filter: SpanFilter = [inService(FULL.service)];
      t.deepEqual([...(await subject.native.tagKeys({filter, ...ALL}, call))], ['', 'a', 'z'], 'keys, each once');
    },
    'kinds follow from the type of a span, in any case': async (t, subject) => {
      for (const value of ['SERVER', 'CLIENT', 'INTERNAL', 'UNSPECIFIED'] as const) {
        const isRepresentable = (kind: SpanKind): boolean =>
          native.representableKind(kind, subject.options.unsupported) === value;
        const expected = TYPES.flatMap(([, kind], i) => (isRepresentable(kind) ? typed(i) : [])).reverse();
        t.deepEqual(await found(subject, [inService('types'), {on: 'kind', value}]), expected, value);
      }
    },
    'durations of native spans are exact, also those of an end before the start': async (t, subject) => {
      for (const [i, duration] of DURATIONS.entries()) {
        for (const [is, by, matches] of [
          ['=', 0, true],
          ['>', 0, false],
          ['<', 0, false],
          ['>', -0.5, true],
          ['<', 0.5, true],
          ['=', 1, false],
        ] as const) {
          const filter: SpanFilter = [inService('durations'), {on: 'duration', is, value: duration * 1000 + by}];
          const has = (await found(subject, filter)).includes(`kit-durations.${i}`);
          t.is(has, matches, `${duration} ms ${is} ${duration * 1000 + by} µs`);
        }
      }
    },
    'an empty service or name of a native span is no value of it': async (t, subject) => {
      const values = await subject.native.attributeValues(
        {attribute: {of: 'name'}, filter: [], limit: 99, ...ALL},
        call,
      );
      t.true(!values.includes(''), 'the empty name is listed');
      t.deepEqual(
        await found(subject, [inService(FULL.service), {on: 'name', value: ''}]),
        [FULL.traceId],
        'found by it',
      );
    },
  },
};

import type {CompatSpan, SpanFilter, TimeWindow} from '../../../../core/api/adapter.js';
import {call} from '../../call.js';
import {searched} from '../../comparable.js';
import {compatSpan} from '../../data/spans.js';
import {DAY, ownDays} from '../../data/times.js';
import {comparableFragments, comparableTrace, compat} from '../../data/trace-formats.js';
import type {Group} from '../../group.js';
import type {Subject} from '../../subject.js';

const START = ownDays(15) * 1_000_000;
const ALL: TimeWindow = {from: START - DAY * 1_000_000, to: START + 2 * DAY * 1_000_000};
const span = (traceId: string, id: number, more: Partial<CompatSpan> = {}): CompatSpan =>
  compatSpan(traceId, id, {timestamp: START, ...more});

/** Trace id → what finds it, and what does not. */
const LOOKUPS: readonly {readonly stored: string; readonly by: readonly string[]; readonly not: readonly string[]}[] = [
  {
    stored: '00000000c0ffee0a',
    by: [
      '00000000c0ffee0a',
      'c0ffee0a',
      'C0FFEE0A',
      '0C0ffee0a',
      `${'0'.repeat(24)}c0ffee0a`,
      `${'0'.repeat(40)}C0FFEE0a`,
    ],
    not: ['c0ffee0', 'c0ffee0a0', 'c0ffee0a ', '0xc0ffee0a', '10000000c0ffee0a'],
  },
  {
    stored: '0000000c0ffee00b00000000c0ffee0a',
    by: ['0000000c0ffee00b00000000c0ffee0a', 'C0FFEE00B00000000C0FFEE0A', '0c0ffee00b00000000c0ffee0a'],
    not: ['c0ffee00b', '1000000c0ffee00b00000000c0ffee0a'],
  },
  {
    stored: 'ffffffffffffffffffffffffffffffff',
    by: ['F'.repeat(32)],
    not: ['f'.repeat(31), 'f'.repeat(33), 'f'.repeat(16)],
  },
];

/** Everything that a span can hold. */
const FULL = span('00000000f0110001', 1, {
  parentId: '00000000000000ff',
  kind: 'SERVER',
  name: 'get /\'"\\%_{}\u{1F600}',
  timestamp: START + 1,
  duration: 123_457,
  localEndpoint: {serviceName: 'full', ipv4: '10.0.0.1', ipv6: '2001:db8::1', port: 65_535},
  remoteEndpoint: {serviceName: 'remote', ipv4: '10.0.0.2', port: 1},
  annotations: [
    {timestamp: START + 1, value: 'a'},
    {timestamp: START + 1, value: 'b'},
    {timestamp: START + 2, value: "it's \n\u{1F600}"},
  ],
  tags: new Map([
    ['', 'empty key'],
    ['a', ''],
    ['k"\\', "'; DROP TABLE spans; --"],
    ['\uFF5E', 'x'],
    ['\u{1F600}', '中文\n\t\r'],
  ]),
  debug: true,
});
const BARE: CompatSpan = {traceId: FULL.traceId, id: '0000000000000002', annotations: [], tags: new Map()};
const FALSE = span(FULL.traceId, 3, {debug: false, kind: 'SOMETHING ELSE', localEndpoint: {ipv4: '10.0.0.3'}});

const HALVES = 'f0110002'.padStart(16, '0');
const SHARED: readonly CompatSpan[] = [
  span(HALVES, 1, {kind: 'CLIENT', name: 'client half'}),
  span(HALVES, 1, {kind: 'SERVER', shared: true, name: 'server half'}),
  span(HALVES, 1, {kind: 'SERVER', name: 'not shared'}),
  span(HALVES, 1, {name: 'no kind'}),
];

const kindOf = (i: number): string => `00000000f013000${i}`;
const KINDS = ['CLIENT', 'SERVER', 'PRODUCER', 'CONSUMER', 'ODD', undefined] as const;

const statusOf = (i: number): string => `00000000f014000${i.toString(16)}`;
/** Tags that make a status: `otel.status_code` where it is one, else `error`. */
const STATUSES: readonly (readonly ['ERROR' | 'OK' | 'UNSET', Readonly<Record<string, string>>])[] = [
  ['UNSET', {}],
  ['ERROR', {error: 'true'}],
  ['ERROR', {error: 'TRUE'}],
  ['UNSET', {error: 'false'}],
  ['UNSET', {error: '1'}],
  ['UNSET', {error: ''}],
  ['OK', {'otel.status_code': 'OK'}],
  ['OK', {error: 'true', 'otel.status_code': 'ok'}],
  ['ERROR', {'otel.status_code': 'STATUS_CODE_ERROR'}],
  ['ERROR', {error: 'false', 'otel.status_code': 'error'}],
  ['UNSET', {error: 'true', 'otel.status_code': 'UNSET'}],
  ['ERROR', {error: 'true', 'otel.status_code': 'something'}],
];

const TIMELESS = '00000000f0150001';
const PARTLY = '00000000f0150002';

const SPANS: readonly CompatSpan[] = [
  ...LOOKUPS.map(({stored}, i) => span(stored, i + 1)),
  FULL,
  BARE,
  FALSE,
  ...SHARED,
  ...KINDS.map((kind, i) =>
    span(kindOf(i), 1, {localEndpoint: {serviceName: 'kinds'}, timestamp: START + i, ...(kind && {kind})}),
  ),
  ...STATUSES.map(([, tags], i) =>
    span(statusOf(i), 1, {
      timestamp: START + i,
      localEndpoint: {serviceName: 'statuses'},
      tags: new Map(Object.entries(tags)),
    }),
  ),
  {...BARE, traceId: TIMELESS, tags: new Map([['timeless', 'alone']]), localEndpoint: {serviceName: 'timeless'}},
  {
    ...BARE,
    traceId: PARTLY,
    tags: new Map([['timeless', 'part']]),
    localEndpoint: {serviceName: 'timeless'},
    duration: 5,
  },
  span(PARTLY, 9, {localEndpoint: {serviceName: 'partly'}}),
];

async function found(subject: Subject, filter: SpanFilter): Promise<readonly string[]> {
  const traces = await searched(subject.compat, {filter, ...ALL});
  return traces.filter(trace => compat.matches(filter, ALL, trace)).map(({traceId}) => traceId);
}

const inService = (value: string) => ({on: 'service', value}) as const;

export const compatSpans: Group = {
  name: 'compat_spans',
  needs: ['traces.compat.v1'],
  data: {spans: [SPANS]},
  tests: {
    'a compat trace is found by its id in any case, with or without leading zeros': async (t, {compat: reader}) => {
      for (const {stored, by, not} of LOOKUPS) {
        for (const id of by) t.is((await reader.trace(id, call))?.traceId, stored, `found by ${id}`);
        for (const id of not) t.is(await reader.trace(id, call), undefined, `found by ${id}`);
      }
    },
    'every member of a compat span comes back as it was': async (t, {compat: reader, data}) => {
      const trace = await reader.trace(FULL.traceId, call);
      const stored = compat.fragmentsIn(data).filter(({traceId}) => traceId === FULL.traceId);
      t.deepEqual(comparableTrace(compat, trace), comparableFragments(FULL.traceId, stored), 'the trace');
    },
    'the halves of a shared span, and spans of another kind, are spans of their own': async (t, {compat: reader}) => {
      t.deepEqual(
        comparableTrace(compat, await reader.trace(HALVES, call)),
        comparableFragments(HALVES, SHARED),
        'the trace',
      );
    },
    'kinds that are not known are internal, and no kind is unspecified': async (t, subject) => {
      const all = ['CLIENT', 'SERVER', 'PRODUCER', 'CONSUMER', 'INTERNAL', 'UNSPECIFIED'] as const;
      const kinds = all.map(kind => compat.representableKind(kind, subject.options.unsupported));
      for (const value of all) {
        const expected = kinds.flatMap((kind, i) => (kind === value ? kindOf(i) : [])).reverse();
        t.deepEqual(await found(subject, [inService('kinds'), {on: 'kind', value}]), expected, value);
      }
      const request = {attribute: {of: 'kind'}, filter: [inService('kinds')], limit: 9, ...ALL} as const;
      const listed = await subject.compat.attributeValues(request, call);
      t.deepEqual([...listed], [...new Set(kinds)], 'kinds listed');
    },
    'the status is the tag otel.status_code where that is one, else the tag error': async (t, subject) => {
      for (const value of ['OK', 'ERROR', 'UNSET'] as const) {
        const expected = STATUSES.flatMap(([status], i) => (status === value ? statusOf(i) : [])).reverse();
        t.deepEqual(await found(subject, [inService('statuses'), {on: 'status', value}]), expected, value);
      }
      const request = {attribute: {of: 'status'}, filter: [inService('statuses')], limit: 9, ...ALL} as const;
      t.deepEqual([...(await subject.compat.attributeValues(request, call))], ['UNSET', 'ERROR', 'OK'], 'listed');
    },
    'spans without a time lie in no window, and come along with their trace': async (t, subject) => {
      t.deepEqual(await found(subject, [inService('timeless')]), [], 'a search for them');
      const isKept = !subject.options.unsupported?.includes('compat-timeless');
      t.is(
        (await subject.compat.trace(TIMELESS, call)) !== undefined,
        isKept,
        'a trace of them alone is found by its id',
      );
      const [trace] = await searched(subject.compat, {filter: [inService('partly')], ...ALL});
      t.is(trace?.spans.length, isKept ? 2 : 1, 'the spans of a trace with one of them');
      const keys = await subject.compat.tagKeys({filter: [inService('timeless')], ...ALL}, call);
      t.deepEqual([...keys], [], 'their tag keys');
      const request = {attribute: {of: 'tag', key: 'timeless'}, filter: [], limit: 9, ...ALL} as const;
      t.deepEqual([...(await subject.compat.attributeValues(request, call))], [], 'the values of their tags');
      const services = {attribute: {of: 'service'}, filter: [], limit: 99, ...ALL} as const;
      t.true(!(await subject.compat.attributeValues(services, call)).includes('timeless'), 'their service');
    },
    'a span without a duration takes no time, and a span without a service or name has none': async (t, subject) => {
      const filter: SpanFilter = [inService('kinds'), {on: 'duration', is: '<=', value: 0}];
      t.is((await found(subject, filter)).length, KINDS.length, 'spans that take no time');
      for (const of of ['service', 'name'] as const) {
        const values = await subject.compat.attributeValues({attribute: {of}, filter: [], limit: 99, ...ALL}, call);
        t.true(!values.includes(''), `the empty ${of} is listed`);
      }
    },
  },
};

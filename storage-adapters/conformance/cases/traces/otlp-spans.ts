import type {OtlpFilter, OtlpSpan} from '../../../../core/api/adapter.js';
import {call} from '../../call.js';
import {searched} from '../../comparable.js';
import {encodedOtlp} from '../../data/encoded-otlp.js';
import {otlp} from '../../data/otlp-format.js';
import {attributes, fullOtlpSpan, otlpSpan, resourceOf} from '../../data/otlp-spans.js';
import {DAY, ownDays} from '../../data/times.js';
import {comparableFragments, comparableTrace} from '../../data/trace-formats.js';
import type {Group} from '../../group.js';
import type {Subject} from '../../subject.js';

const START = BigInt(ownDays(52)) * 1_000_000_000n;
const MICROS = Number(START / 1000n);
const ALL = {from: MICROS, to: MICROS + DAY * 1_000_000};

const id = (number: number): string => `000000000000000000000000007e1${number.toString(16).padStart(3, '0')}`;
const FULL = fullOtlpSpan(id(1), 1, START + 123_456_789n);
/** From the year 2262 on, up to the end of 64 bits. */
const LATE = [2n ** 63n - 1n, 2n ** 63n, 2n ** 64n - 1n] as const;
const NUMBERS = [-2_147_483_648, -1, 6, 100, 2_147_483_647] as const;

/** Three traces that start a nanosecond after each other, in two microseconds, in an order that is not that of their ids. */
const STARTS: readonly OtlpSpan[] = [
  otlpSpan(id(0x13), 1, {startTime: START + 7_000_998n, endTime: START + 7_000_998n, name: 'close'}),
  otlpSpan(id(0x12), 1, {startTime: START + 7_000_999n, endTime: START + 7_002_000n, name: 'close'}),
  otlpSpan(id(0x11), 1, {startTime: START + 7_001_000n, endTime: START + 7_001_001n, name: 'close'}),
];

const SPANS: readonly OtlpSpan[] = [
  FULL,
  otlpSpan(id(1), 2, {startTime: START + 123_456_790n, endTime: START + 123_456_791n}),
  ...STARTS,
  ...LATE.map((time, i) => otlpSpan(id(0x20 + i), 1, {startTime: time, endTime: 2n ** 64n - 1n})),
  ...NUMBERS.map((number, i) =>
    otlpSpan(id(0x30), i + 1, {startTime: START + 1n, kind: number, status: {code: number, message: ''}}),
  ),
  otlpSpan(id(0x40), 1, {name: 'timeless', attributes: attributes({when: 'never'}), endTime: START + 5n}),
  otlpSpan(id(0x41), 1, {name: 'partly', startTime: START + 50n}),
  otlpSpan(id(0x41), 2, {name: 'timeless', attributes: attributes({when: 'never'})}),
  otlpSpan(id(0x50), 1, {startTime: START + 9_000_000n, endTime: START, name: 'backwards'}),
  otlpSpan('ffffffffffffffffffffffffffffffff', 1, {startTime: START + 60n, name: 'ids', resource: resourceOf('')}),
];

async function idsOf(subject: Subject, filter: OtlpFilter, window = ALL): Promise<readonly string[]> {
  const traces = await searched(subject.otlp, {filter, ...window});
  return traces.filter(trace => otlp.matches(filter, window, trace)).map(({traceId}) => traceId);
}

export const otlpSpans: Group = {
  name: 'otlp_spans',
  needs: ['traces.otlp.v1'],
  data: {otlpSpans: [SPANS]},
  tests: {
    'every member of an OTLP span comes back as it was, with its types': async (t, {otlp: reader}) => {
      const trace = await reader.trace(id(1), call);
      t.deepEqual(comparableTrace(otlp, trace), comparableFragments(id(1), SPANS.slice(0, 2), otlp), 'the trace');
    },
    'an OTLP trace is found by its id in any case, with or without leading zeros': async (t, {otlp: reader}) => {
      for (const text of [id(1), id(1).toUpperCase(), '7e1001', '07E1001', `00${id(1)}`]) {
        t.is((await reader.trace(text, call))?.traceId, id(1), text);
      }
      t.is((await reader.trace('f'.repeat(32), call))?.spans.length, 1, 'all bits');
      for (const text of ['7e1000', '0', '', `1${id(1)}`]) t.is(await reader.trace(text, call), undefined, text);
    },
    'starts and ends of OTLP spans are exact to the nanosecond, to the end of 64 bits': async (t, {otlp: reader}) => {
      for (const span of [...STARTS, ...SPANS.slice(5, 8)]) {
        const [found] = (await reader.trace(span.traceId, call))?.spans ?? [];
        t.deepEqual([found?.startTime, found?.endTime], [span.startTime, span.endTime], span.traceId);
      }
    },
    'OTLP spans lie in windows, and come in order, by whole microseconds of their start': async (t, subject) => {
      const close = [{on: 'name', value: 'close'}] as const;
      const at = (from: number, to: number) => ({from: MICROS + from, to: MICROS + to});
      t.deepEqual(await idsOf(subject, close), [id(0x11), id(0x12), id(0x13)], 'all');
      t.deepEqual(await idsOf(subject, close, at(7000, 7001)), [id(0x12), id(0x13)], 'the first microsecond');
      t.deepEqual(await idsOf(subject, close, at(7001, 7002)), [id(0x11)], 'the second');
    },
    'durations of OTLP spans are exact to the nanosecond, and none is negative': async (t, subject) => {
      const of = (is: '=' | '>' | '<', value: number) =>
        idsOf(subject, [
          {on: 'name', value: 'close'},
          {on: 'duration', is, value},
        ]);
      t.deepEqual(await of('=', 1.001), [id(0x12)], '1,001 ns');
      t.deepEqual(await of('=', 0.001), [id(0x11)], '1 ns');
      t.deepEqual(await of('=', 0), [id(0x13)], 'none');
      t.deepEqual(await of('>', 1), [id(0x12)], 'more than 1,000 ns');
      t.deepEqual(await of('<', 1), [id(0x11), id(0x13)], 'less than 1,000 ns');
      const backwards = [
        {on: 'name', value: 'backwards'},
        {on: 'duration', is: '=', value: 0},
      ] as const;
      t.deepEqual(await idsOf(subject, backwards), [id(0x50)], 'an end before the start');
    },
    'numbers of kinds and statuses that nobody knows are kept, and count as internal and unset': async (t, subject) => {
      const spans = (await subject.otlp.trace(id(0x30), call))?.spans ?? [];
      const kinds = spans.map(({kind}) => kind).sort((a, b) => a - b);
      const codes = spans.map(({status}) => status.code).sort((a, b) => a - b);
      t.deepEqual([kinds, codes], [[...NUMBERS], [...NUMBERS]], 'what comes back');
      const unknown = [
        {on: 'kind', value: 'INTERNAL'},
        {on: 'status', value: 'UNSET'},
      ] as const;
      t.deepEqual(await idsOf(subject, unknown), [id(0x30)], 'what is found');
    },
    'OTLP spans without a time lie in no window, and come along with their trace': async (t, subject) => {
      t.is((await subject.otlp.trace(id(0x40), call))?.spans[0]?.endTime, START + 5n, 'the trace by its id');
      t.deepEqual(await idsOf(subject, [{on: 'name', value: 'timeless'}]), [], 'a search for them');
      const [trace] = await searched(subject.otlp, {filter: [{on: 'name', value: 'partly'}], ...ALL});
      t.is(trace?.spans.length, 2, 'spans of a trace that has another one');
      const request = {attribute: {of: 'tag', key: 'when'}, filter: [], limit: 9, ...ALL} as const;
      t.deepEqual([...(await subject.otlp.attributeValues(request, call))], [], 'values');
    },
    'a span without a service is found by what it has': async (t, subject) => {
      t.deepEqual(await idsOf(subject, [{on: 'name', value: 'ids'}]), ['f'.repeat(32)], 'by its name');
      t.deepEqual(await idsOf(subject, [{on: 'service', value: ''}]), [], 'by an empty service');
    },
  },
};

const WRITTEN = BigInt(ownDays(53)) * 1_000_000_000n;
const WINDOW = {from: Number(WRITTEN / 1000n), to: Number(WRITTEN / 1000n) + DAY * 1_000_000};
const TRACE = id(0x60);
const ENCODED = id(0x61);

/** What a writer does with the same span again. */
export const otlpReplacing: Group = {
  name: 'otlp_replacing',
  needs: ['traces.otlp.v1', 'ingest.otlp.v1'],
  tests: {
    'the same trace id and span id again replaces an OTLP span, whatever its resource': async (t, subject) => {
      const first = fullOtlpSpan(TRACE, 1, WRITTEN + 5n);
      const other = otlpSpan(TRACE, 2, {startTime: WRITTEN + 6n});
      const second = otlpSpan(TRACE, 1, {startTime: WRITTEN + 7n, kind: 3, resource: resourceOf('other')});
      await subject.otlpWriter.write([first, other], call);
      await subject.otlpWriter.write([first, {...second, name: 'not this one'}, second], call);
      const trace = await subject.otlp.trace(TRACE, call);
      t.deepEqual(comparableTrace(otlp, trace), comparableFragments(TRACE, [other, second], otlp), 'the trace');
      const services = {attribute: {of: 'service'}, filter: [], limit: 9, ...WINDOW} as const;
      const found = (await subject.otlp.attributeValues(services, call)).map(({text}) => text);
      t.deepEqual(found, ['app', 'other'], 'services');
      t.deepEqual([...(await subject.otlp.tagKeys({scope: 'span', filter: [], ...WINDOW}, call))], [], 'keys');
    },
    'a writer that takes encoded OTLP spans stores them as it stores their objects': async (t, subject) => {
      const writer = subject.otlpWriter;
      if (writer.writeEncoded === undefined) return;
      const {encoded, spans} = encodedOtlp(ENCODED, WRITTEN + 5n);
      await writer.write(
        spans.map(span => ({...span, name: 'before'})),
        call,
      );
      await writer.writeEncoded(encoded, call);
      const trace = await subject.otlp.trace(ENCODED, call);
      t.deepEqual(comparableTrace(otlp, trace), comparableFragments(ENCODED, spans, otlp), 'the trace');
      const filter = [{on: 'tag', key: 'text', value: 'the last counts'}] as const;
      t.deepEqual(await idsOf(subject, filter, WINDOW), [ENCODED], 'what is found');
    },
  },
};

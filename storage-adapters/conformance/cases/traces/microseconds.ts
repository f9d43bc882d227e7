import type {CompatSpan, SpanFilter} from '../../../../core/api/adapter.js';
import {call} from '../../call.js';
import {searched} from '../../comparable.js';
import {compatSpan} from '../../data/spans.js';
import {ownDays} from '../../data/times.js';
import {compat} from '../../data/trace-formats.js';
import type {Group} from '../../group.js';

/** An odd number of microseconds, which neither a 32-bit float nor milliseconds can hold. */
const START = ownDays(17) * 1_000_000 + 123_457;
const DURATIONS: readonly number[] = [1, 16_777_217, 4_294_967_297, 2 ** 52 + 1];

const traceId = (i: number): string => `00000000ace0000${i}`;
const durationId = (i: number): string => `00000000ace1000${i}`;

/** Three traces that start a microsecond after each other, in an order that is not that of their ids. */
const STARTS: readonly CompatSpan[] = [
  compatSpan(traceId(3), 1, {timestamp: START, duration: 1, tags: new Map([['at', 'start']])}),
  compatSpan(traceId(1), 1, {timestamp: START + 1, duration: 1, tags: new Map([['at', 'start + 1']])}),
  compatSpan(traceId(2), 1, {timestamp: START + 2, duration: 1, tags: new Map([['at', 'start + 2']])}),
];

const LONG: readonly CompatSpan[] = DURATIONS.map((duration, i) =>
  compatSpan(durationId(i), 1, {timestamp: START + 1_000_000 + i, duration, localEndpoint: {serviceName: 'long'}}),
);

export const microseconds: Group = {
  name: 'microseconds',
  needs: ['traces.compat.v1'],
  data: {spans: [[...STARTS, ...LONG]]},
  tests: {
    'starts of compat spans are exact to the microsecond, in windows and in their order': async (t, subject) => {
      for (const [from, to, ids] of [
        [0, 3, [traceId(2), traceId(1), traceId(3)]],
        [0, 1, [traceId(3)]],
        [1, 2, [traceId(1)]],
        [1, 3, [traceId(2), traceId(1)]],
        [3, 4, []],
        [-1, 0, []],
      ] as const) {
        const window = {from: START + from, to: START + to};
        const traces = await searched(subject.compat, {filter: [], ...window});
        const found = traces.filter(trace => compat.matches([], window, trace)).map(trace => trace.traceId);
        t.deepEqual(found, ids, `traces in [${from}, ${to})`);
        const request = {attribute: {of: 'tag', key: 'at'}, filter: [], limit: 9, ...window} as const;
        t.is((await subject.compat.attributeValues(request, call)).length, ids.length, `values in [${from}, ${to})`);
      }
      const request = {attribute: {of: 'tag', key: 'at'}, filter: [], limit: 9, from: START, to: START + 3} as const;
      const values = await subject.compat.attributeValues(request, call);
      t.deepEqual([...values], ['start', 'start + 1', 'start + 2'], 'by the start of the earliest span');
      t.is((await subject.compat.trace(traceId(1), call))?.spans[0]?.timestamp, START + 1, 'what comes back');
    },
    'durations of compat spans are exact to the microsecond': async (t, subject) => {
      const window = {from: START, to: START + 10_000_000};
      for (const [i, duration] of DURATIONS.entries()) {
        t.is((await subject.compat.trace(durationId(i), call))?.spans[0]?.duration, duration, 'what comes back');
        for (const [is, value, matches] of [
          ['=', duration, true],
          ['>=', duration, true],
          ['<=', duration, true],
          ['=', duration + 1, false],
          ['>', duration, false],
          ['<', duration, false],
          ['>', duration - 1, true],
          ['<', duration + 1, true],
        ] as const) {
          const filter: SpanFilter = [
            {on: 'service', value: 'long'},
            {on: 'duration', is, value},
          ];
          const traces = await searched(subject.compat, {filter, ...window});
          const found = traces.filter(trace => compat.matches(filter, window, trace)).map(trace => trace.traceId);
          t.is(found.includes(durationId(i)), matches, `${duration} ${is} ${value}`);
        }
      }
    },
  },
};

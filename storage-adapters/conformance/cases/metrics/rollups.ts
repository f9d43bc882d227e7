import {type BucketWindow, type Rollup, STEP_SECONDS, type Step} from '../../../../core/api/adapter.js';
import {call} from '../../call.js';
import {comparableColumns} from '../../comparable.js';
import {batch, metric, type SampleInput} from '../../data/metrics.js';
import {DAY, HOUR, MINUTE, ownDays} from '../../data/times.js';
import type {Group, GroupTest} from '../../group.js';

const START = ownDays(3);
const ENTITY = {layer: 'KIT-ROLLUPS', service: 'a'};

/** Minute of the first day → value. Written in another order than that of their times. */
const MINUTES: Readonly<Record<number, number>> = {62: 9, 0: 3, 59: 5, 10: -2, 60: 15, 1439: -6, 1440: 100, 2879: 0};

/** Of the minutes above: the hours 0 and 1 and 23, the day, and the next day. */
const EXPECTED: Readonly<Record<Rollup, {readonly hours: readonly number[]; readonly days: readonly number[]}>> = {
  avg: {hours: [2, 12, -6], days: [4, 50]},
  sum: {hours: [6, 24, -6], days: [24, 100]},
  min: {hours: [-2, 9, -6], days: [-6, 0]},
  max: {hours: [5, 15, -6], days: [15, 100]},
  latest: {hours: [5, 9, -6], days: [-6, 0]},
};
const ROLLUPS = Object.keys(EXPECTED) as readonly Rollup[];

const nameOf = (rollup: Rollup): string => `kit_rollups_${rollup}`;

const samples: readonly SampleInput[] = ROLLUPS.flatMap(rollup =>
  [...Object.entries(MINUTES)].reverse().map(([minute, value]) => ({
    metric: nameOf(rollup),
    entity: ENTITY,
    time: START + Number(minute) * MINUTE,
    value,
  })),
);

/** One test of one rollup and step: the whole window, and each of its buckets alone. */
function reads(rollup: Rollup, step: Step, first: number, expected: readonly (number | null)[]): GroupTest {
  return async (t, subject) => {
    const definition = await subject.metric(nameOf(rollup));
    const read = async (window: BucketWindow) => {
      const request = {metric: definition, entity: ENTITY, valueFilters: new Map(), window};
      return comparableColumns(await subject.metrics.values(request, call));
    };
    const all = await read({step, first, count: expected.length});
    t.deepEqual(all, [{labels: {}, values: expected}], `${step} buckets from ${first}`);
    for (const [i, value] of expected.entries()) {
      const start = first + i * STEP_SECONDS[step];
      const alone = value === null ? [] : [{labels: {}, values: [value]}];
      t.deepEqual(await read({step, first: start, count: 1}), alone, `the ${step} bucket at ${start} alone`);
    }
  };
}

const tests: Record<string, GroupTest> = {};
for (const rollup of ROLLUPS) {
  const {hours, days} = EXPECTED[rollup];
  const [first = null, second = null, last = null] = hours;
  tests[`hours are the ${rollup} of their minutes that have a value`] = async (t, subject) => {
    await reads(rollup, 'hour', START - HOUR, [null, first, second, null])(t, subject);
    await reads(rollup, 'hour', START + 22 * HOUR, [null, last])(t, subject);
  };
  tests[`days are the ${rollup} of their minutes that have a value`] = reads(rollup, 'day', START - DAY, [
    null,
    ...days,
    null,
  ]);
  tests[`minutes are as they were written, with the rollup ${rollup}`] = reads(rollup, 'minute', START + 58 * MINUTE, [
    null,
    5,
    15,
    null,
    9,
    null,
  ]);
}

export const rollups: Group = {
  name: 'rollups',
  needs: ['metrics.query.v1'],
  data: {metrics: [batch({metrics: ROLLUPS.map(rollup => metric(nameOf(rollup), {rollup})), samples})]},
  tests,
};

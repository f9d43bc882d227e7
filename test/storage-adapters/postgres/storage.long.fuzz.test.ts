import test from 'ava';
import fc from 'fast-check';
import {FUZZ_RUNS} from '../../support/fuzz.js';
import {testWith} from '../../support/programs.js';
import {sharedPostgres} from '../../support/servers/postgres.js';
import type {SampleInput} from '../support/batches.js';
import {type Check, compareMetrics, historiesFrom, METRICS} from '../support/metric-histories.js';
import {startOracle} from '../support/oracle.js';
import {Harness} from './harness.js';

const server = sharedPostgres(test);

/** Each run is a history of dozens of writes and reads, so there are fewer of them. */
const RUNS = Math.ceil(FUZZ_RUNS / 200);

const DAY = 86_400;
/** A day before partitions of hours and of days begin, so that histories cross into the next ones. */
const START = 128 * DAY * Math.floor(1_700_000_000 / (128 * DAY)) - DAY;
const {samples, check} = historiesFrom(START);

type Action =
  | {readonly kind: 'write'; readonly gateway: number; readonly batches: readonly (readonly SampleInput[])[]}
  | {readonly kind: 'restart'; readonly gateway: number}
  | {readonly kind: 'check'; readonly gateway: number; readonly check: Check};

const gateway = fc.nat(1);
const batches = fc.array(samples, {minLength: 1, maxLength: 3});
const action: fc.Arbitrary<Action> = fc.oneof(
  {weight: 6, arbitrary: fc.record({kind: fc.constant('write'), gateway, batches})},
  {weight: 1, arbitrary: fc.record({kind: fc.constant('restart'), gateway})},
  {weight: 4, arbitrary: fc.record({kind: fc.constant('check'), gateway, check})},
) as fc.Arbitrary<Action>;

let schemas = 0;

testWith(test, 'postgres', 'any history of two gateways on one database reads as the oracle does', async t => {
  const url = (await server()).url();
  await fc.assert(
    fc.asyncProperty(fc.array(action, {minLength: 5, maxLength: 20, size: 'max'}), async actions => {
      const schema = `history_${++schemas}`;
      const gateways = [new Harness({url, schema}), new Harness({url, schema})];
      const oracle = await startOracle();
      const one = (index: number): Harness => gateways[index] ?? new Harness({url});
      try {
        await Promise.all(gateways.map(harness => harness.start()));
        await one(0).write({metrics: METRICS});
        await oracle.write({metrics: METRICS});
        for (const step of actions) {
          const harness = one(step.gateway);
          if (step.kind === 'write') {
            await Promise.all(step.batches.map(samples => harness.write({samples})));
            for (const samples of step.batches) await oracle.write({samples});
          } else if (step.kind === 'restart') {
            await harness.restart();
          } else {
            await compareMetrics(t, harness, oracle, step.check);
          }
        }
      } finally {
        for (const harness of gateways) await harness.storage.stop();
        await (await server()).sql(`DROP SCHEMA "${schema}" CASCADE`);
      }
    }),
    {numRuns: RUNS, endOnFailure: true, includeErrorInReport: true},
  );
  t.pass();
});

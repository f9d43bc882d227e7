import test from 'ava';
import fc from 'fast-check';
import {FUZZ_RUNS} from '../../support/fuzz.js';
import type {SampleInput} from '../support/batches.js';
import {type Check, compareMetrics, historiesFrom, METRICS, minute} from '../support/metric-histories.js';
import {startOracle} from '../support/oracle.js';
import {Harness, temporaryFolder} from './harness.js';

/** Each run is a history of dozens of writes and reads, so there are fewer of them. */
const RUNS = Math.ceil(FUZZ_RUNS / 400);

const DAY = 86_400;
/** Near the end of a row of 32 days, so that histories cross it. */
const START = 32 * DAY * Math.floor(1_700_000_000 / (32 * DAY)) - DAY;
const {samples, check} = historiesFrom(START);

type Action =
  | {readonly kind: 'write'; readonly batches: readonly (readonly SampleInput[])[]}
  | {readonly kind: 'fold'; readonly at: number; readonly batches: readonly (readonly SampleInput[])[]}
  | {readonly kind: 'restart'}
  | {readonly kind: 'check'; readonly check: Check};

const batches = fc.array(samples, {maxLength: 3});
const action: fc.Arbitrary<Action> = fc.oneof(
  {weight: 4, arbitrary: fc.record({kind: fc.constant('write'), batches})},
  {weight: 2, arbitrary: fc.record({kind: fc.constant('fold'), at: minute, batches})},
  {weight: 1, arbitrary: fc.record({kind: fc.constant('restart')})},
  {weight: 6, arbitrary: fc.record({kind: fc.constant('check'), check})},
) as fc.Arbitrary<Action>;

for (const memory of [0, 200_000, 16 * 2 ** 20]) {
  test(`any history reads as the oracle does, with ${memory} bytes of head`, async t => {
    await fc.assert(
      fc.asyncProperty(fc.array(action, {minLength: 10, maxLength: 30, size: 'max'}), async actions => {
        const path = await temporaryFolder(t);
        let now = START * 1000;
        const harness = await Harness.open({path, memory}, {clock: () => now});
        const oracle = await startOracle();
        try {
          await harness.write({metrics: METRICS});
          await oracle.write({metrics: METRICS});
          for (const one of actions) {
            if (one.kind === 'write') {
              await Promise.all(one.batches.map(samples => harness.write({samples})));
              for (const samples of one.batches) await oracle.write({samples});
            } else if (one.kind === 'fold') {
              now = Math.max(now, (START + one.at * 60) * 1000);
              await Promise.all([harness.storage.settle(), ...one.batches.map(samples => harness.write({samples}))]);
              for (const samples of one.batches) await oracle.write({samples});
            } else if (one.kind === 'restart') {
              await harness.restart();
            } else {
              await compareMetrics(t, harness, oracle, one.check);
            }
          }
        } finally {
          await harness.storage.stop();
        }
      }),
      {numRuns: RUNS, endOnFailure: true, includeErrorInReport: true},
    );
    t.pass();
  });
}

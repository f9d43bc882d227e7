import test from 'ava';
import fc from 'fast-check';
import {FUZZ_RUNS, holdsFor} from '../../support/fuzz.js';
import {suiteWith} from '../../support/programs.js';
import {startClickHouse} from '../../support/servers/clickhouse.js';
import {compareMetrics, historiesFrom, METRICS} from '../support/metric-histories.js';
import {startOracle} from '../support/oracle.js';
import {Harness} from './harness.js';

/** Each run is a history of dozens of statements, so there are fewer of them. */
const RUNS = Math.ceil(FUZZ_RUNS / 200);
const DAY = 86_400;
const {samples, check} = historiesFrom(DAY * Math.floor(1_700_000_000 / DAY));

const action = fc.oneof(
  {weight: 4, arbitrary: fc.record({batches: fc.array(samples, {maxLength: 3})})},
  {weight: 1, arbitrary: fc.constant('merge' as const)},
  {weight: 3, arbitrary: check},
);

suiteWith(test, 'clickhouse-server', 'histories of samples', () => {
  test('any history of samples reads as the oracle does, merged or not', async t => {
    const server = await startClickHouse(t);
    const effort = {runs: RUNS, milliseconds: 120_000};
    await holdsFor(fc.array(action, {minLength: 6, maxLength: 16, size: 'max'}), effort, async actions => {
      const harness = new Harness({urls: [server.url]});
      const oracle = await startOracle();
      try {
        await harness.start();
        await harness.write({metrics: METRICS});
        await oracle.write({metrics: METRICS});
        for (const one of actions) {
          if (one === 'merge') {
            await server.query(`OPTIMIZE TABLE ${harness.database}.minutes`);
          } else if ('batches' in one) {
            await Promise.all(one.batches.map(samples => harness.write({samples})));
            for (const samples of one.batches) await oracle.write({samples});
          } else {
            await compareMetrics(t, harness, oracle, one);
          }
        }
      } finally {
        await harness.storage.stop();
        await server.query(`DROP DATABASE ${harness.database}`);
      }
    });
    t.pass();
  });
});

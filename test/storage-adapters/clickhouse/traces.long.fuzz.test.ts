import test from 'ava';
import fc from 'fast-check';
import {FUZZ_RUNS, holdsFor} from '../../support/fuzz.js';
import {ownerOf} from '../../support/owner.js';
import {suiteWith} from '../../support/programs.js';
import {type ClickHouseServer, startClickHouse} from '../../support/servers/clickhouse.js';
import {compat, native, otlp, RetainingOracle, type TraceFormat} from '../support/retaining-oracle.js';
import {compatSpan, otlpSpan, segment} from '../support/trace-fragments.js';
import {batchesOf, check, compareTraces} from '../support/trace-histories.js';
import {Harness} from './harness.js';

/** Each run is a history of dozens of statements, so there are fewer of them. */
const RUNS = Math.ceil(FUZZ_RUNS / 375);

function action<Fragment>(fragment: fc.Arbitrary<Fragment>) {
  return fc.oneof(
    {weight: 6, arbitrary: fc.record({batches: batchesOf(fragment)})},
    {weight: 1, arbitrary: fc.constant('merge' as const)},
    {weight: 5, arbitrary: check},
  );
}

function histories<Fragment, Trace>(
  format: TraceFormat<Fragment, Trace>,
  fragment: fc.Arbitrary<Fragment>,
  server: () => Promise<ClickHouseServer>,
): void {
  test(`any history of ${format.name} traces reads as the oracle does, merged or not`, async t => {
    const running = await server();
    const effort = {runs: RUNS, milliseconds: 80_000};
    await holdsFor(fc.array(action(fragment), {minLength: 6, maxLength: 20, size: 'max'}), effort, async actions => {
      const harness = new Harness({urls: [running.url]});
      const oracle = new RetainingOracle(format);
      try {
        await harness.start();
        for (const one of actions) {
          if (one === 'merge') {
            for (const table of ['units', 'spans']) {
              await running.query(`OPTIMIZE TABLE ${harness.database}.${format.name}_${table}`);
            }
          } else if ('batches' in one) {
            await Promise.all(one.batches.map(fragments => format.write(harness, fragments)));
            for (const fragments of one.batches) await oracle.write(fragments, 0);
          } else {
            // A trace of which a span matched before it was replaced may be found too.
            await compareTraces(t, harness, format, oracle, one, 'others');
          }
        }
      } finally {
        await harness.storage.stop();
        await running.query(`DROP DATABASE ${harness.database}`);
      }
    });
    t.pass();
  });
}

suiteWith(test, 'clickhouse-server', 'histories of traces', () => {
  const owner = ownerOf(test);
  let started: Promise<ClickHouseServer> | undefined;
  const server = () => {
    started ??= startClickHouse(owner);
    return started;
  };
  histories(compat, compatSpan, server);
  histories(native, segment, server);
  histories(otlp, otlpSpan, server);
});

import test from 'ava';
import fc from 'fast-check';
import {FUZZ_RUNS, holdsFor} from '../../../support/fuzz.js';
import {compat, native, otlp, RetainingOracle, type TraceFormat} from '../../support/retaining-oracle.js';
import {compatSpan, otlpSpan, START, segment} from '../../support/trace-fragments.js';
import {batchesOf, type Check, check, compareTraces} from '../../support/trace-histories.js';
import {Harness, temporaryFolder} from '../harness.js';

/** Each run is a history of dozens of writes and reads, so there are fewer of them. */
const RUNS = Math.ceil(FUZZ_RUNS / 100);
const TIME_LIMIT = 60_000;
const HOUR = 3_600_000;

type Action<Fragment> =
  | {readonly kind: 'write'; readonly batches: readonly (readonly Fragment[])[]}
  | {readonly kind: 'settle'}
  | {readonly kind: 'restart'}
  | {readonly kind: 'expire'; readonly hours: number}
  | {readonly kind: 'check'; readonly check: Check};

function action<Fragment>(fragment: fc.Arbitrary<Fragment>): fc.Arbitrary<Action<Fragment>> {
  return fc.oneof(
    {weight: 8, arbitrary: fc.record({kind: fc.constant('write'), batches: batchesOf(fragment)})},
    {weight: 2, arbitrary: fc.record({kind: fc.constant('settle')})},
    {weight: 1, arbitrary: fc.record({kind: fc.constant('restart')})},
    {weight: 1, arbitrary: fc.record({kind: fc.constant('expire'), hours: fc.integer({min: 0, max: 3})})},
    {weight: 6, arbitrary: fc.record({kind: fc.constant('check'), check})},
  ) as fc.Arbitrary<Action<Fragment>>;
}

function histories<Fragment, Trace>(format: TraceFormat<Fragment, Trace>, fragment: fc.Arbitrary<Fragment>): void {
  test(`any history of ${format.name} traces reads as the oracle does`, async t => {
    const effort = {runs: RUNS, milliseconds: TIME_LIMIT};
    await holdsFor(fc.array(action(fragment), {minLength: 10, maxLength: 40, size: 'max'}), effort, async actions => {
      const keep = 100 * HOUR;
      let now = START;
      const harness = await Harness.open(
        {path: await temporaryFolder(t), retention: {traces: keep}},
        // Whatever is settled is packed, so what comes later comes to packed traces.
        {clock: () => now, packFrom: 1},
      );
      const oracle = new RetainingOracle(format);
      const expire = async () => {
        await harness.storage.settle();
        await oracle.expire((now - keep) * 1000);
      };
      try {
        for (const one of actions) {
          if (one.kind === 'write') {
            // A late fragment may be swept away before the next batch, so nothing may depend on what comes after it.
            const batches = now > START ? [one.batches.flat()] : one.batches;
            await Promise.all(batches.map(fragments => format.write(harness, fragments)));
            for (const fragments of one.batches) await oracle.write(fragments, now * 1000);
            if (now > START) await expire();
          } else if (one.kind === 'settle') {
            await harness.storage.settle();
          } else if (one.kind === 'restart') {
            await harness.restart();
          } else if (one.kind === 'expire') {
            now = Math.max(now, START + keep + one.hours * HOUR);
            await expire();
          } else {
            await compareTraces(t, harness, format, oracle, one.check);
          }
        }
      } finally {
        await harness.storage.stop();
      }
    });
    t.pass();
  });
}

histories(compat, compatSpan);
histories(native, segment);
histories(otlp, otlpSpan);

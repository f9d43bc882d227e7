import test from 'ava';
import fc from 'fast-check';
import {FUZZ_RUNS, holdsFor} from '../../../support/fuzz.js';
import {batchesOf, type Check, check, compareTraces} from '../../support/trace-histories.js';
import {compat, type KindUnderTest, Model, native} from '../../support/trace-model.js';
import {compatSpan, START, segment} from '../../support/trace-units.js';
import {Harness, temporaryFolder} from '../harness.js';

/** Each run is a history of dozens of writes and reads, so there are fewer of them. */
const RUNS = Math.ceil(FUZZ_RUNS / 100);
const TIME_LIMIT = 60_000;
const HOUR = 3_600_000;

type Action<Unit> =
  | {readonly kind: 'write'; readonly batches: readonly (readonly Unit[])[]}
  | {readonly kind: 'settle'}
  | {readonly kind: 'restart'}
  | {readonly kind: 'expire'; readonly hours: number}
  | {readonly kind: 'check'; readonly check: Check};

function action<Unit>(unit: fc.Arbitrary<Unit>): fc.Arbitrary<Action<Unit>> {
  return fc.oneof(
    {weight: 8, arbitrary: fc.record({kind: fc.constant('write'), batches: batchesOf(unit)})},
    {weight: 2, arbitrary: fc.record({kind: fc.constant('settle')})},
    {weight: 1, arbitrary: fc.record({kind: fc.constant('restart')})},
    {weight: 1, arbitrary: fc.record({kind: fc.constant('expire'), hours: fc.integer({min: 0, max: 3})})},
    {weight: 6, arbitrary: fc.record({kind: fc.constant('check'), check})},
  ) as fc.Arbitrary<Action<Unit>>;
}

function histories<Unit, Trace>(kind: KindUnderTest<Unit, Trace>, unit: fc.Arbitrary<Unit>): void {
  test(`any history of ${kind.name} traces reads as the model does`, async t => {
    const effort = {runs: RUNS, milliseconds: TIME_LIMIT};
    await holdsFor(fc.array(action(unit), {minLength: 10, maxLength: 40, size: 'max'}), effort, async actions => {
      const keep = 100 * HOUR;
      let now = START;
      const harness = await Harness.open(
        {path: await temporaryFolder(t), retention: {traces: keep}},
        {clock: () => now},
      );
      const model = new Model(kind);
      const expire = async () => {
        await harness.storage.settle();
        model.expire((now - keep) * 1000);
      };
      try {
        for (const one of actions) {
          if (one.kind === 'write') {
            // A late unit may be swept away before the next batch, so nothing may depend on what comes after it.
            const batches = now > START ? [one.batches.flat()] : one.batches;
            await Promise.all(batches.map(units => kind.write(harness, units)));
            for (const units of one.batches) model.write(units, now * 1000);
            if (now > START) await expire();
          } else if (one.kind === 'settle') {
            await harness.storage.settle();
          } else if (one.kind === 'restart') {
            await harness.restart();
          } else if (one.kind === 'expire') {
            now = Math.max(now, START + keep + one.hours * HOUR);
            await expire();
          } else {
            await compareTraces(t, harness, kind, model, one.check);
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

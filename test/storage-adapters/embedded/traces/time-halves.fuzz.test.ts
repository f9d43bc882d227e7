import test from 'ava';
import fc from 'fast-check';
import {otlpMicros} from '../../../../core/api/adapter.js';
import {microsOfHalves, nanosBetween} from '../../../../storage-adapters/embedded/traces/fragments/time-halves.js';
import {FUZZ_RUNS} from '../../../support/fuzz.js';

const time = fc.oneof(
  fc.constantFrom(0n, 999n, 1000n, 2n ** 32n - 1n, 2n ** 32n, 9_007_199_254_740_991_999n, 2n ** 63n, 2n ** 64n - 1n),
  fc.bigInt({min: 0n, max: 2n ** 64n - 1n}),
);

const halves = (nanos: bigint): [high: number, low: number] => [Number(nanos >> 32n), Number(nanos & 0xffff_ffffn)];

test('a time in two halves has the microseconds, and the distance from another, of the whole', t => {
  fc.assert(
    fc.property(time, time, (one, other) => {
      t.is(microsOfHalves(...halves(one)), otlpMicros(one));
      t.is(nanosBetween(...halves(one), ...halves(other)), Number(other - one));
    }),
    {numRuns: FUZZ_RUNS},
  );
});

import test from 'ava';
import fc from 'fast-check';
import {by, fractionOf, nearest, sumOf} from '../../../../storage-adapters/conformance/oracle/exact.js';
import {RoughMean} from '../../../../storage-adapters/embedded/metrics/rough-mean.js';
import {FUZZ_RUNS} from '../../../support/fuzz.js';

const value = fc.oneof(
  fc.integer({min: -100_000, max: 100_000}),
  fc.integer({min: 0, max: 100_000}).map(n => n / 1000),
  fc.double({noNaN: true, noDefaultInfinity: true}),
  fc.double({noNaN: true, min: -1e-307, max: 1e-307}),
  fc.constantFrom(2 ** 53, -(2 ** 53), 1e16, -1e16, Number.MAX_VALUE, -Number.MAX_VALUE, 5e-324, -5e-324, -0),
);
const bucket = fc.tuple(value, fc.oneof(fc.constant(60), fc.integer({min: 1, max: 60})));

test('a rough mean is not further from the exact one than its error says', t => {
  fc.assert(
    fc.property(fc.array(bucket, {minLength: 1, maxLength: 30}), buckets => {
      const rough = new RoughMean();
      for (const [total, minutes] of buckets) rough.add(total, minutes);
      if (rough.error === Number.POSITIVE_INFINITY) return true;
      const exact = nearest(
        by(sumOf(buckets.map(([total, minutes]) => by(fractionOf(total), minutes))), buckets.length),
      );
      return Math.abs(exact - rough.mean) <= rough.error;
    }),
    {numRuns: FUZZ_RUNS},
  );
  t.pass();
});

import test from 'ava';
import fc from 'fast-check';
import {BucketMean} from '../../../core/toolkit/exact-mean.js';
import {ExactSum} from '../../../core/toolkit/exact-sum.js';
import {by, fractionOf, nearest, sumOf} from '../../../storage-adapters/conformance/oracle/exact.js';
import {FUZZ_RUNS} from '../../support/fuzz.js';

const value = fc.oneof(
  fc.integer({min: -100_000, max: 100_000}),
  fc.integer({min: 0, max: 100_000}).map(n => n / 1000),
  fc.double({noNaN: true, noDefaultInfinity: true}),
  fc.double({noNaN: true, min: -1e-307, max: 1e-307}),
  fc.constantFrom(2 ** 53, -(2 ** 53), 1e16, -1e16, Number.MAX_VALUE, -Number.MAX_VALUE, 5e-324, -5e-324, -0),
);
const bucket = fc.tuple(value, fc.oneof(fc.constant(60), fc.integer({min: 1, max: 60})));
const terms = fc.array(value, {minLength: 1, maxLength: 12});

function summed(values: readonly number[]): ExactSum {
  const sum = new ExactSum();
  for (const one of values) sum.add(one);
  return sum;
}

test('a sum is the double nearest to the true sum, and with its remainder the true sum itself', t => {
  fc.assert(
    fc.property(terms, values => {
      const sum = summed(values);
      const exact = sumOf(values.map(fractionOf));
      const kept = sumOf([sum.rounded(), ...sum.remainder()].map(fractionOf));
      return Object.is(sum.rounded(), nearest(exact)) && kept.over * exact.under === exact.over * kept.under;
    }),
    {numRuns: FUZZ_RUNS},
  );
  t.pass();
});

test('a mean of buckets is the double nearest to the true mean', t => {
  fc.assert(
    fc.property(fc.array(bucket, {minLength: 1, maxLength: 12}), buckets => {
      const mean = new BucketMean();
      for (const [total, minutes] of buckets) mean.add(total, minutes);
      const exact = sumOf(buckets.map(([total, minutes]) => by(fractionOf(total), minutes)));
      return Object.is(mean.finish(), nearest(by(exact, buckets.length)));
    }),
    {numRuns: FUZZ_RUNS},
  );
  t.pass();
});

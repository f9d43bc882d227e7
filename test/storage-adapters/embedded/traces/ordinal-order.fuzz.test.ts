import test from 'ava';
import fc from 'fast-check';
import {OrdinalOrder} from '../../../../storage-adapters/embedded/traces/index/ordinal-order.js';
import {FUZZ_RUNS} from '../../../support/fuzz.js';

const SIZE = 500;

test('ordinals are brought into their order, each once, be they few or many', t => {
  const order = new OrdinalOrder(SIZE);
  const many = fc.oneof(fc.array(fc.nat(SIZE - 1), {maxLength: 12}), fc.array(fc.nat(SIZE - 1), {maxLength: 300}));
  fc.assert(
    fc.property(many, ordinals => {
      const sorted = Uint32Array.from(ordinals);
      const count = order.sort(sorted, ordinals.length);
      t.deepEqual(
        [...sorted.subarray(0, count)],
        [...new Set(ordinals)].sort((a, b) => a - b),
      );
    }),
    {numRuns: FUZZ_RUNS},
  );
});

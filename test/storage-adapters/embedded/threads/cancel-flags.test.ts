import test from 'ava';
import {CancelFlags} from '../../../../storage-adapters/embedded/threads/cancel-flags.js';

test('each call has a flag of its own, and one that is given back is not raised for the next', t => {
  const flags = new CancelFlags();
  const [first = -1, second = -1] = [flags.take(), flags.take()];
  t.not(first, second);
  flags.raise(first);
  t.is(Atomics.load(flags.shared, first), 1);
  t.is(Atomics.load(flags.shared, second), 0);
  flags.give(first);
  t.is(flags.take(), first);
  t.is(Atomics.load(flags.shared, first), 0);
});

test('when all flags are taken, calls go without until one comes back', t => {
  const flags = new CancelFlags();
  const taken = Array.from(flags.shared, () => flags.take());
  t.is(new Set(taken).size, flags.shared.length);
  t.false(taken.includes(undefined));
  t.is(flags.take(), undefined);
  flags.give(7);
  t.is(flags.take(), 7);
});

import type {TestFn} from 'ava';
import type {Owner} from './gateway.js';

/**
 * What all tests of a file share ends after the last of them, the newest first, and after the hooks that were registered
 * before this call: whoever removes something from a shared server does that while it runs.
 */
export function ownerOf(test: TestFn): Owner {
  const {owner, end} = makeOwner();
  test.serial.after.always('what the tests share is ended', end);
  return owner;
}

export function makeOwner(): {readonly owner: Owner; readonly end: () => Promise<void>} {
  const ends: (() => unknown)[] = [];
  return {
    owner: {teardown: end => void ends.push(end)},
    end: async () => {
      for (const end of ends.splice(0).reverse()) await end();
    },
  };
}

import type {TestFn} from 'ava';
import type {Owner} from '../../support/gateway.js';

/** What the tests of a file share: it ends after the last of them, the newest first. */
export function shared(test: TestFn): Owner {
  const ends: (() => unknown)[] = [];
  test.after.always('what the tests share is ended', async () => {
    for (const end of ends.splice(0).reverse()) await end();
  });
  return {teardown: end => void ends.push(end)};
}

import {setTimeout as sleep} from 'node:timers/promises';
import test from 'ava';
import {every} from '../../../core/toolkit/periodic.js';

test('work is done again and again, never twice at once, until the signal aborts', async t => {
  const ending = new AbortController();
  let running = 0;
  let turns = 0;
  await every(1, ending.signal, async () => {
    t.is(++running, 1);
    await sleep(3);
    running--;
    if (++turns === 3) ending.abort();
  });
  t.is(turns, 3);
  t.is(running, 0);
});

test('nothing is done when the signal aborts before the first turn', async t => {
  const ending = new AbortController();
  const done = every(1, ending.signal, async () => t.fail(), {first: 3_600_000});
  ending.abort();
  await done;
  await every(1, ending.signal, async () => t.fail());
  t.pass();
});

test('a turn that is under way is waited for', async t => {
  const ending = new AbortController();
  let isDone = false;
  await every(3_600_000, ending.signal, async () => {
    ending.abort();
    await sleep(5);
    isDone = true;
  });
  t.true(isDone);
});

test('an interval longer than a timer can be set for is waited for', async t => {
  const ending = new AbortController();
  let turns = 0;
  const done = every(30 * 86_400_000, ending.signal, async () => void turns++);
  const later = every(86_400_000, ending.signal, async () => t.fail(), {first: 30 * 86_400_000});
  await sleep(20);
  ending.abort();
  await Promise.all([done, later]);
  t.is(turns, 1);
});

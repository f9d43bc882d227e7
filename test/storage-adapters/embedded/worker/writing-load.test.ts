import test from 'ava';
import {WritingLoad} from '../../../../storage-adapters/embedded/worker/writing-load.js';

/** Milliseconds. */
const SECOND = 1000;

/** Commits of so many milliseconds, one every 100, for so many seconds; then a pause. */
function isHighAfter(commit: number, seconds: number, pause: number): boolean {
  const load = new WritingLoad();
  let now = 0;
  for (; now < seconds * SECOND; now += 100) load.add(commit, now);
  return load.isHigh(now + pause * SECOND);
}

for (const [what, commit, seconds, pause, expected] of [
  ['before anything was written', 0, 0, 0, false],
  ['while a burst goes on', 60, 20, 0, true],
  ['some seconds after a burst', 60, 20, 10, false],
  ['at the beginning of a burst', 60, 1, 0, false],
  ['while little is written', 10, 600, 0, false],
] as const) {
  test(`the load of writing ${what} is ${expected ? 'high' : 'not high'}`, t => {
    t.is(isHighAfter(commit, seconds, pause), expected);
  });
}

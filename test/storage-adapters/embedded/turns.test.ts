import {performance} from 'node:perf_hooks';
import test from 'ava';
import {Turns} from '../../../storage-adapters/embedded/threads/turns.js';

function work(milliseconds: number): void {
  const end = performance.now() + milliseconds;
  while (performance.now() < end);
}

test('many tasks together leave turns to others, in the order in which they came', async t => {
  const turns = new Turns(4);
  let others = 0;
  let isWorking = true;
  const other = (): void => {
    others++;
    if (isWorking) setImmediate(other);
  };
  setImmediate(other);
  const order: number[] = [];
  await Promise.all(
    Array.from({length: 30}, async (_, task) => {
      for (let step = 0; step < 3; step++) {
        await turns.run(() => work(3));
        if (step === 2) order.push(task);
      }
    }),
  );
  isWorking = false;
  t.true(others >= 40, `others had ${others} turns`);
  t.deepEqual(
    order,
    Array.from({length: 30}, (_, task) => task),
  );
});

test('short work goes on at once', async t => {
  const turns = new Turns(10_000);
  let others = 0;
  setImmediate(() => others++);
  for (let i = 0; i < 100; i++) t.is(await turns.run(() => i), i);
  t.is(others, 0);
});

import {setImmediate as turn} from 'node:timers/promises';
import test from 'ava';
import fc from 'fast-check';
import {Semaphore} from '../../../core/toolkit/semaphore.js';
import {FUZZ_RUNS} from '../../support/fuzz.js';

test('whoever waits takes over the place, and a place that is given back twice is given back once', async t => {
  const semaphore = new Semaphore(1);
  const release = await semaphore.acquire();
  const order: string[] = [];
  const first = semaphore.acquire().then(next => {
    order.push('first');
    return next;
  });
  t.like(semaphore, {running: 1, waiting: 1});
  release();
  release();
  const late = semaphore.acquire().then(() => order.push('late'));
  const releaseFirst = await first;
  await turn();
  t.deepEqual(order, ['first']);
  t.like(semaphore, {running: 1, waiting: 1});
  releaseFirst();
  await late;
  t.deepEqual(order, ['first', 'late']);
});

test('a task that fails gives its place back, and a signal that has aborted takes none', async t => {
  const semaphore = new Semaphore(1);
  await t.throwsAsync(
    semaphore.run(() => Promise.reject(new Error('no'))),
    {message: 'no'},
  );
  const reason = new Error('left');
  const never = (): never => t.fail();
  await t.throwsAsync(semaphore.run(never, AbortSignal.abort(reason)), {is: reason});
  t.like(semaphore, {running: 0, waiting: 0});
  t.is(await semaphore.run(() => Promise.resolve(7)), 7);
});

for (const places of [0, -1, Number.NaN]) {
  test(`a semaphore of ${places} places, which would never let anything run, is refused`, t => {
    t.throws(() => new Semaphore(places), {
      instanceOf: RangeError,
      message: `found ${places} places, expected at least 1`,
    });
  });
}

interface Task {
  /** Turns of the event loop that it takes, and before which it aborts. */
  readonly length: number;
  readonly patience: number | undefined;
}

const tasks: fc.Arbitrary<readonly Task[]> = fc.array(
  fc.record({length: fc.nat(4), patience: fc.option(fc.nat(6), {nil: undefined})}),
  {maxLength: 16},
);

const wait = async (turns: number): Promise<void> => {
  for (let i = 0; i < turns; i++) await turn();
};

test('the limit holds, the order is that of the calls, and whoever aborts while waiting never runs', async t => {
  await fc.assert(
    fc.asyncProperty(fc.integer({min: 1, max: 4}), tasks, async (places, all) => {
      const semaphore = new Semaphore(places);
      const begun: number[] = [];
      let running = 0;
      let most = 0;
      const outcomes = await Promise.all(
        all.map(async ({length, patience}, i) => {
          const controller = new AbortController();
          if (patience !== undefined) void wait(patience).then(() => controller.abort(`gave up ${i}`));
          const work = async (): Promise<string> => {
            begun.push(i);
            most = Math.max(most, ++running);
            await wait(length);
            running--;
            return 'done';
          };
          return semaphore.run(work, controller.signal).catch(reason => reason as string);
        }),
      );
      const ran = all.map((_, i) => i).filter(i => outcomes[i] === 'done');
      t.deepEqual(begun, ran);
      t.true(outcomes.every((outcome, i) => outcome === 'done' || outcome === `gave up ${i}`));
      t.true(all.every(({patience}, i) => patience !== undefined || outcomes[i] === 'done'));
      t.true(most <= places);
      t.like(semaphore, {running: 0, waiting: 0});
    }),
    {numRuns: Math.ceil(FUZZ_RUNS / 10)},
  );
});

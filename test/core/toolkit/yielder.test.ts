import test from 'ava';
import {GatewayError} from '../../../core/api/plugin.js';
import {complete, cooperate, forEachYielding, pause, type Steps} from '../../../core/toolkit/yielder.js';

// One after the other: they share the thread, and what is looked at is who has it.

/** Holds the thread for longer than a slice of time in each of its steps. */
function* long(steps: number, done: () => void = () => undefined): Steps<number> {
  for (let step = 0; step < steps; step++) {
    const end = performance.now() + 8;
    while (performance.now() < end);
    done();
    yield;
  }
  return steps;
}

const call = (signal = new AbortController().signal) => ({signal});

test.serial('a computation gives its result, with pauses and without', async t => {
  t.is(await cooperate(long(3), call()), 3);
  t.is(complete(long(3)), 3);
});

test.serial('long computations take turns, and what else the thread has to do comes in between', async t => {
  const order: string[] = [];
  let turns = 0;
  const other = setInterval(() => turns++, 0);
  await Promise.all(
    ['a', 'b', 'c'].map(name =>
      cooperate(
        long(12, () => order.push(name)),
        call(),
      ),
    ),
  );
  clearInterval(other);
  // After their first steps, each has one step a round.
  for (let from = 18; from < 27; from += 3) t.is(new Set(order.slice(from, from + 3)).size, 3);
  t.true(turns >= 6, `${turns} turns`);
});

test.serial('a computation ends at its next pause when its call is aborted', async t => {
  const controller = new AbortController();
  let steps = 0;
  const running = cooperate(
    long(100, () => {
      if (++steps === 3) controller.abort(new GatewayError('cancelled', 'client disconnected'));
    }),
    call(controller.signal),
  );
  await t.throwsAsync(running, {message: 'client disconnected'});
  t.true(steps < 10, `${steps} steps`);
});

test.serial(
  'a loop takes every item in its order, waits for what it gives, and lets others have their turn',
  async t => {
    const taken: number[] = [];
    const items = Array.from({length: 12}, (_, i) => i);
    let turns = 0;
    const other = setInterval(() => turns++, 0);
    await forEachYielding(items, item => {
      complete(long(1));
      if (item % 2 === 0) return void taken.push(item);
      return Promise.resolve().then(() => void taken.push(item));
    });
    clearInterval(other);
    t.deepEqual(taken, items);
    t.true(turns >= 6, `${turns} turns`);
  },
);

test.serial('a loop ends at its next pause when its call is aborted, and with what an item throws', async t => {
  const controller = new AbortController();
  let taken = 0;
  const take = (): void => {
    complete(long(1));
    if (++taken === 3) controller.abort(new GatewayError('cancelled', 'client disconnected'));
  };
  const items = Array.from({length: 100});
  await t.throwsAsync(forEachYielding(items, take, call(controller.signal)), {message: 'client disconnected'});
  t.true(taken < 10, `${taken} items`);
  const fail = (item: number): void => {
    if (item === 1) throw new RangeError('item 1');
  };
  await t.throwsAsync(forEachYielding([0, 1, 2], fail), {message: 'item 1'});
});

test.serial('a signal is not asked for while there is time', async t => {
  await new Promise(resolve => setImmediate(resolve));
  let asked = 0;
  const lazy = {
    get signal(): AbortSignal {
      asked++;
      return call().signal;
    },
  };
  await pause(lazy);
  t.is(asked, 0);
});

test.serial('steps whose call is aborted are ended, so that they give back what they hold', async t => {
  const controller = new AbortController();
  let isReleased = false;
  function* holding(): Steps<void> {
    try {
      yield* long(100, () => controller.abort(new Error('left')));
    } finally {
      isReleased = true;
    }
  }
  await t.throwsAsync(cooperate(holding(), call(controller.signal)), {message: 'left'});
  t.true(isReleased);
});

test.serial('a loop that waits for its items ends when its call is aborted', async t => {
  const controller = new AbortController();
  let taken = 0;
  const running = forEachYielding(
    Array.from({length: 100}),
    async () => {
      if (++taken === 3) controller.abort(new Error('left'));
    },
    call(controller.signal),
  );
  await t.throwsAsync(running, {message: 'left'});
  t.is(taken, 3);
});

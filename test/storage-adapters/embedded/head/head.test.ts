import test from 'ava';
import {Head} from '../../../../storage-adapters/embedded/head/head.js';
import {HourBlock} from '../../../../storage-adapters/embedded/head/hour-block.js';
import {Accumulator, NO_REMAINDER} from '../../../../storage-adapters/embedded/values/accumulator.js';

const HOUR = 3600;

function headOf(budget: number): Head {
  return new Head(budget, (_series, _hour, cell) => cell.reset('sum'));
}

function minutes(block: HourBlock | undefined, series: number): (number | undefined)[] {
  const values = new Float64Array(60);
  const present = new Uint8Array(60);
  block?.copy(series, 0, 60, values, present, 0);
  return Array.from(values, (value, i) => (present[i] === 1 ? value : undefined)).slice(0, 3);
}

function sumOf(block: HourBlock | undefined, series: number): number {
  const cell = new Accumulator();
  cell.reset('sum');
  block?.readPartial(series, cell);
  return cell.finish();
}

test('what is written while an hour is read from the disk stands against what was read', t => {
  const head = headOf(1e6);
  head.reset(10);
  const block = head.beginFill(9);
  head.put(5, 9 * 60 + 1, 100);
  block.fill(
    5,
    Float64Array.from({length: 60}, (_, i) => i),
    0,
  );
  t.false(head.covers({step: 'minute', first: 9 * HOUR, count: 1}), 'not before it is whole');
  head.endFill(true);
  t.true(head.covers({step: 'minute', first: 9 * HOUR, count: 1}));
  t.deepEqual(minutes(head.block(9), 5), [0, 100, 2]);
});

test('a fill that was in vain leaves no trace', t => {
  const head = headOf(1e6);
  head.reset(10);
  head.beginFill(9).fill(5, new Float64Array(60), 0);
  head.endFill(false);
  t.is(head.block(9), undefined);
  t.false(head.covers({step: 'minute', first: 9 * HOUR, count: 1}));
});

test('what expires while it is read from the disk is not brought back', t => {
  const head = headOf(1e6);
  head.reset(50);
  head.beginFill(49).fill(5, new Float64Array(60), 0);
  const read = [23, 24].map(hour => {
    const block = HourBlock.ofPartials(hour);
    block.fillPartial(5, 7, 1, NO_REMAINDER);
    return block;
  });
  head.expire({minutes: 50, hours: 24, daysAlone: 24});
  head.endFill(true);
  head.addPartials(0, read);
  t.is(head.block(49), undefined);
  t.deepEqual(
    [23, 24].map(hour => head.block(hour) === undefined),
    [true, false],
  );
});

test('writes to hours that the head does not keep are told once', t => {
  const head = headOf(1e6);
  head.reset(10);
  head.put(1, 7 * 60, 1);
  head.put(1, 8 * 60, 1);
  head.put(1, 11 * 60, 1);
  t.true(head.hasMissed);
  t.is(head.takeMissed(), 8);
  t.false(head.hasMissed);
});

test('the oldest minutes go first, their hours stay, and a late write to one ends what is known of it and before', async t => {
  const head = headOf(120_000);
  for (const hour of [1, 2, 3, 4, 5]) {
    head.put(3, hour * 60 + 2, hour);
    head.put(3, hour * 60 + 4, hour);
    await head.evict();
  }
  const covers = (step: 'minute' | 'hour', hour: number) => head.covers({step, first: hour * HOUR, count: 1});
  t.deepEqual(
    [1, 2, 3, 4, 5].map(hour => covers('minute', hour)),
    [false, false, true, true, true],
  );
  t.deepEqual(
    [1, 2, 3, 4, 5].map(hour => covers('hour', hour) && sumOf(head.block(hour), 3)),
    [2, 4, 6, 8, 10],
  );
  head.put(3, 2 * 60, 50);
  t.deepEqual(
    [1, 2, 3].map(hour => covers('hour', hour) && sumOf(head.block(hour), 3)),
    [false, false, 6],
  );
});

test('a write to an hour whose minutes are on their way out is in what stays of it', async t => {
  const head = headOf(60_000);
  for (const hour of [1, 2, 3]) head.put(3, hour * 60 + 2, hour);
  const evicted = head.evict();
  head.put(3, 60 + 4, 10);
  await evicted;
  t.false(head.covers({step: 'minute', first: HOUR, count: 1}));
  t.true(head.covers({step: 'hour', first: HOUR, count: 1}));
  t.is(sumOf(head.block(1), 3), 11);
});

test('an hour value follows a write to one of its minutes', t => {
  const head = headOf(1e6);
  head.put(3, 62, 1);
  t.is(sumOf(head.block(1), 3), 1);
  head.put(3, 63, 5);
  head.put(3, 62, 2);
  t.is(sumOf(head.block(1), 3), 7);
});

test('what has expired is no longer covered, and days least of all', t => {
  const head = headOf(1e6);
  for (const hour of [1, 30, 60]) head.put(3, hour * 60, 1);
  head.expire({minutes: 40, hours: 24, daysAlone: 24});
  t.is(head.block(1), undefined);
  t.is(sumOf(head.block(30), 3), 1);
  t.false(head.covers({step: 'minute', first: 30 * HOUR, count: 1}));
  t.true(head.covers({step: 'hour', first: 30 * HOUR, count: 1}));
  t.false(head.covers({step: 'day', first: 0, count: 2}));
  t.true(head.covers({step: 'day', first: 24 * HOUR, count: 2}));
});

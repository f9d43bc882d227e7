import {setTimeout as sleep} from 'node:timers/promises';
import test from 'ava';
import {ReaderPool} from '../../../../storage-adapters/embedded/threads/reader-pool.js';
import {Harness, temporaryFolder} from '../harness.js';

test('a second thread begins when a call finds the first one at work, and there are no more', async t => {
  const path = await temporaryFolder(t);
  await Harness.open({path});
  const pool = new ReaderPool(path, error => t.fail(error.message));
  await pool.start();
  const newest = () => pool.call('newestHour', {before: 0, step: 'hour'});
  const first = pool.pick();
  await newest();
  t.is(pool.pick(), first);

  const threads = new Set([first]);
  while (threads.size < 2) {
    const asked = newest();
    threads.add(pool.pick());
    await asked;
    await sleep(5);
  }
  const many = Array.from({length: 20}, () => {
    threads.add(pool.pick());
    return newest();
  });
  t.deepEqual(
    await Promise.all(many),
    many.map(() => null),
  );
  t.is(threads.size, 2);
  await pool.stop();
  t.false(pool.isRunning);
});

test('a pool that stops while a thread is opened leaves none behind', async t => {
  const path = await temporaryFolder(t);
  await Harness.open({path});
  const pool = new ReaderPool(path, error => t.fail(error.message));
  await pool.start();
  const asked = [1, 2].map(() => pool.call('newestHour', {before: 0, step: 'hour'}));
  await Promise.all([...asked, pool.stop()]);
  t.false(pool.isRunning);
});

import {type ChildProcess, spawn} from 'node:child_process';
import {once} from 'node:events';
import {join} from 'node:path';
import {createInterface} from 'node:readline';
import {fileURLToPath} from 'node:url';
import test from 'ava';
import Database from 'better-sqlite3';
import type {CompatSpan} from '../../../../core/api/adapter.js';
import {PackReader} from '../../../../storage-adapters/embedded/traces/index/pack-reader.js';
import {firstPosting} from '../../../../storage-adapters/embedded/traces/index/postings.js';
import {call} from '../../support/calls.js';
import {Harness, temporaryFolder} from '../harness.js';
import {dropOtlp} from './older-version.js';
import {EVER, searched, span, spansOf} from './support.js';

const CHILD = fileURLToPath(new URL('./writing-child.js', import.meta.url));

function lines(process: ChildProcess): AsyncIterable<string> {
  if (process.stdout === null) throw new Error('The child has no standard output.');
  return createInterface({input: process.stdout});
}

/** Traces of one span, each with its number in a tag. */
function numberedSpans(first: number, count: number): CompatSpan[] {
  return spansOf(count, 1, first).map((one, i) => ({...one, tags: new Map([['number', `${first + i}`]])}));
}

test('every acknowledged batch survives kill -9, whole and searchable, also in the middle of merging and packing', async t => {
  const path = await temporaryFolder(t);
  let next = 0;
  for (let round = 0; round < 3; round++) {
    const writing = spawn(process.execPath, [CHILD, path, String(next)], {stdio: ['ignore', 'pipe', 'inherit']});
    const until = next + 60 + round * 11;
    for await (const line of lines(writing)) {
      next = Number(line) + 1;
      if (next >= until) break;
    }
    const ended = once(writing, 'exit');
    writing.kill('SIGKILL');
    await ended;

    const harness = await Harness.open({path});
    const found = await searched(harness.compat);
    t.true(found.length >= next);
    t.true(found.every(({spans}) => spans.length === 3));
    await harness.storage.settle();
    t.is((await searched(harness.compat)).length, found.length);
    await harness.storage.stop();
    next = found.length;
  }
});

test('a database of the version with a row for each value in the index is taken on, and its blocks merged', async t => {
  const path = await temporaryFolder(t);
  const before = await Harness.open({path});
  await before.spans.write(numberedSpans(0, 300), call);
  await before.storage.stop();
  const database = new Database(join(path, 'gateway.db'));
  const packs = database
    .prepare<[], [number, string, Buffer]>('SELECT block, attribute, data FROM compat_postings WHERE first = -1')
    .raw()
    .all();
  t.true(packs.length > 0);
  const put = database.prepare('INSERT OR REPLACE INTO compat_postings VALUES (?, ?, ?, ?, ?)');
  for (const [block, attribute, data] of packs) {
    const reader = new PackReader(data);
    while (reader.next()) put.run(block, attribute, reader.value, firstPosting(reader.data), reader.data);
  }
  dropOtlp(database);
  database.pragma('user_version = 3');
  database.close();

  const harness = await Harness.open({path});
  const numbered = async (number: number) =>
    (await searched(harness.compat, [{on: 'tag', key: 'number', value: `${number}`}])).length;
  const request = {attribute: {of: 'tag', key: 'number'}, filter: [], ...EVER, limit: 10_000} as const;
  const listed = async () => (await harness.compat.attributeValues(request, call)).length;
  t.deepEqual([await numbered(7), await numbered(300), await listed()], [1, 0, 300]);
  for (let batch = 1; batch < 9; batch++) await harness.spans.write(numberedSpans(batch * 300, 300), call);
  await harness.storage.settle();
  t.deepEqual([await numbered(7), await numbered(2699), await numbered(2700), await listed()], [1, 1, 0, 2700]);
});

test('the index of spans that were mostly replaced is written anew without them', async t => {
  const path = await temporaryFolder(t);
  const harness = await Harness.open({path});
  await harness.spans.write(spansOf(1000, 2), call);
  for (let i = 0; i < 1000; i++) await harness.spans.write([span(i, 0, {name: 'put'})], call);
  await harness.spans.write([span(0, 1, {name: 'put'})], call);
  await harness.storage.settle();
  const found = async () => {
    const names = ['get', 'put'].map(value => searched(harness.compat, [{on: 'name', value}]));
    return (await Promise.all(names)).map(({length}) => length);
  };
  t.deepEqual(await found(), [999, 1000]);
  await harness.storage.stop();
  const database = new Database(join(path, 'gateway.db'), {readonly: true});
  const sums = 'SELECT sum(spans) AS spans, sum(dead) AS dead, sum(state = 0) AS leftover FROM compat_blocks';
  const {spans, dead, leftover} = database.prepare<[], Record<string, number>>(sums).get() ?? {};
  database.close();
  t.is(Number(spans) - Number(dead), 2000);
  t.is(leftover, 0);
  t.true(Number(dead) < 500, `${dead} of ${spans} are dead`);
  await harness.restart();
  t.deepEqual(await found(), [999, 1000]);
});

test('more than the queue holds is refused as overloaded, and what was taken is stored', async t => {
  const harness = await Harness.open({path: await temporaryFolder(t)});
  const batch = new Array<ReturnType<typeof span>>(150_000).fill(span(0, 0));
  const results = await Promise.allSettled([batch, [span(1, 0)], batch].map(spans => harness.spans.write(spans, call)));
  t.deepEqual(
    results.map(result => (result.status === 'rejected' ? result.reason.code : 'stored')),
    ['stored', 'stored', 'overloaded'],
  );
  t.is((await searched(harness.compat)).length, 2);
});

test('on a full disk a batch is refused as a whole, and what was stored is read', async t => {
  const path = await temporaryFolder(t);
  const full = await Harness.open({path}, {maxPages: 90, clock: () => 0});
  let stored = 0;
  const error = await t.throwsAsync(async () => {
    for (; stored < 500; stored++) await full.spans.write(spansOf(20, 5, stored * 20), call);
  });
  t.like(error, {code: 'storage_failed'});
  t.regex(error.message, /the disk is full/);
  t.true(stored > 0);
  t.is((await searched(full.compat)).length, stored * 20);
  t.like(await full.storage.health(call.signal), {status: 'degraded'});
  await full.storage.stop();

  const harness = await Harness.open({path});
  t.like(await harness.storage.health(call.signal), {status: 'ok'});
  await harness.spans.write(spansOf(20, 5, stored * 20), call);
  const found = await searched(harness.compat);
  t.is(found.length, (stored + 1) * 20);
  t.true(found.every(({spans}) => spans.length === 5));
});

test('old traces go as a whole, with their part of the index and their space', async t => {
  const path = await temporaryFolder(t);
  const HOUR = 3_600_000;
  let now = 1_700_000_000_000;
  const harness = await Harness.open({path, retention: {traces: 2 * HOUR}}, {clock: () => now});
  await harness.spans.write(spansOf(2000, 3), call);
  // The last span of this one comes three hours after the first.
  const late = span(0, 7, {timestamp: now * 1000 + 3 * HOUR * 1000});
  await harness.spans.write([late], call);
  now += 4 * HOUR;
  await harness.storage.settle();
  t.deepEqual(
    (await searched(harness.compat)).map(({spans}) => spans.length),
    [4],
  );
  t.is(await harness.compat.trace('2', call), undefined);
  now += 4 * HOUR;
  await harness.storage.settle();
  t.deepEqual(await searched(harness.compat), []);
  await harness.storage.stop();

  const database = new Database(join(path, 'gateway.db'), {readonly: true});
  t.teardown(() => database.close());
  for (const table of ['traces', 'units', 'blocks', 'columns', 'postings']) {
    t.is(database.prepare(`SELECT count(*) FROM compat_${table}`).pluck().get(), 0, table);
  }
});

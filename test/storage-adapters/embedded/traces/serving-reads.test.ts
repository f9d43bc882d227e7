import {setTimeout as sleep} from 'node:timers/promises';
import test, {type ExecutionContext} from 'ava';
import type {CompatSpan, SpanFilter} from '../../../../core/api/adapter.js';
import {ServingReads} from '../../../../storage-adapters/embedded/traces/serving-reads.js';
import {call} from '../../support/calls.js';
import {Harness, temporaryFolder} from '../harness.js';
import {EVER, searched, span, spansOf} from './support.js';

const [{traceId: FIRST}, {traceId: SECOND}, {traceId: NONE}] = [span(0, 0), span(1, 0), span(2, 0)];

/** A storage with these spans, and reads over it, for which no time passes. */
async function scene(t: ExecutionContext, spans: readonly CompatSpan[], now = () => 0) {
  const harness = await Harness.open({path: await temporaryFolder(t)}, {packFrom: 1});
  await harness.spans.write(spans, call);
  const reads = new ServingReads(harness.path, now);
  t.teardown(() => reads.close());
  return {harness, reads};
}

/** A thread that has the files locked for a moment makes one read in vain. */
async function unlocked<Found>(read: () => Found | undefined): Promise<Found | undefined> {
  for (let tries = 0; tries < 20; tries++) {
    const found = read();
    if (found !== undefined) return found;
    await sleep(5);
  }
  return undefined;
}

test('a small trace is read the same before and after it is packed, and what is acknowledged at once', async t => {
  const {harness, reads} = await scene(t, spansOf(1, 10));
  const read = (model: 'compat' | 'native', id: string) => unlocked(() => reads.trace(model, id));
  const before = await read('compat', FIRST);
  t.is(before?.length, 10);
  t.is(await read('compat', SECOND), null);
  await harness.spans.write(spansOf(1, 3, 1), call);
  t.is((await read('compat', SECOND))?.length, 3);
  await harness.storage.settle();
  t.deepEqual(await read('compat', FIRST), before);
  t.is((await read('compat', SECOND))?.length, 3);
  t.is(await read('compat', NONE), null);
  t.is(await read('native', FIRST), null);
});

test('a trace of many spans or of long ones is left to a reading thread, packed or not', async t => {
  const long = span(1, 0, {tags: new Map([['key', 'x'.repeat(2 ** 17)]])});
  const {harness, reads} = await scene(t, [...spansOf(1, 300), long]);
  t.is(reads.trace('compat', FIRST), undefined);
  t.is(reads.trace('compat', SECOND), undefined);
  await harness.storage.settle();
  t.is(reads.trace('compat', FIRST), undefined);
  t.is(reads.trace('compat', SECOND), undefined);
  t.is((await harness.compat.trace(FIRST, call))?.spans.length, 300);
  t.deepEqual((await harness.compat.trace(SECOND, call))?.spans, [long]);
});

test('a search for few traces is done at once, packed or not, and one for many or without a value is not', async t => {
  const {harness} = await scene(t, spansOf(60, 3));
  const searchOnce = (filter: SpanFilter): readonly string[] | undefined => {
    // No time passes: so none of them is given up for that, and none waits for those that were.
    const reads = new ServingReads(harness.path, () => 0);
    const found = reads.search('compat', {filter, ...EVER});
    reads.close();
    return found?.map(({id}) => id);
  };
  const search = (filter: SpanFilter) => unlocked(() => searchOnce(filter));
  const rare: SpanFilter = [
    {on: 'service', value: 'service-3'},
    {on: 'tag', key: 'key', value: 'value-10'},
    {on: 'duration', is: '>', value: 11},
  ];
  for (let round = 0; round < 2; round++) {
    const expected = (await searched(harness.compat, rare)).map(({traceId}) => traceId);
    t.is(expected.length, 1);
    t.deepEqual(await search(rare), expected);
    t.deepEqual(await search([{on: 'tag', key: 'key', value: 'nothing'}]), []);
    t.is(await search([{on: 'kind', value: 'UNSPECIFIED'}]), undefined);
    t.is(await search([{on: 'duration', is: '>', value: 11}]), undefined);
    t.is(await search([]), undefined);
    await harness.storage.settle();
  }
});

test('after a read that was slow, reading threads have the next ones for ten times as long', async t => {
  let time = 0;
  let pace = 0;
  const now = () => {
    time += pace;
    return time;
  };
  const {reads} = await scene(t, spansOf(1, 1), now);
  t.is(reads.trace('compat', FIRST)?.length, 1);
  pace = 5;
  t.is(reads.trace('compat', FIRST)?.length, 1);
  pace = 0;
  t.is(reads.trace('compat', FIRST), undefined);
  time += 50;
  t.is(reads.trace('compat', FIRST)?.length, 1);
});

test('where nothing can be read, and after the end, a reading thread is asked', async t => {
  const {harness, reads} = await scene(t, spansOf(1, 1));
  t.is(new ServingReads(`${harness.path}/none`).trace('compat', FIRST), undefined);
  t.is(reads.trace('compat', FIRST)?.length, 1);
  reads.close();
  t.is(reads.trace('compat', FIRST), undefined);
});

import {open, readFile} from 'node:fs/promises';
import {join} from 'node:path';
import test, {type ExecutionContext} from 'ava';
import Database from 'better-sqlite3';
import {call} from '../../support/calls.js';
import {Harness, temporaryFolder} from '../harness.js';
import {START, searched, span, spansOf} from './support.js';

const HOUR = 3_600_000;
const TRACE = span(0, 0).traceId;

/** How many rows a table has while the storage is open. */
function count(harness: Harness, table: string): number {
  const database = new Database(join(harness.path, 'gateway.db'), {readonly: true});
  const rows = database.prepare<[], number>(`SELECT count(*) FROM ${table}`).pluck().get() ?? 0;
  database.close();
  return rows;
}

/** A storage with a packed trace of 100 spans among ten others. */
async function packed(t: ExecutionContext, retention = {}, clock = () => START / 1000): Promise<Harness> {
  const harness = await Harness.open({path: await temporaryFolder(t), retention}, {packFrom: 1, clock});
  await harness.spans.write([...spansOf(1, 100), ...spansOf(10, 3, 1)], call);
  await harness.storage.settle();
  t.is(count(harness, 'compat_units'), 0);
  // 32 fragments at most in each.
  t.is(count(harness, 'compat_packs'), 4 + 10);
  return harness;
}

test('a packed trace takes late spans, others in the place of its own, and the same once more', async t => {
  const harness = await packed(t);
  const late = span(0, 100, {tags: new Map([['key', 'late']])});
  const other = span(0, 50, {tags: new Map([['key', 'other']])});
  const spans = [...spansOf(1, 100), late].map(one => (one.id === other.id ? other : one));
  await harness.spans.write([late, other, span(0, 3)], call);
  const check = async () => {
    const trace = await harness.compat.trace(TRACE, call);
    t.deepEqual(
      trace?.spans.toSorted((a, b) => (a.id < b.id ? -1 : 1)),
      spans,
    );
    for (const [value, found] of [
      ['late', 1],
      ['other', 1],
      ['value-0', 1],
      ['value-1', 1],
    ] as const) {
      t.is((await searched(harness.compat, [{on: 'tag', key: 'key', value}])).length, found, value);
    }
  };
  t.is(count(harness, 'compat_units'), 101, 'only what is written to is unpacked');
  await check();
  await harness.storage.settle();
  t.is(count(harness, 'compat_units'), 0);
  await check();
  await harness.restart();
  await check();
});

test('what is packed goes with its trace, and the dictionary when it has no trace any more', async t => {
  let now = START / 1000;
  const harness = await packed(t, {traces: 2 * HOUR}, () => now);
  t.is(count(harness, 'compat_dictionaries'), 1);
  now += 10 * HOUR;
  await harness.storage.settle();
  t.is(count(harness, 'compat_packs'), 0);
  t.is(count(harness, 'compat_traces'), 0);
  t.is(count(harness, 'compat_dictionaries'), 0);
  t.is(count(harness, 'compat_blocks'), 0);
  t.deepEqual(await searched(harness.compat), []);
  now = START / 1000;
  await harness.restart();
  await harness.spans.write(spansOf(1, 100), call);
  await harness.storage.settle();
  t.is(count(harness, 'compat_units'), 0);
  t.is((await harness.compat.trace(TRACE, call))?.spans.length, 100);
});

test('a changed byte in a packed trace is found by the check and by reading it; others are read', async t => {
  const harness = await packed(t);
  await harness.storage.stop();
  const file = join(harness.path, 'gateway.db');
  const database = new Database(file, {readonly: true});
  const data = database.prepare<[], Buffer>('SELECT data FROM compat_packs WHERE trace = 1').pluck().get() as Buffer;
  database.close();
  const at = (await readFile(file)).indexOf(data) + Math.floor(data.length / 2);
  const handle = await open(file, 'r+');
  await handle.write(Buffer.from([(data[Math.floor(data.length / 2)] as number) ^ 0x10]), 0, 1, at);
  await handle.close();

  await harness.start();
  await harness.storage.settle();
  const {status, message} = await harness.storage.health(call.signal);
  t.is(status, 'degraded');
  t.regex(message ?? '', /some of the traces \(compat_packs\) are damaged: 1 traces have a wrong checksum/);
  await t.throwsAsync(harness.compat.trace(TRACE, call), {message: /gateway\.db failed: it is damaged/});
  t.is((await harness.compat.trace(span(1, 0).traceId, call))?.spans.length, 3);
});

import {type ChildProcess, spawn} from 'node:child_process';
import {once} from 'node:events';
import {createInterface} from 'node:readline';
import {setTimeout as sleep} from 'node:timers/promises';
import {fileURLToPath} from 'node:url';
import test from 'ava';
import {plain} from '../support/answers.js';
import {metric} from '../support/batches.js';
import {call} from '../support/calls.js';
import {Harness, temporaryFolder} from './harness.js';

const CHILD = fileURLToPath(new URL('./writing-child.js', import.meta.url));
const FIRST = 28_333_320;
const FAR = 4_000_000_000_000;
const load = metric('load');

function child(path: string, mode: 'write' | 'fold', first = FIRST): ChildProcess {
  return spawn(process.execPath, [CHILD, path, mode, String(first)], {stdio: ['ignore', 'pipe', 'inherit']});
}

function lines(process: ChildProcess): AsyncIterable<string> {
  if (process.stdout === null) throw new Error('The child has no standard output.');
  return createInterface({input: process.stdout});
}

async function kill(process: ChildProcess): Promise<void> {
  const ended = once(process, 'exit');
  process.kill('SIGKILL');
  await ended;
}

/** How many minutes from FIRST on are there for every service, with the right values. */
async function completeMinutes(harness: Harness, count: number): Promise<number> {
  let complete = count;
  for (let i = 0; i < 100; i++) {
    const entity = {layer: 'L', service: `s${i}`};
    const window = {step: 'minute', first: FIRST * 60, count} as const;
    const [column] = await harness.metrics.values({metric: load, entity, valueFilters: new Map(), window}, call);
    const values = column === undefined ? [] : plain(column).values;
    const right = values.findIndex((value, minute) => value !== (FIRST + minute) * 100 + i);
    complete = Math.min(complete, right === -1 ? values.length : right);
  }
  return complete;
}

test('every acknowledged write survives kill -9, and writing goes on after it', async t => {
  const path = await temporaryFolder(t);
  let next = FIRST;
  for (let round = 0; round < 3; round++) {
    const writing = child(path, 'write', next);
    const until = next + 20 + round * 7;
    for await (const line of lines(writing)) {
      next = Number(line) + 1;
      if (next >= until) break;
    }
    await kill(writing);
    const harness = await Harness.open({path});
    t.true((await completeMinutes(harness, next - FIRST)) >= next - FIRST);
    await harness.storage.stop();
  }
});

test('a kill in the middle of folding loses nothing, and folding ends after it', async t => {
  const path = await temporaryFolder(t);
  const count = 400;
  let harness = await Harness.open({path}, {clock: () => 0});
  await harness.write({metrics: [load]});
  for (let i = 0; i < 100; i++) {
    const entity = {layer: 'L', service: `s${i}`};
    const minutes = Array.from({length: count}, (_, minute) => FIRST + minute);
    await harness.write({
      samples: minutes.map(minute => ({metric: 'load', entity, time: minute * 60, value: minute * 100 + i})),
    });
  }
  await harness.storage.stop();

  for (const delay of [1, 5, 10, 20, 40]) {
    const folding = child(path, 'fold');
    for await (const line of lines(folding)) if (line === 'folding') break;
    await sleep(delay);
    await kill(folding);
    harness = await Harness.open({path, memory: 0}, {clock: () => 0});
    t.is(await completeMinutes(harness, count), count);
    await harness.storage.stop();
  }

  harness = await Harness.open({path, memory: 0}, {clock: () => FAR});
  await harness.storage.settle();
  t.is(await completeMinutes(harness, count), count);
});

test('a folder is held by one adapter at a time: the second names the folder and the process', async t => {
  const path = await temporaryFolder(t);
  const harness = await Harness.open({path});
  const other = new Harness({path});
  const error = await t.throwsAsync(other.start());
  t.like(error, {code: 'storage_failed'});
  t.true(error.message.includes(path));
  t.true(error.message.includes(String(process.pid)));
  await other.storage.stop();

  await harness.write({metrics: [load]});
  await harness.storage.stop();
  await t.notThrowsAsync(other.start(), 'the lock ends with stop');
});

test('a folder is held by one process at a time, and a dead process holds nothing', async t => {
  const path = await temporaryFolder(t);
  const writing = child(path, 'write');
  for await (const _ of lines(writing)) break;
  const harness = new Harness({path});
  const error = await t.throwsAsync(harness.start());
  t.like(error, {code: 'storage_failed'});
  t.true(error.message.includes(`process ${writing.pid}`));
  await kill(writing);
  await t.notThrowsAsync(harness.start());
});

test('with durability "power" a write is stored and read all the same', async t => {
  const path = await temporaryFolder(t);
  const harness = await Harness.open({path, durability: 'power'});
  await harness.write({
    metrics: [load],
    samples: [{metric: 'load', entity: {layer: 'L', service: 's0'}, time: FIRST * 60, value: FIRST * 100}],
  });
  await harness.restart();
  const window = {step: 'minute', first: FIRST * 60, count: 1} as const;
  const request = {metric: load, entity: {layer: 'L', service: 's0'}, valueFilters: new Map(), window};
  t.deepEqual((await harness.metrics.values(request, call)).map(plain), [{labels: {}, values: [FIRST * 100]}]);
});

import {join} from 'node:path';
import {setTimeout as sleep} from 'node:timers/promises';
import {Worker} from 'node:worker_threads';
import test from 'ava';
import Database from 'better-sqlite3';
import type {GatewayError} from '../../../core/api/adapter.js';
import {plain} from '../support/answers.js';
import {metric} from '../support/batches.js';
import {call} from '../support/calls.js';
import {Harness, temporaryFolder} from './harness.js';

const START = 1_700_000_040;
const load = metric('load');

/** Every worker that was ever sent a message, so that a test can end one as a crash would. */
const workers = new Set<Worker>();
const {postMessage} = Worker.prototype;
Worker.prototype.postMessage = function (...message) {
  workers.add(this);
  return postMessage.apply(this, message);
};

const sample = (name: string, value: number) => ({
  metric: 'load',
  entity: {layer: 'L', service: name},
  time: START,
  value,
});

async function read(harness: Harness, name: string): Promise<unknown> {
  const window = {step: 'minute', first: START, count: 1} as const;
  const request = {metric: load, entity: {layer: 'L', service: name}, valueFilters: new Map(), window};
  return (await harness.metrics.values(request, call)).map(plain)[0]?.values[0];
}

async function healthy(harness: Harness, healthy: boolean): Promise<void> {
  while (((await harness.storage.health(call.signal)).status === 'ok') !== healthy) await sleep(50);
}

test.serial('when its threads die, calls in flight fail, health says so, and the adapter recovers', async t => {
  const path = await temporaryFolder(t);
  const harness = await Harness.open({path, memory: 0});
  await harness.write({metrics: [load], samples: [sample('a', 1)]});

  // Until the version is put right again, a thread that is started anew cannot open the database.
  const database = new Database(join(path, 'gateway.db'));
  const version = database.pragma('user_version', {simple: true});
  database.pragma('user_version = 99');
  const pending = harness.write({samples: Array.from({length: 50_000}, () => sample('b', 2))});
  const failed = t.throwsAsync(pending);
  await Promise.all([...workers].map(worker => worker.terminate()));
  // Failed with the thread, or unavailable while it is started again.
  const codes = ['storage_failed', 'storage_unavailable'];
  t.true(codes.includes(((await failed) as GatewayError).code));
  await healthy(harness, false);
  t.true(codes.includes(((await t.throwsAsync(harness.write({samples: [sample('c', 3)]}))) as GatewayError).code));
  database.pragma(`user_version = ${version}`);
  database.close();

  await healthy(harness, true);
  await harness.write({samples: [sample('c', 4)]});
  let value: unknown;
  while (value === undefined) value = await read(harness, 'c').catch(() => sleep(50));
  t.is(value, 4);
  t.is(await read(harness, 'a'), 1);
  t.true(harness.warnings.some(({message}) => message.startsWith('the writing thread has died')));
});

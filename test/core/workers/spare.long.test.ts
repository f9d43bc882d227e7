import {setTimeout as sleep} from 'node:timers/promises';
import anyTest, {type TestFn} from 'ava';
import {type Run, type RunningGateway, scratchFolder, startGateway} from '../../support/gateway.js';
import {ownerOf} from '../../support/owner.js';
import {answers, figureOf, fresh, isAlive, kill, ONCE, PID, pidsOf, reload, statusOf, until} from './scene.js';

const test = anyTest as TestFn;
const owner = ownerOf(anyTest);
let gateway: RunningGateway;

const LOADED = 'a spare worker has loaded its modules';
const AGAIN = 'the spare worker has ended and is made again';

const whole = (config: object = {}) => ({
  workers: 2,
  logLevel: 'debug',
  listeners: {admin: {port: 0}, pid: {port: 0}},
  plugins: [{use: PID}],
  ...config,
});

const linesOf = (running: Run, message: string) => running.log.filter(({msg}) => msg === message);

const workersOf = async (running: RunningGateway): Promise<readonly number[]> =>
  (await statusOf(running)).workers.flatMap(({pid}) => pid ?? []);

/** The latest one that has loaded what it needs, once there is one that is no worker. */
async function spareOf(running: RunningGateway): Promise<number> {
  const workers = await workersOf(running);
  for (;;) {
    const latest = Number(linesOf(running, LOADED).at(-1)?.pid ?? 0);
    if (latest > 0 && isAlive(latest) && !workers.includes(latest)) return latest;
    await sleep(20);
  }
}

/** Resolves when so many workers serve again. */
async function servesAgain(running: Run, times: number): Promise<void> {
  await until(() => linesOf(running, 'a worker serves again').length >= times);
}

test.serial.before('two workers serve', async () => {
  gateway = await startGateway(owner, {folder: await scratchFolder(owner), config: whole()});
});

test.serial('a spare worker is none of the workers, and answers nobody', async t => {
  const spare = await spareOf(gateway);
  t.is((await workersOf(gateway)).length, 2);
  const {text: page} = await fresh(`${gateway.urls.admin}/metrics`);
  t.is(figureOf(page, 'query_gateway_fixture_processes{component="pid"}'), 2);
  t.notRegex(page, /query_gateway_worker_restarts_total\{/);
  t.false((await pidsOf(gateway.urls.pid, 12)).includes(spare));
});

test.serial('a spare worker that dies is made again, and is no restart of a worker', async t => {
  const [before, workers] = [await spareOf(gateway), await workersOf(gateway)];
  kill(before);
  t.like(await gateway.logged(AGAIN), {pid: before, how: 'SIGKILL', level: 'warn'});
  t.not(await spareOf(gateway), before);
  const {workers: now} = await statusOf(gateway);
  t.deepEqual(
    now.map(({pid, state, restarts}) => ({pid, state, restarts})),
    workers.map(pid => ({pid, state: 'ok', restarts: 0})),
  );
});

test.serial('a worker that dies is followed by the spare one, behind which another is made', async t => {
  const [spare, [first, second]] = [await spareOf(gateway), await workersOf(gateway)];
  kill(second);
  await servesAgain(gateway, 1);
  t.deepEqual(await workersOf(gateway), [first ?? 0, spare]);
  t.deepEqual(
    await pidsOf(gateway.urls.pid),
    [first ?? 0, spare].sort((a, b) => a - b),
  );
  t.not(await spareOf(gateway), spare);
  t.is(linesOf(gateway, AGAIN).length, 1);
});

test.serial('a spare worker serves the configuration that is in force, also what came by a reload', async t => {
  const listeners = {admin: {port: 0}, pid: {port: 0}, once: {port: 0}};
  const plugins = [{use: PID, config: {word: 'in force'}}, {use: ONCE}];
  t.is((await reload(gateway, whole({listeners, plugins}))).status, 200);
  t.is((await reload(gateway, whole({plugins: [{use: PID, config: {word: 'refused', deadly: 1}}]}))).status, 400);
  const [spare, [first]] = [await spareOf(gateway), await workersOf(gateway)];
  kill(first);
  await servesAgain(gateway, 2);
  const all = await answers(gateway.urls.pid, 6);
  t.deepEqual([...new Set(all.map(({word}) => word))], ['in force']);
  t.true(all.some(({pid}) => pid === spare));
  // What only the first runs, it runs.
  t.like((await statusOf(gateway)).plugins[1], {name: 'once', state: 'ok'});
});

test.serial('workers that die together are followed by as many, though only one was spare', async t => {
  const [spare, workers] = [await spareOf(gateway), await workersOf(gateway)];
  for (const pid of workers) kill(pid);
  await servesAgain(gateway, 4);
  const after = await workersOf(gateway);
  t.is(after.length, 2);
  t.true(after.includes(spare));
  t.deepEqual(
    await pidsOf(gateway.urls.pid),
    [...after].sort((a, b) => a - b),
  );
});

test.serial('a stop ends the spare worker too, and is clean', async t => {
  const all = [await spareOf(gateway), ...(await workersOf(gateway))];
  t.is(await gateway.stop(), 0);
  await until(() => !all.some(isAlive));
  t.is(linesOf(gateway, AGAIN).length, 1);
});

test.serial('a spare worker ends with the process that holds the workers together, also while it loads', async t => {
  // That the run has ended tells it: every process has the other end of its log.
  const loading = await startGateway(t, {config: whole()});
  loading.process.kill('SIGKILL');
  t.is(await loading.exit, null);
  const loaded = await startGateway(t, {config: whole()});
  const spare = await spareOf(loaded);
  loaded.process.kill('SIGKILL');
  t.is(await loaded.exit, null);
  await until(() => !isAlive(spare));
});

test.serial('a worker that dies while the spare one loads is followed by another', async t => {
  const started = await startGateway(t, {config: whole()});
  kill((await workersOf(started))[0]);
  await servesAgain(started, 1);
  t.is((await pidsOf(started.urls.pid)).length, 2);
});

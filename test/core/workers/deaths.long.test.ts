import {once} from 'node:events';
import {rm, writeFile} from 'node:fs/promises';
import {Agent, request} from 'node:http';
import {join} from 'node:path';
import {text} from 'node:stream/consumers';
import test from 'ava';
import {run, scratchFolder, startGateway} from '../../support/gateway.js';
import {answers, figureOf, fresh, kill, ONCE, PID, pidsOf, statusOf, until} from './scene.js';

const whole = (config: object = {}) => ({
  workers: 2,
  listeners: {admin: {port: 0}, pid: {port: 0}, once: {port: 0}},
  plugins: [{use: PID}, {use: ONCE}],
  ...config,
});

test.serial('a worker that dies is followed by another, and counters do not fall', async t => {
  const gateway = await startGateway(t, {config: whole()});
  const line = 'query_gateway_http_requests_total{component="pid",route="/pid",status="200"}';
  const count = async () => figureOf((await fresh(`${gateway.urls.admin}/metrics`)).text, line) ?? 0;
  const before = await pidsOf(gateway.urls.pid, 10);
  t.is(await count(), 10);
  const [first, second] = (await statusOf(gateway)).workers.map(({pid}) => pid ?? 0);
  kill(first);
  await gateway.logged('a worker has ended and is started again');
  t.like(
    gateway.log.find(({msg}) => msg === 'a worker has ended and is started again'),
    {worker: 'worker 1', how: 'SIGKILL', pid: first ?? 0},
  );
  // The other one goes on alone, and whoever wants what only the first has waits for the next one.
  const asked = answers(gateway.urls.once, 1);
  t.deepEqual(await pidsOf(gateway.urls.pid), [second ?? 0]);
  const now = await statusOf(gateway);
  t.like(now.workers[0], {state: 'degraded', restarts: 1, message: 'it has ended (SIGKILL) and is started again'});
  t.like(now.plugins[1], {name: 'once', state: 'degraded', message: 'worker 1, which runs it, is not there'});
  const ready = await fresh(`${gateway.urls.admin}/-/ready`);
  t.is(ready.status, 200);
  t.regex(ready.text, /"degraded"[\s\S]*worker 1: it has ended/);
  t.true((await count()) >= 10);
  await gateway.logged('a worker serves again');
  const after = await pidsOf(gateway.urls.pid);
  t.is(after.length, 2);
  t.false(after.includes(first ?? 0));
  t.is(before.length, 2);
  t.deepEqual(
    (await asked).map(({pid}) => pid),
    after.filter(pid => pid !== second),
  );
  t.true((await count()) >= 22);
  const {text: page} = await fresh(`${gateway.urls.admin}/metrics`);
  t.is(figureOf(page, 'query_gateway_worker_restarts_total{component="gateway",worker="1"}'), 1);
  t.is((await fresh(`${gateway.urls.admin}/-/ready`)).json<{status: string}>().status, 'ok');
});

test.serial('connections that are kept are spread again when a worker is back, and no request fails', async t => {
  const gateway = await startGateway(t, {config: whole()});
  const agents = Array.from({length: 10}, () => new Agent({keepAlive: true, maxSockets: 1}));
  const ask = async (agent: Agent): Promise<number> => {
    const [response] = await once(request(`${gateway.urls.pid}/pid`, {agent}).end(), 'response');
    return (JSON.parse(await text(response)) as {pid: number}).pid;
  };
  const askAll = async (): Promise<readonly number[]> => {
    const counts = new Map<number, number>();
    for (const agent of agents) {
      const pid = await ask(agent);
      counts.set(pid, (counts.get(pid) ?? 0) + 1);
    }
    return [...counts.values()];
  };
  kill((await statusOf(gateway)).workers[0]?.pid);
  await gateway.logged('a worker has ended and is started again');
  t.deepEqual(await askAll(), [10]);
  await gateway.logged('a worker serves again');
  // Some of these answers end their connections.
  await askAll();
  t.deepEqual(await askAll(), [5, 5]);
  for (const agent of agents) agent.destroy();
});

test.serial('when all workers have died, whoever comes waits for the next one', async t => {
  const gateway = await startGateway(t, {config: whole()});
  for (const {pid} of (await statusOf(gateway)).workers) kill(pid);
  await gateway.logged('a worker has ended and is started again');
  t.is((await answers(gateway.urls.pid, 4)).length, 4);
});

test.serial('a worker that dies at once is started again ever later, while the others serve', async t => {
  const deadly = join(await scratchFolder(t), 'deadly');
  const gateway = await startGateway(t, {config: whole({plugins: [{use: PID, config: {deadly}}, {use: ONCE}]})});
  await writeFile(deadly, '');
  const {workers} = await statusOf(gateway);
  kill(workers[1]?.pid);
  const ends = () => gateway.log.filter(({msg}) => msg === 'a worker has ended and is started again');
  await until(() => ends().length === 4);
  t.deepEqual(
    ends()
      .slice(1)
      .map(({how}) => how),
    ['exit code 7', 'exit code 7', 'exit code 7'],
  );
  const pauses = ends()
    .slice(1)
    .map(({pause}) => Number(pause));
  t.deepEqual(
    pauses,
    [...pauses].sort((a, b) => a - b),
  );
  t.true((pauses[0] ?? 0) < (pauses[2] ?? 0));
  t.deepEqual(await pidsOf(gateway.urls.pid), [workers[0]?.pid ?? 0]);
  t.regex(
    (await fresh(`${gateway.urls.admin}/-/ready`)).text,
    /worker 2: it did not start: worker 2 has ended \(exit code 7\)/,
  );
  await rm(deadly);
  await gateway.logged('a worker serves again');
  t.is((await pidsOf(gateway.urls.pid)).length, 2);
  t.is(await gateway.stop(), 0);
});

for (const [title, config, message] of [
  ['no worker can start', {deadly: true}, /worker 1 has ended \(exit code 7\).*the gateway did not start/],
  ['one worker cannot start', {alone: true}, /EEXIST.*the gateway did not start/],
] as const) {
  test.serial(`when ${title}, the start ends with the reason`, async t => {
    const folder = await scratchFolder(t);
    const file = join(folder, 'file');
    if ('deadly' in config) await writeFile(file, '');
    const own = Object.fromEntries(Object.keys(config).map(key => [key, file]));
    const running = await run(t, {folder, config: whole({plugins: [{use: PID, config: own}]})});
    t.is(await running.exit, 1);
    t.regex(running.stderr.join('\n'), message);
    t.deepEqual(running.stdout, []);
  });
}

test.serial('an address that is taken ends the start as it does with one process', async t => {
  const other = await startGateway(t, {config: {listeners: {admin: {port: 0}, pid: {port: 0}}, plugins: [{use: PID}]}});
  const port = Number(new URL(other.urls.pid ?? '').port);
  const running = await run(t, {config: whole({listeners: {admin: {port: 0}, pid: {port}, once: {port: 0}}})});
  t.is(await running.exit, 1);
  t.regex(
    running.stderr.join('\n'),
    /the listener \\"pid\\" cannot open 127\.0\.0\.1:\d+: another process.*EADDRINUSE/,
  );
});

test.serial('a stop while the workers start ends them', async t => {
  const running = await run(t, {config: whole()});
  await running.logged('the sockets are open');
  t.is(await running.stop(), 0);
});

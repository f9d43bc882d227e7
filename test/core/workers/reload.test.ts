import {writeFile} from 'node:fs/promises';
import {join} from 'node:path';
import anyTest, {type TestFn} from 'ava';
import {type RunningGateway, startGateway} from '../../support/gateway.js';
import {ask} from '../../support/http.js';
import {ownerOf} from '../../support/owner.js';
import {answers, figureOf, fresh, isAlive, kill, PID, pidsOf, reload, statusOf, until} from './scene.js';

const test = anyTest as TestFn;
const owner = ownerOf(anyTest);
let gateway: RunningGateway;

const whole = (config: object = {}) => ({
  workers: 2,
  listeners: {admin: {port: 0}, pid: {port: 0}},
  plugins: [{use: PID}],
  ...config,
});

const wordsOf = async (url = gateway.urls.pid): Promise<readonly string[]> => [
  ...new Set((await answers(url, 6)).map(({word}) => word)),
];

test.serial.before('two workers serve', async () => {
  gateway = await startGateway(owner, {config: whole()});
});

test.serial('a reload takes place in every worker, which stays', async t => {
  const before = await pidsOf(gateway.urls.pid);
  t.is((await reload(gateway, whole({plugins: [{use: PID, config: {word: 'second'}}]}))).status, 200);
  t.deepEqual(await wordsOf(), ['second']);
  t.deepEqual(await pidsOf(gateway.urls.pid), before);
  t.true((await statusOf(gateway)).reload?.success);
  t.is(gateway.log.filter(({msg}) => msg === 'the configuration was read again and is in force').length, 1);
});

test.serial('what one worker alone cannot start changes nothing in any', async t => {
  const alone = join(gateway.folder, 'alone');
  const plugins = [
    {use: PID, config: {word: 'third'}},
    {use: PID, prefix: '/alone', config: {alone}},
  ];
  const refused = await reload(gateway, whole({plugins}));
  t.is(refused.status, 400);
  const [problem] = refused.json<{problems: {key: string; message: string}[]}>().problems;
  t.is(problem?.key, 'plugins[1]');
  t.regex(problem?.message ?? '', /EEXIST/);
  t.deepEqual(await wordsOf(), ['second']);
  t.is((await statusOf(gateway)).plugins.length, 1);
  const {text: page} = await fresh(`${gateway.urls.admin}/metrics`);
  t.is(figureOf(page, 'query_gateway_config_reload_success{component="gateway"}'), 0);
});

for (const [title, config, key, message] of [
  [
    'another number of workers',
    {workers: 3},
    'workers',
    'cannot change from 2 to 3 while the gateway runs; restart it',
  ],
  [
    'one process in place of several',
    {workers: 1},
    'workers',
    'cannot change from 2 to 1 while the gateway runs; restart it',
  ],
  ['no number of workers', {workers: 0}, 'workers', 'found 0, expected a whole number from 1 to 256, or "cores"'],
] as const) {
  test.serial(`${title} is a mistake at its key`, async t => {
    const refused = await reload(gateway, whole(config));
    t.is(refused.status, 400);
    t.deepEqual(refused.json<{problems: object[]}>().problems, [{key, message}]);
    t.deepEqual(await wordsOf(), ['second']);
  });
}

test.serial(
  'an address that is added is served by every worker, one that goes by none, and port 0 keeps its port',
  async t => {
    const before = await pidsOf(gateway.urls.pid);
    const plugins = [{use: PID}, {use: PID, listener: 'added', config: {word: 'added'}}];
    const listeners = {admin: {port: 0}, pid: {port: 0}, added: {port: 0}};
    t.is((await reload(gateway, whole({listeners, plugins}))).status, 200);
    await until(() => gateway.log.some(({sockets}) => (sockets as {added?: string} | undefined)?.added !== undefined));
    const sockets = gateway.log.map(line => line.sockets as {added?: string} | undefined);
    const added = `http://${sockets.find(names => names?.added !== undefined)?.added}`;
    t.deepEqual(await pidsOf(added), before);
    t.deepEqual(await wordsOf(added), ['added']);
    t.is((await reload(gateway, whole())).status, 200);
    await t.throwsAsync(ask(`${added}/pid`, {ends: true}), {code: 'ECONNREFUSED'});
    t.deepEqual(await wordsOf(), ['first']);
  },
);

test.serial(
  'a worker that dies after a reload is followed by one with the configuration in force, at the same addresses',
  async t => {
    t.is((await reload(gateway, whole({plugins: [{use: PID, config: {word: 'in force'}}]}))).status, 200);
    const [first] = await pidsOf(gateway.urls.pid);
    kill(first);
    await gateway.logged('a worker serves again');
    t.deepEqual(await wordsOf(), ['in force']);
    const after = await pidsOf(gateway.urls.pid);
    t.is(after.length, 2);
    t.false(after.includes(first ?? 0));
  },
);

test.serial('SIGHUP is for all of them, once, though each process gets it', async t => {
  await writeFile(
    join(gateway.folder, 'gateway.config.json'),
    JSON.stringify(whole({plugins: [{use: PID, config: {word: 'hup'}}]})),
  );
  for (const pid of await pidsOf(gateway.urls.pid)) kill(pid, 'SIGHUP');
  gateway.process.kill('SIGHUP');
  await until(async () => (await wordsOf()).join() === 'hup');
  t.pass();
});

test.serial('when the process that holds the workers together dies, they end', async t => {
  const pids = await pidsOf(gateway.urls.pid);
  gateway.process.kill('SIGKILL');
  await until(() => !pids.some(isAlive));
  await t.throwsAsync(ask(`${gateway.urls.pid}/pid`, {ends: true}), {code: 'ECONNREFUSED'});
});

import {existsSync} from 'node:fs';
import {mkdir, writeFile} from 'node:fs/promises';
import {createServer} from 'node:net';
import {join} from 'node:path';
import {setTimeout as sleep} from 'node:timers/promises';
import {pathToFileURL} from 'node:url';
import test from 'ava';
import {
  FIXTURE_ADAPTER,
  FIXTURE_PLUGIN,
  type Run,
  type RunningGateway,
  run,
  scratchFolder,
  startGateway,
} from '../../support/gateway.js';
import {type Answer, get} from '../../support/http.js';
import {serveHere} from '../../support/library.js';

interface Plugins {
  readonly gateway: {readonly state: string};
  readonly storage: {readonly state: string; readonly message?: string; readonly capabilities: readonly string[]};
  readonly plugins: readonly {readonly name: string; readonly state: string; readonly message?: string}[];
}

const adapter = (config: object = {}) => ({use: FIXTURE_ADAPTER, config});
const plugin = (config: object = {}) => ({use: FIXTURE_PLUGIN, config});

/** A port for a gateway that must be asked before its ready line. */
async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await new Promise(resolve => server.once('listening', resolve));
  const address = server.address();
  await new Promise(resolve => server.close(resolve));
  return typeof address === 'object' && address !== null ? address.port : 0;
}

/** A request that is in progress until it is released. */
async function hold(gateway: RunningGateway): Promise<{answer: Promise<Answer>; release: () => Promise<void>}> {
  const until = join(gateway.folder, 'release');
  const answer = get(`${gateway.urls.fixture}/hold`, {until});
  while ((await get(`${gateway.urls.fixture}/held`)).text !== '1') await sleep(5);
  return {answer, release: () => writeFile(until, '')};
}

const messages = (running: Run) => running.log.map(({msg}) => msg);

test('the ready line is the one line on standard output, and SIGTERM ends with 0', async t => {
  const gateway = await startGateway(t, {
    config: {listeners: {admin: {port: 0}}, storage: adapter(), plugins: [plugin()]},
  });
  t.deepEqual(Object.keys(gateway.urls), ['admin', 'extra', 'fixture']);
  t.is(gateway.urls.extra, '127.0.0.1:1');
  t.regex(gateway.urls.fixture ?? '', /^http:\/\/127\.0\.0\.1:\d+$/);
  t.is((await get(`${gateway.urls.fixture}/hello`)).text, 'hello');
  t.is(await gateway.stop(), 0);
  t.is(gateway.stdout.length, 1);
  t.true(
    gateway.stderr.every(line => line.startsWith('{')),
    gateway.stderr.join('\n'),
  );
});

test('a stop goes from the listeners over the plugins to the storage, and requests in progress are answered', async t => {
  const gateway = await startGateway(t, {config: {storage: adapter(), plugins: [plugin()]}});
  const {answer, release} = await hold(gateway);
  const exit = gateway.stop('SIGINT');
  await gateway.logged('the gateway stops');
  await release();
  t.is((await answer).text, 'released');
  t.is((await answer).headers.connection, 'close');
  t.is(await exit, 0);
  t.deepEqual(messages(gateway).slice(-3), [
    'the gateway stops',
    'the fixture plugin has stopped',
    'the fixture adapter has stopped',
  ]);
});

test('while requests drain, the gateway is not ready and takes no connections', async t => {
  const config = {listeners: {admin: {port: 0}}, storage: adapter(), plugins: [plugin()]};
  const gateway = await startGateway(t, {config});
  t.is((await get(`${gateway.urls.admin}/-/ready`)).status, 200);
  const {answer, release} = await hold(gateway);
  const exit = gateway.stop();
  await gateway.logged('the gateway stops');
  const ready = await get(`${gateway.urls.admin}/-/ready`);
  t.is(ready.status, 503);
  t.deepEqual(ready.json(), {error: 'the gateway is stopping'});
  // What was sent before the stop is let in first: connections are taken until none has come for a while.
  const opened = async (): Promise<boolean> =>
    get(`${gateway.urls.fixture}/hello`).then(
      ({headers}) => t.is(headers.connection, 'close'),
      ({code}) => code !== 'ECONNREFUSED',
    );
  while (await opened()) await sleep(200);
  await release();
  t.is((await answer).text, 'released');
  t.is(await exit, 0);
});

test('requests that are too long for the drain are told to try again, in the form of their plugin', async t => {
  const gateway = await startGateway(t, {config: {shutdownTimeout: 300, storage: adapter(), plugins: [plugin()]}});
  const {answer} = await hold(gateway);
  const exit = gateway.stop();
  t.is((await answer).status, 503);
  t.is((await answer).headers['retry-after'], '1');
  t.is((await answer).json().fixture, 'overloaded');
  t.is(await exit, 0);
});

test('a second signal ends the process at once', async t => {
  const gateway = await startGateway(t, {config: {storage: adapter({stopDelay: '1h'}), plugins: []}});
  const exit = gateway.stop();
  await gateway.logged('the gateway stops');
  t.is(await gateway.stop('SIGINT'), 130);
  t.is(await exit, 130);
});

test('what does not stop in time or fails to stop is named, and the others stop', async t => {
  const plugins = [plugin({stopError: 'it hangs on'}), {...plugin({stopDelay: '1h'}), prefix: '/b'}];
  const gateway = await startGateway(t, {config: {shutdownTimeout: 200, storage: adapter(), plugins}});
  t.is(await gateway.stop(), 1);
  const failure = JSON.stringify(gateway.log.find(({msg}) => msg === 'shutdown failed')?.err);
  t.regex(failure, /stopping the plugin fixture-plugin: it hangs on/);
  t.regex(failure, /stopping the plugin fixture-plugin-2 has not ended within 1\.2 s/);
  t.true(messages(gateway).includes('the fixture adapter has stopped'));
});

interface StartFailure {
  /** What an operator can mend. */
  readonly error?: string;
  readonly err?: {readonly message: string; readonly stack: string};
}

for (const [title, config, message] of [
  [
    'a plugin',
    {storage: adapter(), plugins: [plugin(), {...plugin({startError: 'no licence'}), prefix: '/b'}]},
    'the plugin fixture-plugin-2 did not start: no licence',
  ],
  [
    'a plugin that is too slow',
    {startTimeout: 300, storage: adapter(), plugins: [plugin(), {...plugin({startDelay: '1h'}), prefix: '/b'}]},
    'the plugin fixture-plugin-2 did not start: its start has not ended within startTimeout, 0.3 s',
  ],
  [
    'a storage',
    {storage: adapter({startError: 'the folder is held by process 42'}), plugins: []},
    'the storage adapter fixture did not start: the folder is held by process 42',
  ],
  [
    'a storage that is too slow',
    {startTimeout: 300, storage: adapter({startDelay: '1h'}), plugins: []},
    'the storage adapter fixture did not start: its start has not ended within startTimeout, 0.3 s',
  ],
  [
    'a storage that stays away',
    {startTimeout: 600, storage: adapter({readyFile: './never'}), plugins: []},
    /^the storage adapter fixture did not start: not available within startTimeout, 0\.6 s: nothing listens at .*never/,
  ],
] as const) {
  test(`the start of ${title} that fails ends the process with 1, after stopping what had started`, async t => {
    const gateway = await run(t, {config});
    t.is(await gateway.exit, 1);
    t.deepEqual(gateway.stdout, []);
    const {err, error} = (await gateway.logged('the gateway did not start')) as unknown as StartFailure;
    const text = error ?? err?.message ?? '';
    if (typeof message === 'string') t.true(text.startsWith(message), text);
    else t.regex(text, message);
    // The plugins of this table throw errors of no known kind, whose stack tells where.
    t.is(err?.stack !== undefined, text.includes('no licence'));
    t.true(messages(gateway).includes('the fixture adapter has stopped'));
  });
}

test('an address that is taken is named with its listener', async t => {
  const config = {listeners: {fixture: {port: 0}}, storage: adapter(), plugins: [plugin()]};
  const first = await startGateway(t, {config});
  const {port} = new URL(first.urls.fixture ?? '');
  const second = await run(t, {config: {...config, listeners: {fixture: {port: Number(port)}}}});
  t.is(await second.exit, 1);
  const line = JSON.stringify(second.log.find(({msg}) => msg === 'the gateway did not start'));
  t.true(
    line.includes(
      `the listener \\"fixture\\" cannot open 127.0.0.1:${port}: another process or listener has that address (EADDRINUSE)`,
    ),
    line,
  );
});

test('a storage that comes up late is waited for, and can be seen meanwhile', async t => {
  const port = await freePort();
  const config = {listeners: {admin: {port}}, storage: adapter({readyFile: './up'}), plugins: [plugin()]};
  const gateway = await run(t, {config});
  await gateway.logged('the storage is not available; trying again');

  const status = (await get(`http://127.0.0.1:${port}/-/plugins`)).json<Plugins>();
  t.is(status.gateway.state, 'starting');
  t.is(status.storage.state, 'starting');
  t.regex(status.storage.message ?? '', /^nothing listens at .*up$/);
  const ready = await get(`http://127.0.0.1:${port}/-/ready`);
  t.is(ready.status, 503);
  t.regex(String(ready.json().error), /^the gateway is starting; fixture: nothing listens at/);
  t.is((await get(`http://127.0.0.1:${port}/-/healthy`)).status, 200);

  await writeFile(join(gateway.folder, 'up'), '');
  const urls = await gateway.ready();
  t.is((await get(`${urls.fixture}/hello`)).status, 200);
  t.is((await get(`${urls.admin}/-/ready`)).status, 200);
});

test('a signal during the start ends it with 0', async t => {
  const gateway = await run(t, {config: {storage: adapter({readyFile: './never'}), plugins: []}});
  await gateway.logged('the storage is not available; trying again');
  t.is(await gateway.stop(), 0);
  t.deepEqual(gateway.stdout, []);
});

for (const [health, status] of [
  ['degraded', 200],
  ['failed', 503],
] as const) {
  test(`a storage that is ${health} makes /-/ready answer ${status}`, async t => {
    const config = {listeners: {admin: {port: 0}}, storage: adapter({health}), plugins: []};
    const {urls} = await serveHere(t, {config});
    const ready = await get(`${urls.admin}/-/ready`);
    t.is(ready.status, status);
    const told = {
      degraded: {status: 'degraded', message: 'fixture: it is degraded'},
      failed: {error: 'the gateway is ok; fixture: it is failed'},
    };
    t.deepEqual(ready.json(), told[health]);
    const {storage} = (await get(`${urls.admin}/-/plugins`)).json<Plugins>();
    t.like(storage, {state: health, message: `it is ${health}`});
  });
}

test('a plugin and an adapter come from packages and files beside the configuration', async t => {
  const folder = await scratchFolder(t);
  const install = async (name: string, target: string, manifest: object) => {
    const place = join(folder, 'node_modules', name);
    await mkdir(place, {recursive: true});
    await writeFile(join(place, 'package.json'), JSON.stringify({name, version: '1.0.0', type: 'module', ...manifest}));
    await writeFile(join(place, 'main.js'), `export {default} from '${pathToFileURL(target)}';`);
  };
  await install('plain-adapter', FIXTURE_ADAPTER, {main: 'main.js'});
  await install('@scope/plugin', FIXTURE_PLUGIN, {exports: {'.': {import: './main.js'}}});
  await writeFile(join(folder, 'local.mjs'), `export {default} from '${pathToFileURL(FIXTURE_PLUGIN)}';`);
  const plugins = [
    {use: '@scope/plugin', prefix: '/package'},
    {use: './local.mjs', prefix: '/file'},
  ];
  const {urls} = await serveHere(t, {folder, config: {storage: {use: 'plain-adapter'}, plugins}});
  t.is((await get(`${urls.fixture}/package/hello`)).text, 'hello');
  t.is((await get(`${urls.fixture}/file/hello`)).text, 'hello');
  t.true(existsSync(join(folder, 'node_modules/@scope/plugin')));
});

test('a capability that appears with a restart switches the plugin on', async t => {
  const folder = await scratchFolder(t);
  const file = join(folder, 'capabilities');
  await writeFile(file, 'metrics.query.v1\n');
  const config = {
    listeners: {admin: {port: 0}},
    storage: adapter({capabilitiesFile: './capabilities'}),
    plugins: [plugin()],
  };

  const before = await serveHere(t, {folder, config});
  const warning = await before.logged('the plugin is disabled');
  t.like(warning, {level: 'warn', component: 'fixture-plugin', fields: {missing: ['metadata.query.v1']}});
  for (const path of ['/hello', '/', '/none']) {
    const answer = await get(before.urls.fixture + path);
    t.is(answer.status, 501);
    t.deepEqual(answer.json(), {
      fixture: 'unsupported_backend',
      message: 'the plugin fixture-plugin needs metadata.query.v1, which the storage adapter fixture does not supply',
    });
  }
  const {plugins, storage} = (await get(`${before.urls.admin}/-/plugins`)).json<Plugins>();
  t.deepEqual(storage.capabilities, ['metrics.query.v1']);
  t.like(plugins[0], {name: 'fixture-plugin', state: 'disabled', message: 'disabled: missing metadata.query.v1'});
  t.is((await get(`${before.urls.admin}/-/ready`)).status, 200);
  await t.notThrowsAsync(before.stop());

  await writeFile(file, 'metrics.query.v1\nmetadata.query.v1\n');
  const after = await serveHere(t, {folder, config});
  t.is((await get(`${after.urls.fixture}/services`)).text, 'a,b,c');
});

test('a plugin that is required and lacks a capability fails the start', async t => {
  const config = {storage: adapter({capabilities: []}), plugins: [{...plugin(), required: true}]};
  const gateway = await run(t, {config});
  t.is(await gateway.exit, 1);
  t.regex(
    gateway.stderr.join('\n'),
    /the plugin fixture-plugin needs metadata\.query\.v1, which the storage adapter fixture does not supply; it has \\"required\\": true/,
  );
});

test('without a storage, plugins that need one are disabled', async t => {
  const {urls} = await serveHere(t, {config: {plugins: [plugin()]}});
  const answer = await get(`${urls.fixture}/hello`);
  t.is(answer.status, 501);
  t.regex(String(answer.json().message), /which a gateway without storage does not supply$/);
});

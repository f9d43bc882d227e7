import {writeFile} from 'node:fs/promises';
import {request} from 'node:http';
import {createServer} from 'node:net';
import {join} from 'node:path';
import {text} from 'node:stream/consumers';
import {setTimeout as sleep} from 'node:timers/promises';
import test, {type ExecutionContext} from 'ava';
import {FIXTURE_ADAPTER, FIXTURE_PLUGIN, startGateway} from '../../support/gateway.js';
import {type Answer, ask, get} from '../../support/http.js';
import {type ServedHere, serveHere} from '../../support/library.js';

const adapter = (config: object = {}) => ({use: FIXTURE_ADAPTER, config});
const plugin = (config: object = {}, entry: object = {}) => ({use: FIXTURE_PLUGIN, config, ...entry});

/** A configuration with these keys in place of those of the simplest one. */
const whole = (config: object = {}) => ({
  listeners: {admin: {port: 0}, fixture: {port: 0}},
  storage: adapter(),
  plugins: [plugin()],
  ...config,
});

async function write(gateway: {readonly folder: string}, config: object | string): Promise<void> {
  const text = typeof config === 'string' ? config : JSON.stringify(config);
  await writeFile(join(gateway.folder, 'gateway.config.json'), text);
}

const reload = async (gateway: ServedHere, config: object | string): Promise<Answer> => {
  await write(gateway, config);
  return ask(`${gateway.urls.admin}/-/reload`, {method: 'POST'});
};

interface Refused {
  readonly error: string;
  readonly problems: readonly {readonly key: string; readonly message: string}[];
}

interface Status {
  readonly storage: {readonly name: string} | null;
  readonly plugins: readonly {readonly name: string; readonly state: string; readonly prefix: string}[];
  readonly reload: {readonly success: boolean; readonly problems?: readonly object[]} | null;
}

const status = async (gateway: ServedHere): Promise<Status> =>
  (await get(`${gateway.urls.admin}/-/plugins`)).json<Status>();

const stops = ({lines}: ServedHere): number =>
  lines.filter(({message}) => message === 'the fixture plugin has stopped').length;

async function until(isSo: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await isSo())) await sleep(5);
}

/** A port that nobody has at the moment. */
async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await new Promise(resolve => server.once('listening', resolve));
  const address = server.address();
  await new Promise(resolve => server.close(resolve));
  return typeof address === 'object' && address !== null ? address.port : 0;
}

test('plugins come, change, move and go, and what does not change goes on', async t => {
  const gateway = await serveHere(t, {config: whole()});
  const at = async (path: string): Promise<string> => {
    const answer = await get(`${gateway.urls.fixture}${path}`);
    return answer.status === 200 ? answer.text : String(answer.status);
  };
  const second = plugin({greeting: 'ahoi'}, {prefix: '/b'});
  // Each row: what changes, the plugins then, what their paths answer, and how many plugins have been stopped by then.
  const rows: readonly [title: string, plugins: readonly object[], root: string, b: string, stopped: number][] = [
    ['nothing', [plugin()], 'hello', '404', 0],
    ['a plugin comes', [plugin(), second], 'hello', 'ahoi', 0],
    ['a plugin changes', [plugin({greeting: 'moin'}), second], 'moin', 'ahoi', 1],
    ['a plugin moves', [plugin({greeting: 'moin'}, {prefix: '/a'}), second], '404', 'ahoi', 1],
    ['it moves back', [plugin({greeting: 'moin'}), second], 'moin', 'ahoi', 1],
    ['a plugin is switched off', [plugin({greeting: 'moin'}), {...second, enabled: false}], 'moin', '404', 2],
    ['a plugin goes', [plugin({greeting: 'moin'})], 'moin', '404', 2],
  ];
  const begun = Number(await at('/begun'));
  await get(`${gateway.urls.fixture}/busy`);
  for (const [title, plugins, root, b, stopped] of rows) {
    t.is((await reload(gateway, whole({plugins}))).status, 200, title);
    t.is(await at('/hello'), root, title);
    t.is(await at('/b/hello'), b, title);
    await until(() => stops(gateway) >= stopped);
    t.is(stops(gateway), stopped, title);
    // The plugin counts in its memory.
    if (stopped === 0) t.is(Number(await at('/begun')), begun + 1, title);
  }
  await t.notThrowsAsync(gateway.stop());
});

test('SIGHUP does the same, and the log says how it went', async t => {
  const gateway = await startGateway(t, {config: whole()});
  await write(gateway, whole({plugins: [plugin({greeting: 'moin'})]}));
  gateway.process.kill('SIGHUP');
  await gateway.logged('the configuration was read again and is in force');
  t.is((await get(`${gateway.urls.fixture}/hello`)).text, 'moin');
  await write(gateway, '{');
  gateway.process.kill('SIGHUP');
  const {level} = await gateway.logged('the configuration was read again and is not in force: nothing has changed');
  t.is(level, 'error');
  t.is((await get(`${gateway.urls.fixture}/hello`)).text, 'moin');
});

test('with any mistake nothing changes, and every mistake is told with its key', async t => {
  const gateway = await serveHere(t, {config: whole()});
  const {port: taken} = new URL(gateway.urls.admin ?? '');
  const {port: used} = new URL(gateway.urls.fixture ?? '');
  const moin = plugin({greeting: 'moin'});
  const rows: readonly [title: string, config: object | string, keys: readonly string[], message: RegExp][] = [
    ['no JSON', '{', [''], /is not JSON/],
    ['two mistakes', {...whole(), limit: {}, logLevel: 'loud'}, ['limit', 'logLevel'], /unknown key/],
    [
      'a plugin that does not start',
      whole({plugins: [moin, plugin({startError: 'no licence'}, {prefix: '/b'})]}),
      ['plugins[1]'],
      /no licence/,
    ],
    [
      'a storage that does not start',
      whole({storage: adapter({startError: 'no disk'}), plugins: [moin]}),
      ['storage'],
      /the storage adapter fixture did not start: no disk/,
    ],
    [
      'a port that is taken',
      {
        ...whole({plugins: [moin]}),
        listeners: {admin: {port: 0}, fixture: {port: 0}, more: {host: '127.0.0.1', port: Number(taken)}},
      },
      ['listeners.more.port'],
      /EADDRINUSE/,
    ],
    [
      'a host that is of another machine',
      {
        ...whole({plugins: [moin]}),
        listeners: {admin: {port: 0}, fixture: {port: 0}, more: {host: '192.0.2.1', port: 0}},
      },
      ['listeners.more.host'],
      /this machine has no such address/,
    ],
    [
      'a host that overlaps the one that is open',
      {...whole({plugins: [moin]}), listeners: {admin: {port: 0}, fixture: {host: '0.0.0.0', port: Number(used)}}},
      ['listeners.fixture.host'],
      /while the gateway has that port open at 127\.0\.0\.1; restart it, or choose another port/,
    ],
    [
      'a plugin that is required and lacks a capability',
      whole({storage: adapter({capabilities: []}), plugins: [{...moin, required: true}]}),
      ['plugins[0]'],
      /"required": true/,
    ],
  ];
  for (const [title, config, keys, message] of rows) {
    const answer = await reload(gateway, config);
    t.is(answer.status, 400, title);
    const {error, problems} = answer.json<Refused>();
    t.regex(error, /^nothing has changed: the configuration has (a mistake|2 mistakes)$/, title);
    t.deepEqual(
      problems.map(({key}) => key),
      [...keys],
      title,
    );
    t.regex(problems[0]?.message ?? '', message, title);
    t.is((await get(`${gateway.urls.fixture}/hello`)).text, 'hello', title);
    const metrics = (await get(`${gateway.urls.admin}/metrics`)).text;
    t.regex(metrics, /^query_gateway_config_reload_success\{component="gateway"\} 0$/m, title);
    t.like((await status(gateway)).reload, {success: false}, title);
  }
  t.is((await reload(gateway, whole({plugins: [moin]}))).status, 200);
  const metrics = (await get(`${gateway.urls.admin}/metrics`)).text;
  t.regex(metrics, /^query_gateway_config_reload_success\{component="gateway"\} 1$/m);
  const [, seconds] =
    /^query_gateway_config_reload_timestamp_seconds\{component="gateway"\} (\S+)$/m.exec(metrics) ?? [];
  t.true(Math.abs(Number(seconds) - Date.now() / 1000) < 60);
  await t.notThrowsAsync(gateway.stop());
});

test('listeners come, move and go, change their times, and keep what port the system gave', async t => {
  const gateway = await serveHere(t, {config: whole()});
  const {fixture: url} = gateway.urls;
  const [one, two] = [await freePort(), await freePort()];
  // Each over a connection of its own: one that is open goes on while its client sends.
  const answers = async (address: string | undefined): Promise<string> =>
    new Promise(resolve => {
      const once = request(`${address}/hello`, {agent: false}, async response => resolve(await text(response)));
      once.on('error', ({code}: NodeJS.ErrnoException) => resolve(code ?? '')).end();
    });
  const reached = async (listeners: object): Promise<void> => {
    const answer = await reload(gateway, whole({listeners: {admin: {port: 0}, ...listeners}}));
    t.is(answer.status, 200, answer.text);
  };
  await reached({fixture: {port: 0, idleTimeout: '5s', readTimeout: '7s', acceptQueueSize: 5, compression: false}});
  t.is(await answers(url), 'hello');
  await reached({fixture: {port: one}});
  t.is(await answers(url), 'ECONNREFUSED');
  t.is(await answers(`http://127.0.0.1:${one}`), 'hello');
  await reached({fixture: {port: one}, other: {host: '127.0.0.1', port: two}});
  t.regex(await answers(`http://127.0.0.1:${two}`), /no such path/);
  // The two exchange their addresses.
  await reached({fixture: {port: two}, other: {host: '127.0.0.1', port: one}});
  t.is(await answers(`http://127.0.0.1:${two}`), 'hello');
  t.regex(await answers(`http://127.0.0.1:${one}`), /no such path/);
  await reached({fixture: {port: two}});
  t.is(await answers(`http://127.0.0.1:${one}`), 'ECONNREFUSED');
  await t.notThrowsAsync(gateway.stop());
});

test('limits change for what comes from then on', async t => {
  const gateway = await serveHere(t, {config: whole()});
  const post = async () =>
    (await ask(`${gateway.urls.fixture}/bytes`, {method: 'POST', body: 'x'.repeat(2000)})).status;
  t.is(await post(), 200);
  t.is((await reload(gateway, whole({limits: {ingestBody: 1000}}))).status, 200);
  t.is(await post(), 413);
  t.is((await reload(gateway, whole({limits: {headerBytes: 1024}}))).status, 200);
  t.is(await post(), 200);
  t.is((await get(`${gateway.urls.fixture}/hello`, {x: 'y'.repeat(2000)})).status, 431);
  t.is(stops(gateway), 0);
});

test('a folder of the embedded storage keeps its settings while it is open, and can be left and taken again', async t => {
  const folder = (path: string, config: object = {}) => whole({storage: {use: 'embedded', config: {path, ...config}}});
  const gateway = await serveHere(t, {config: folder('./a')});
  const changed = await reload(gateway, folder('./a', {memory: '64MiB', retention: {minute: '7d'}}));
  t.is(changed.status, 400);
  const {problems} = changed.json<Refused>();
  t.deepEqual(
    problems.map(({key}) => key),
    ['storage.config.memory', 'storage.config.retention'],
  );
  t.regex(
    problems[0]?.message ?? '',
    /^cannot change while the gateway has the folder \/.*\/a open; restart it, or give/,
  );
  for (const path of ['./b', './a', './a', './b']) t.is((await reload(gateway, folder(path))).status, 200, path);
  await t.notThrowsAsync(gateway.stop());
});

/** A request that is in progress until the file is there. */
async function hold(t: ExecutionContext, gateway: ServedHere, path = '/hold') {
  const file = join(gateway.folder, `release-${t.title.length}`);
  const answer = get(`${gateway.urls.fixture}${path}`, {until: file});
  await until(async () => (await get(`${gateway.urls.fixture}/held`)).text === '1');
  return {answer, release: () => writeFile(file, '')};
}

test('a request that runs while its plugin and its storage are replaced ends as if nothing were', async t => {
  const gateway = await serveHere(t, {config: whole()});
  const {answer, release} = await hold(t, gateway);
  t.is(
    (await reload(gateway, whole({storage: adapter({memory: 2048}), plugins: [plugin({greeting: 'moin'})]}))).status,
    200,
  );
  t.is((await get(`${gateway.urls.fixture}/hello`)).text, 'moin');
  t.is(stops(gateway), 0);
  await release();
  t.is((await answer).text, 'released');
  await until(() => gateway.lines.some(({message}) => message === 'the fixture adapter has stopped'));
  t.is(stops(gateway), 1);
  await t.notThrowsAsync(gateway.stop());
});

test('a storage that supplies less or more switches plugins off and on', async t => {
  const gateway = await serveHere(t, {config: whole({storage: undefined})});
  const hello = async () => (await get(`${gateway.urls.fixture}/hello`)).status;
  t.is(await hello(), 501);
  t.is((await reload(gateway, whole())).status, 200);
  t.is(await hello(), 200);
  t.is((await reload(gateway, whole({storage: adapter({capabilities: ['metrics.query.v1']})}))).status, 200);
  t.is(await hello(), 501);
  t.like((await status(gateway)).plugins[0], {state: 'disabled'});
});

test('reloads that come together are done one after the other', async t => {
  const gateway = await serveHere(t, {config: whole()});
  await write(gateway, whole({plugins: [plugin({startDelay: 300, greeting: 'moin'})]}));
  const url = `${gateway.urls.admin}/-/reload`;
  const answers = await Promise.all([1, 2, 3].map(() => ask(url, {method: 'POST'})));
  t.deepEqual(
    answers.map(({status: code}) => code),
    [200, 200, 200],
  );
  t.is(stops(gateway), 1);
});

test('a stop during a reload ends it, and what it had started', async t => {
  const gateway = await serveHere(t, {config: whole()});
  const next = [plugin({greeting: 'moin'}), plugin({startDelay: '1h'}, {prefix: '/b'})];
  const answer = reload(gateway, whole({plugins: next})).then(
    ({status: code}) => code,
    ({code}) => code,
  );
  await until(async () => (await status(gateway)).reload === null);
  await sleep(300);
  await t.notThrowsAsync(gateway.stop());
  t.not(await answer, 200);
});

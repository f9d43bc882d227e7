import {writeFile} from 'node:fs/promises';
import {join} from 'node:path';
import test from 'ava';
import {builtins} from '../../../core/cli/builtins.js';
import {ConfigError, type GatewayConfig, loadConfig} from '../../../core/gateway.js';
import {FIXTURE_ADAPTER, FIXTURE_PLUGIN, scratchFolder} from '../../support/gateway.js';

type Environment = Readonly<Record<string, string>>;

const FOLDER = '/etc/gateway';
const STORAGE = {use: FIXTURE_ADAPTER};
const PLUGIN = {use: FIXTURE_PLUGIN};

const load = (value: unknown, environment: Environment = {}): Promise<GatewayConfig> =>
  loadConfig({value, folder: FOLDER}, builtins, environment);

async function problems(value: unknown, environment?: Environment): Promise<readonly string[]> {
  try {
    await load(value, environment);
    return [];
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    return error.message.split('\n');
  }
}

/** A configuration with one problem, and its one line. */
const WRONG: readonly (readonly [title: string, config: object, line: string | RegExp, environment?: Environment])[] = [
  [
    'an unknown key of the file',
    {storge: STORAGE},
    /^storge: unknown key; expected one of \$schema, listeners, .*; did you mean "storage"\?$/,
  ],
  [
    'an unknown key of a plugin',
    {plugins: [{...PLUGIN, config: {lookbak: 1}}], storage: STORAGE},
    /^plugins\[0\]\.config\.lookbak: unknown key; expected one of .*; did you mean "lookback"\?$/,
  ],
  [
    'an unknown key far from any other',
    {limits: {xyzzy: 1}},
    /^limits\.xyzzy: unknown key; expected one of queryLength, [^;]*$/,
  ],
  ['an unknown key with a dot', {'a.b': 1}, /^\["a\.b"\]: unknown key;/],
  [
    'a port out of range',
    {listeners: {admin: {port: 70_000}}},
    'listeners.admin.port: found 70000, expected a whole number from 0 to 65535',
  ],
  [
    'a port as text',
    {listeners: {admin: {port: '9464'}}},
    'listeners.admin.port: found "9464", expected a whole number from 0 to 65535',
  ],
  [
    'a variable that does not fit the type',
    {listeners: {admin: {port: '${PORT}'}}},
    'listeners.admin.port: found "many", expected a whole number from 0 to 65535 (from PORT)',
    {PORT: 'many'},
  ],
  [
    'a variable without a value',
    {listeners: {admin: {host: 'a${NONE}'}}},
    'listeners.admin.host: the environment variable NONE is not set; set it, or write ${NONE:default}',
  ],
  [
    'a variable that the component names and that does not fit',
    {plugins: [PLUGIN], storage: STORAGE},
    'plugins[0].enabled: found "perhaps", expected true or false (from FIXTURE_ENABLED)',
    {FIXTURE_ENABLED: 'perhaps'},
  ],
  [
    'a variable that is of the type and out of range',
    {listeners: {admin: {port: '${PORT}'}}},
    'listeners.admin.port: found 70000, expected a whole number from 0 to 65535 (from PORT)',
    {PORT: '70000'},
  ],
  [
    'a variable that is a word among none of those allowed',
    {logLevel: '${LEVEL:info}'},
    'logLevel: found "loud", expected one of "debug", "info", "warn", "error" (from LEVEL)',
    {LEVEL: 'loud'},
  ],
  [
    'variables that are a part of the text',
    {shutdownTimeout: '${NUMBER}${UNIT}'},
    'shutdownTimeout: found "1parsec", expected a duration from 1 to 2073600000 (milliseconds, or text such as "30s" or "1h30m") (from NUMBER and UNIT)',
    {NUMBER: '1', UNIT: 'parsec'},
  ],
  [
    'a bad duration',
    {shutdownTimeout: '10 parsecs'},
    'shutdownTimeout: found "10 parsecs", expected a duration from 1 to 2073600000 (milliseconds, or text such as "30s" or "1h30m")',
  ],
  [
    'a duration above its maximum',
    {storage: {...STORAGE, config: {startDelay: '2h'}}},
    'storage.config.startDelay: found "2h", expected a duration of at most 3600000 (milliseconds, or text such as "30s" or "1h30m")',
  ],
  [
    'a bad size',
    {limits: {formBody: '1k'}},
    'limits.formBody: found "1k", expected a size of at least 1 (bytes, or text such as "64MiB")',
  ],
  [
    'a word that is none of those allowed',
    {logLevel: 'inof'},
    'logLevel: found "inof", expected one of "debug", "info", "warn", "error"; did you mean "info"?',
  ],
  [
    'a secret of the wrong form, which is not shown',
    {storage: {...STORAGE, config: {password: 'hunter2'}}},
    'storage.config.password: found a secret of another form, expected text of at least 8 characters',
  ],
  [
    'a missing key',
    {storage: {...STORAGE, config: {window: {last: 5}}}},
    'storage.config.window.first: missing; expected a whole number of at least 1',
  ],
  ['an object where a list belongs', {plugins: {}}, 'plugins: found an object, expected a list'],
  [
    'a list where an object belongs',
    {storage: {...STORAGE, config: []}},
    'storage.config: found an empty list, expected an object',
  ],
  ['an entry that is no object', {plugins: [3]}, 'plugins[0]: found 3, expected an object'],
  ['an entry without a component', {plugins: [{}]}, 'plugins[0].use: missing; expected text that is not empty'],
  [
    'an unknown adapter',
    {storage: {use: 'embeded'}},
    /^storage\.use: found "embeded", expected a built-in storage-adapter \(.*\bembedded\b.*\), a path that begins with \.\/, or an npm package installed at \/etc\/gateway; did you mean "embedded"\?$/,
  ],
  [
    'a path without a module',
    {plugins: [{use: './none.js'}]},
    'plugins[0].use: no module is found at /etc/gateway/none.js',
  ],
  [
    'an adapter in place of a plugin',
    {plugins: [{use: FIXTURE_ADAPTER}]},
    `plugins[0].use: "${FIXTURE_ADAPTER}" is of the kind "storage-adapter"; expected the kind "plugin"`,
  ],
  [
    'a prefix without a slash',
    {plugins: [{...PLUGIN, prefix: 'api'}], storage: STORAGE},
    /^plugins\[0\]\.prefix: found "api", expected text that begins with a slash and holds no blank and none of/,
  ],
  [
    'one prefix for two plugins',
    {plugins: [PLUGIN, {...PLUGIN, prefix: '/'}], storage: STORAGE},
    'plugins[1].prefix: found "/", which fixture-plugin owns on the listener "fixture"; expected another prefix',
  ],
  [
    'one address for two listeners',
    {listeners: {admin: {port: 9000}, fixture: {port: 9000}}, plugins: [PLUGIN], storage: STORAGE},
    'listeners.fixture.port: found the address of the listener "admin", 127.0.0.1:9000; expected one of its own',
  ],
  [
    'an address that another listener covers',
    {listeners: {admin: {host: '0.0.0.0', port: 9000}, fixture: {host: 'localhost', port: 9000}}, plugins: [PLUGIN]},
    /^listeners\.fixture\.port: found the address of the listener "admin"/,
  ],
  [
    'an address of a listener that a plugin opens itself',
    {
      listeners: {diagnostics: {host: '127.0.0.1', port: 17_912}},
      plugins: [{use: 'ingest', enabled: false}, {use: 'diagnostics-proxy'}],
    },
    'plugins[1].config.grpcListenAddr: found the address of the listener "diagnostics", 127.0.0.1:17912; expected one of its own',
  ],
  [
    'an address that two plugins open',
    {
      plugins: [
        {use: 'diagnostics-proxy', prefix: '/a'},
        {use: 'diagnostics-proxy', prefix: '/b', config: {grpcListenAddr: '127.0.0.1:17912'}},
      ],
    },
    'plugins[1].config.grpcListenAddr: found the address of grpcListenAddr of the plugin diagnostics-proxy, 0.0.0.0:17912; expected one of its own',
  ],
  [
    'a plugin that must not lack what nothing supplies',
    {plugins: [{...PLUGIN, required: true}]},
    'plugins[0].required: found true, and there is no "storage" to supply metadata.query.v1; expected one, or false',
  ],
  [
    'a host with a port',
    {listeners: {admin: {host: '127.0.0.1:9464'}}},
    'listeners.admin.host: found "127.0.0.1:9464", expected text that is an address or a host name, without brackets or a port',
  ],
  [
    'a host in brackets',
    {listeners: {admin: {host: '[::1]'}}},
    /^listeners\.admin\.host: found "\[::1\]", expected text that is an address or a host name, without brackets/,
  ],
  [
    'a prefix with an empty segment',
    {plugins: [{...PLUGIN, prefix: '/a//b'}], storage: STORAGE},
    /^plugins\[0\]\.prefix: found "\/a\/\/b", expected text that begins with a slash .* no segment that is empty/,
  ],
  [
    'a prefix that leads upwards',
    {plugins: [{...PLUGIN, prefix: '/a/../b'}], storage: STORAGE},
    /^plugins\[0\]\.prefix: found "\/a\/\.\.\/b", expected text that begins with a slash/,
  ],
  [
    'an unknown listener',
    {listeners: {fixtures: {port: 0}}, plugins: [{...PLUGIN, listener: 'fixtrues'}]},
    'plugins[0].listener: found "fixtrues", expected a key of "listeners" (fixtures); did you mean "fixtures"?',
  ],
  [
    'a plugin on the admin listener',
    {listeners: {admin: {}}, plugins: [{...PLUGIN, listener: 'admin'}]},
    'plugins[0].listener: found "admin", which takes no plugins; expected another listener',
  ],
  [
    'a listener that nobody has a port for',
    {listeners: {mine: {}}},
    'listeners.mine.port: missing; expected a whole number from 0 to 65535',
  ],
];

for (const [title, config, line, environment] of WRONG) {
  test(`${title} is reported by the path of its key`, async t => {
    const lines = await problems(config, environment);
    t.is(lines.length, 1, lines.join('\n'));
    if (typeof line === 'string') t.is(lines[0], line);
    else t.regex(lines[0] ?? '', line);
  });
}

test('all problems are reported together, those of components too', async t => {
  const lines = await problems({
    storge: {},
    storage: {...STORAGE, config: {health: 'fine'}},
    plugins: [{...PLUGIN, config: {greeting: 1}}, {use: 'ingset'}],
    limits: {nesting: 0},
  });
  const paths = lines.map(line => line.slice(0, line.indexOf(':')));
  t.deepEqual(paths.sort(), [
    'limits.nesting',
    'plugins[0].config.greeting',
    'plugins[1].use',
    'storage.config.health',
    'storge',
  ]);
});

test('an error stands at the index that the entry has in the file', async t => {
  const lines = await problems({plugins: [{use: 'nothing-of-that-name'}, {...PLUGIN, listener: 'nowhere'}]});
  t.true(
    lines.some(line => line.startsWith('plugins[1].listener:')),
    lines.join('\n'),
  );
});

test('a component of another contract version is refused', async t => {
  const folder = await scratchFolder(t);
  await writeFile(join(folder, 'future.mjs'), "export default {kind: 'plugin', apiVersion: 99, name: 'future'};");
  const source = {value: {plugins: [{use: './future.mjs'}]}, folder};
  await t.throwsAsync(loadConfig(source, builtins, {}), {
    message: 'plugins[0].use: "./future.mjs" has apiVersion 99; this gateway accepts 1',
  });
});

for (const [title, content, message] of [
  ['throws', "throw new Error('no licence')", /does not load: no licence$/],
  ['exports nothing', 'export {};', /has no default export that is a definition; expected the kind "plugin"$/],
  [
    'lacks members',
    "export default {kind: 'plugin', apiVersion: 1, name: 'x'}",
    /lacks requires, configSchema, listener, renderError, main$/,
  ],
] as const) {
  test(`a module that ${title} is reported at the entry that names it`, async t => {
    const folder = await scratchFolder(t);
    await writeFile(join(folder, 'module.mjs'), content);
    const error = await t.throwsAsync(loadConfig({value: {plugins: [{use: './module.mjs'}]}, folder}, builtins, {}));
    t.regex(error.message, message);
    t.true(error.message.startsWith('plugins[0].use: '));
  });
}

test('a value of the file wins over a variable, and a variable over the default', async t => {
  const environment = {
    FIXTURE_GREETING: 'from the variable',
    FIXTURE_LOOKBACK: '',
    FIXTURE_PREFIX: '/v',
    FIXTURE_PORT: '7001',
  };
  const config = await load(
    {
      storage: STORAGE,
      plugins: [PLUGIN, {...PLUGIN, prefix: '/file', config: {greeting: 'from the file', lookback: 5}}],
    },
    environment,
  );
  const [first, second] = config.plugins;
  t.like(first, {prefix: '/v', enabled: true, config: {greeting: 'from the variable', lookback: 86_400_000}});
  t.like(second, {prefix: '/file', config: {greeting: 'from the file', lookback: 5}});
  t.like(config.listeners[0], {
    name: 'fixture',
    host: '127.0.0.1',
    port: 7001,
    idleTimeout: 30_000,
    acceptQueueSize: 0,
  });
});

test('values from variables take the types that the schema asks for', async t => {
  const environment = {PORT: '7002', ON: 'false', LIST: 'a, b', DAY: '1d', MS: '250', SIZE: '2MiB', NUMBER: '12'};
  const config = await load(
    {
      listeners: {fixture: {port: '${PORT}', idleTimeout: '${MS}'}},
      storage: {...STORAGE, config: {memory: '${SIZE}', capabilities: '${NONE:metadata.query.v1}'}},
      plugins: [{...PLUGIN, enabled: '${ON}', config: {tags: '${LIST}', lookback: '${DAY}', greeting: '${NUMBER}'}}],
    },
    environment,
  );
  t.like(config.listeners[0], {port: 7002, idleTimeout: 250});
  t.like(config.storage, {config: {memory: 2_097_152, capabilities: ['metadata.query.v1']}});
  t.like(config.plugins[0], {enabled: false, config: {tags: ['a', 'b'], lookback: 86_400_000, greeting: '12'}});
});

test('paths begin at the folder of the file, and the result is frozen', async t => {
  const config = await load({storage: {...STORAGE, config: {readyFile: './data/x'}}});
  t.like(config.storage, {config: {readyFile: '/etc/gateway/data/x'}});
  t.throws(() => Object.assign(config.storage?.config as object, {readyFile: ''}), {instanceOf: TypeError});
});

test('the limits have the documented defaults', async t => {
  const {limits, shutdownTimeout, startTimeout} = await load({});
  t.deepEqual(limits, {
    queryLength: 16_384,
    nesting: 200,
    formBody: 1_048_576,
    ingestBody: 67_108_864,
    queryTimeout: 30_000,
    ingestTimeout: 60_000,
    listNames: 100_000,
    spanTags: 1000,
    concurrentQueries: 64,
    headerBytes: 65_536,
  });
  t.is(shutdownTimeout, 10_000);
  t.is(startTimeout, 60_000);
});

for (const host of ['::', '::1', '0.0.0.0', 'localhost', 'gateway.example', 'fe80::1%eth0', '::ffff:127.0.0.1']) {
  test(`${host} is a host to listen on`, async t => {
    t.like((await load({listeners: {admin: {host}}})).listeners, [{host}]);
  });
}

test('a default of a storage contradicts no startTimeout, and a plugin that is off requires nothing', async t => {
  const storage = {use: 'postgres', config: {url: 'postgres://db/x'}};
  t.like((await load({startTimeout: '1s', storage})).storage, {config: {connectTimeout: 5000}});
  t.deepEqual(await problems({plugins: [{...PLUGIN, required: true, enabled: false}]}), []);
});

test('a listener with a name of its own takes what it leaves out from the plugin that is mounted there', async t => {
  const plugins = [{...PLUGIN, listener: 'shared'}];
  const {listeners} = await load({listeners: {shared: {host: '0.0.0.0'}}, plugins}, {FIXTURE_PORT: '7003'});
  t.like(listeners, [{name: 'shared', host: '0.0.0.0', port: 7003}]);
});

test('a listener opens when it is declared or when an enabled plugin brings it', async t => {
  const names = async (config: object) => (await load(config)).listeners.map(({name}) => name);
  t.deepEqual(await names({plugins: [PLUGIN]}), ['fixture']);
  t.deepEqual(await names({plugins: [{...PLUGIN, enabled: false}]}), []);
  t.deepEqual(await names({plugins: [{...PLUGIN, enabled: false}], listeners: {fixture: {}}}), ['fixture']);
  t.deepEqual(await names({listeners: {admin: {}}}), ['admin']);
});

const SYNTAX: readonly (readonly [text: string, message: RegExp])[] = [
  ['{\n  "a": 1,\n}', /line 2, column 9: a comma may not stand before "\}"$/],
  ['{"a": tru}', /line 1, column 7: expected a value here/],
  ['{"a": 1 "b": 2}', /line 1, column 9: expected "," or "\}" here$/],
  ['{"a": {"b": 1, "b": 2}}', /line 1, column 16: the key "b" occurs twice$/],
  ['{"a": [1, 2', /line 1, column 12: the text ends before a "\]"$/],
  ['{"a": "x\n"}', /line 1, column 7: this string is not closed by a quote$/],
  ['{a: 1}', /line 1, column 2: expected a key in double quotes here$/],
  ['', /line 1, column 1: the text ends where a value is expected$/],
  ['{} {}', /line 1, column 4: expected nothing after the closing bracket$/],
];

for (const [text, message] of SYNTAX) {
  test(`the text ${JSON.stringify(text)} is refused with line and column`, async t => {
    const file = join(await scratchFolder(t), 'gateway.config.json');
    await writeFile(file, text);
    const error = await t.throwsAsync(loadConfig({file}, builtins, {}), {instanceOf: ConfigError});
    t.true(error.message.startsWith(`${file} is not JSON: `));
    t.regex(error.message, message);
  });
}

test('a file that is not there is named', async t => {
  const error = await t.throwsAsync(loadConfig({file: '/nowhere/gateway.config.json'}, builtins, {}));
  t.regex(error.message, /^\/nowhere\/gateway\.config\.json: there is no such file/);
});

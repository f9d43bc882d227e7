import {access, constants, readFile} from 'node:fs/promises';
import {fileURLToPath} from 'node:url';
import test from 'ava';
import {runHere, runOver} from '../../support/command.js';
import {FIXTURE_ADAPTER, FIXTURE_PLUGIN, run} from '../../support/gateway.js';

const ROOT = fileURLToPath(new URL('../../../../', import.meta.url));
/** Of what runs in the thread of the test the log would stand among the results. */
const QUIET = {logLevel: 'error'};
const GOOD = {...QUIET, storage: {use: FIXTURE_ADAPTER}, plugins: [{use: FIXTURE_PLUGIN}]};

const {version, bin} = JSON.parse(await readFile(`${ROOT}package.json`, 'utf8')) as {
  readonly version: string;
  readonly bin: Readonly<Record<string, string>>;
};

for (const [name, path] of Object.entries(bin)) {
  test(`what a build makes of ${name} can be executed as it is, which npx does in the repository`, async t => {
    await t.notThrowsAsync(access(ROOT + path, constants.X_OK));
  });
}

const COMMANDS = ['serve', 'check', 'load', 'backup', 'rehearse', 'demo', 'schema'];

for (const command of [[], ...COMMANDS.map(name => [name])]) {
  test(`"${command.join(' ')} --help" and --version print on standard output`, async t => {
    const help = await runHere([...command, '--help']);
    t.is(help.exit, 0);
    t.regex(help.stdout.join('\n'), /^Usage: query-gateway/);
    const printed = await runHere([...command, '--version']);
    t.is(printed.exit, 0);
    t.deepEqual(printed.stdout, [version]);
    t.deepEqual([...help.stderr, ...printed.stderr], []);
  });
}

const WRONG_USAGE: readonly (readonly [args: readonly string[], message: RegExp])[] = [
  [['serv'], /unknown command 'serv'.*did you mean "serve"\?/],
  [['serve', '--confg', 'x'], /unknown option '--confg'\n\(Did you mean --config\?\)/],
  [['--confg', 'x'], /unknown option '--confg'/],
  [['check', '--config'], /option '--config <file>' argument missing/],
  [['check', 'extra'], /too many arguments/],
  [['load'], /missing required argument 'file'/],
  [['backup'], /missing required argument 'target'/],
  [['rehearse'], /required option '--traffic <file...>' not specified/],
  [['copy', '--form', 'a', '--to', 'b'], /unknown option '--form'\n\(Did you mean --from\?\)/],
  [['copy', '--from=a', '--to', '--form'], /a: there is no such file/],
  [['rehearse', '--config', 'a'], /unknown option '--config'/],
  [['demo', '--port-base', 'x'], /--port-base/],
];

for (const [args, message] of WRONG_USAGE) {
  test(`"${args.join(' ')}" is wrong usage`, async t => {
    const wrong = await runHere(args);
    t.is(wrong.exit, 2);
    t.regex(wrong.stderr.join('\n'), message);
    t.deepEqual(wrong.stdout, []);
  });
}

for (const command of ['serve', 'check', 'schema']) {
  test(`${command} answers configuration errors with 2, one on each line`, async t => {
    const config = {storage: {use: 'embeded'}, plugins: [{use: FIXTURE_PLUGIN, config: {lookbak: 1}}]};
    const wrong = await runOver(t, {config, args: file => [command, '--config', file]});
    t.is(wrong.exit, 2);
    t.deepEqual(wrong.stdout, []);
    t.regex(wrong.stderr.join('\n'), /storage\.use: found "embeded", .* did you mean "embedded"\?/);
    if (command !== 'schema') t.is(wrong.stderr.length, 2, wrong.stderr.join('\n'));
  });
}

for (const [args, message] of [
  [['--config', 'elsewhere.json'], /^elsewhere\.json: there is no such file/],
  [['check', '--config', 'elsewhere.json'], /^elsewhere\.json: there is no such file/],
  [['schema', '--config', 'elsewhere.json'], /^elsewhere\.json: there is no such file/],
  [['load', '--config', 'elsewhere.json', 'x'], /^elsewhere\.json: there is no such file/],
  [['--config', '.'], /^\.: this is a folder; expected a configuration file$/],
  [['schema', '--config', '.'], /^\.: this is a folder; expected a configuration file$/],
] as const) {
  test(`a configuration that cannot be read is named: ${args.join(' ')}`, async t => {
    const missing = await runHere(args);
    t.is(missing.exit, 2);
    t.regex(missing.stderr.join('\n'), message);
    t.deepEqual(missing.stdout, []);
  });
}

test('serve is the default command, and the file in the working directory the default configuration', async t => {
  const gateway = await run(t, {config: {...GOOD, listeners: {fixture: {port: 0}}}, args: () => []});
  t.truthy((await gateway.ready()).fixture);
  t.is(await gateway.stop(), 0);
});

test('a variable of the environment configures the gateway', async t => {
  const gateway = await run(t, {
    config: {...GOOD, plugins: [{use: FIXTURE_PLUGIN, prefix: '${PLACE:/x}'}]},
    environment: {PLACE: '/here', FIXTURE_GREETING: 'good day'},
  });
  const {fixture} = await gateway.ready();
  t.is(await (await fetch(`${fixture}/here/hello`)).text(), 'good day');
});

test('check says that a configuration is valid without starting anything', async t => {
  const config = {...GOOD, storage: {use: FIXTURE_ADAPTER, config: {startError: 'not asked to start'}}};
  const check = await run(t, {config, args: file => ['check', '--config', file]});
  t.is(await check.exit, 0);
  t.regex(check.stdout.join('\n'), /the configuration is valid$/);
});

for (const [config, hint] of [
  [{}, 'hint: no plugin is listed and enabled under "plugins", so nothing would be served'],
  [
    {plugins: [{use: FIXTURE_PLUGIN}]},
    'hint: every plugin needs a "storage", and there is none, so nothing would be served',
  ],
] as const) {
  test(`check says so when nothing would be served: ${JSON.stringify(Object.keys(config))}`, async t => {
    const check = await runOver(t, {config});
    t.is(check.exit, 0);
    t.is(check.stdout[1], hint);
  });
}

test('check --connect prints what each plugin gets, and each capability', async t => {
  const config = {
    ...QUIET,
    storage: {use: FIXTURE_ADAPTER, config: {capabilities: ['metrics.query.v1']}},
    plugins: [{use: FIXTURE_PLUGIN}, {use: FIXTURE_PLUGIN, prefix: '/off', enabled: false}],
  };
  const check = await runOver(t, {config, args: file => ['check', '--connect', '--config', file]});
  t.is(check.exit, 0);
  const rows = check.stdout.map(line => line.split(/ {2,}/));
  t.deepEqual(rows.slice(0, 3), [
    ['fixture-plugin', 'disabled: missing metadata.query.v1'],
    ['fixture-plugin-2', 'disabled: "enabled" is false'],
    ['metrics.query.v1', 'yes'],
  ]);
  t.deepEqual(
    rows.find(([name]) => name === 'metadata.query.v1'),
    ['metadata.query.v1', 'no'],
  );
});

for (const [required, enabled, exit, says] of [
  [true, true, 1, /: the start would fail: the plugin fixture-plugin needs metadata\.query\.v1, .*"required": true$/],
  [true, false, 0, undefined],
  [false, true, 0, undefined],
] as const) {
  test(`check --connect answers ${exit} for a plugin that lacks a capability: ${JSON.stringify({required, enabled})}`, async t => {
    const storage = {use: FIXTURE_ADAPTER, config: {capabilities: ['metrics.query.v1']}};
    const config = {...QUIET, storage, plugins: [{use: FIXTURE_PLUGIN, required, enabled}]};
    const check = await runOver(t, {config, args: file => ['check', '--connect', '--config', file]});
    t.is(check.exit, exit);
    const failure = check.stderr.filter(line => line.includes('the start would fail'));
    t.is(failure.length, exit);
    if (says !== undefined) t.regex(failure.join(), says);
    t.is(
      check.stdout.some(line => line.endsWith('the configuration is valid')),
      exit === 0,
    );
  });
}

test('check --connect fails when the storage does not start', async t => {
  const config = {...GOOD, storage: {use: FIXTURE_ADAPTER, config: {startError: 'the folder is held by process 42'}}};
  const check = await runOver(t, {config, args: file => ['check', '--connect', '--config', file]});
  t.is(check.exit, 1);
  t.regex(check.stderr.join('\n'), /the folder is held by process 42/);
});

test('secrets are in no line of the log', async t => {
  const config = {...GOOD, logLevel: 'debug', storage: {use: FIXTURE_ADAPTER, config: {password: 'correct horse'}}};
  const gateway = await run(t, {config});
  await gateway.ready();
  t.like(await gateway.logged('the configuration'), {config: {storage: {config: {password: '(hidden)'}}}});
  t.is(await gateway.stop(), 0);
  t.false(gateway.stderr.join('\n').includes('correct horse'));
});

test('the schema of a configuration knows the components that it names', async t => {
  const printed = await runOver(t, {config: GOOD, args: file => ['schema', '--config', file]});
  t.is(printed.exit, 0);
  const schema = JSON.parse(printed.stdout.join('\n'));
  const uses = (part: {allOf: {if: {properties: {use: {const: string}}}}[]}) =>
    part.allOf.map(each => each.if.properties.use.const);
  t.true(uses(schema.properties.plugins.items).includes(FIXTURE_PLUGIN));
  t.true(uses(schema.properties.storage).includes(FIXTURE_ADAPTER));
  t.true(uses(schema.properties.storage).includes('embedded'));
});

test('the schema that is committed is current, and the sample configuration is valid', async t => {
  const sample = `${ROOT}gateway.config.json`;
  const printed = await runHere(['schema', '--config', sample]);
  t.is(printed.exit, 0);
  const committed = await readFile(`${ROOT}core/config/gateway.schema.json`, 'utf8');
  t.is(`${printed.stdout.join('\n')}\n`, committed, 'run: npm run schema');
  const check = await runHere(['check', '--config', sample]);
  t.is(check.exit, 0, check.stderr.join('\n'));
});

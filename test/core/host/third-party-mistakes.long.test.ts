import {writeFile} from 'node:fs/promises';
import {join} from 'node:path';
import test, {type ExecutionContext} from 'ava';
import {FIXTURE_ADAPTER, run, scratchFolder} from '../../support/gateway.js';

interface Mistake {
  readonly what: string;
  /** The module of the component. */
  readonly module: string;
  /** 2 where the configuration can tell, 1 where the start must. */
  readonly exit: 1 | 2;
  readonly says: RegExp;
}

const adapter = (members: string): string =>
  `export default {kind: 'storage-adapter', apiVersion: 1, name: 'theirs', configSchema: {type: 'object'}, ${members}};`;
const starting = (start: string): string =>
  adapter(`create: () => ({start: ${start}, health: async () => ({status: 'ok'}), stop: async () => undefined})`);

const after = (pattern: RegExp): RegExp =>
  new RegExp(`the storage adapter theirs .*${pattern.source}.* \\(the adapter was loaded from "./theirs.mjs"\\)`);

const ADAPTERS: readonly Mistake[] = [
  {
    what: 'has a reader without methods',
    module: starting(`async () => ({'metadata.query.v1': {}})`),
    exit: 1,
    says: after(
      /start\(\) has given for metadata\.query\.v1 an object without the methods layers, services, instances/,
    ),
  },
  {
    what: 'has readers that lack a method, and one that is none',
    module: starting(
      `async () => ({'ingest.metrics.v1': {declared() {}}, 'ingest.compat.v1': true, 'ingest.native.v1': null})`,
    ),
    exit: 1,
    says: after(
      /for ingest\.metrics\.v1 an object without the method write; for ingest\.compat\.v1 a boolean, expected .*; for ingest\.native\.v1 null/,
    ),
  },
  {
    what: 'supplies a capability that is not known',
    module: starting(`async () => ({'metrics.query.v2': {}})`),
    exit: 1,
    says: after(
      /a capability "metrics\.query\.v2" that this gateway does not know; did you mean "metrics\.query\.v1"\?/,
    ),
  },
  {
    what: 'starts to nothing',
    module: starting('async () => undefined'),
    exit: 1,
    says: after(/start\(\) has given undefined, expected an object of capabilities/),
  },
  {
    what: 'starts to a list',
    module: starting('() => []'),
    exit: 1,
    says: after(/start\(\) has given a list, expected/),
  },
  {
    what: 'throws no error at its start',
    module: starting(`() => { throw 'no licence'; }`),
    exit: 1,
    says: after(/did not start: no licence/),
  },
  {
    what: 'never ends its start',
    module: starting('() => new Promise(() => undefined)'),
    exit: 1,
    says: after(/its start has not ended within startTimeout, 0\.5 s/),
  },
  {
    what: 'cannot be created',
    module: adapter(`create() { throw new Error('no such driver'); }`),
    exit: 1,
    says: after(/cannot be created: no such driver/),
  },
  {
    what: 'is created as nothing',
    module: adapter('create: () => undefined'),
    exit: 1,
    says: after(/create\(\) has given undefined, expected an object with the methods start, health, stop/),
  },
  {
    what: 'is created without a stop',
    module: adapter('create: () => ({start() {}, health() {}})'),
    exit: 1,
    says: after(/create\(\) has given an object without the method stop/),
  },
  {
    what: 'has a mistake in its syntax',
    module: '\nexport default {{;\n',
    exit: 2,
    says: /storage\.use: .*\/theirs\.mjs does not load: Unexpected token '\{' \(node --check .*\/theirs\.mjs shows where\)$/m,
  },
  {
    what: 'throws when it is loaded',
    module: `throw new Error('no licence');`,
    exit: 2,
    says: /storage\.use: .*\/theirs\.mjs does not load: no licence$/m,
  },
  {
    what: 'throws no error when it is loaded',
    module: `throw 'no licence';`,
    exit: 2,
    says: /storage\.use: .*\/theirs\.mjs does not load: it has thrown "no licence"$/m,
  },
  {
    what: 'is of another kind',
    module: `export default {kind: 'adapter'};`,
    exit: 2,
    says: /storage\.use: "\.\/theirs\.mjs" is of the kind "adapter"; expected the kind "storage-adapter"$/m,
  },
  {
    what: 'is of another version of the contract',
    module: `export default {kind: 'storage-adapter', apiVersion: '1'};`,
    exit: 2,
    says: /storage\.use: "\.\/theirs\.mjs" has apiVersion "1"; this gateway accepts 1$/m,
  },
  {
    what: 'has a definition that lacks members',
    module: `export default {kind: 'storage-adapter', apiVersion: 1, name: 'theirs', configSchema: null};`,
    exit: 2,
    says: /storage\.use: the definition of "\.\/theirs\.mjs" lacks configSchema, create$/m,
  },
];

const plugin = (members: string, main = 'class { routes() {} }'): string =>
  `export default {kind: 'plugin', apiVersion: 1, name: 'theirs', requires: [], configSchema: {type: 'object'},
    listener: {name: 'theirs', host: '127.0.0.1', port: 0, prefix: '/'},
    renderError: () => ({status: 500, body: ''}), main: ${main}, ${members}};`;

const PLUGINS: readonly Mistake[] = [
  {
    what: 'has no routes',
    module: plugin('', 'class {}'),
    exit: 1,
    says: /the plugin theirs did not start: "main" has made an object without the method routes$/m,
  },
  {
    what: 'has routes that are no method, and a stop that is none',
    module: plugin('', 'class { routes = []; stop = true; }'),
    exit: 1,
    says: /the plugin theirs did not start: "main" has made an object without the methods routes, stop$/m,
  },
  {
    what: 'cannot be constructed',
    module: plugin('', `class { constructor() { throw new Error('no licence'); } }`),
    exit: 1,
    says: /the plugin theirs did not start: it cannot be constructed: .*no licence$/m,
  },
  {
    what: 'has a main that is no class',
    module: plugin('', '() => ({routes() {}})'),
    exit: 2,
    says: /plugins\[0\]\.use: the definition of "\.\/theirs\.mjs" has a "main" that is no class$/m,
  },
  {
    what: 'asks for capabilities that are not known',
    module: plugin(`requires: ['metrics.query.v2'], optional: ['topologies']`),
    exit: 2,
    says: /plugins\[0\]\.use: the definition of "\.\/theirs\.mjs" asks for "metrics\.query\.v2", which is no capability that this gateway knows; did you mean "metrics\.query\.v1"\?; asks for "topologies", which is no capability that this gateway knows$/m,
  },
  {
    what: 'has no list of what it requires',
    module: plugin(`requires: {}`),
    exit: 2,
    says: /the definition of "\.\/theirs\.mjs" has no list as "requires"$/m,
  },
  {
    what: 'cannot render an error',
    module: plugin('renderError: undefined'),
    exit: 2,
    says: /the definition of "\.\/theirs\.mjs" lacks renderError$/m,
  },
  {
    what: 'has a listener without a name and a port',
    module: plugin(`listener: {host: '127.0.0.1', prefix: '/'}`),
    exit: 2,
    says: /the definition of "\.\/theirs\.mjs" has no text as "listener\.name"; has no number as "listener\.port"$/m,
  },
  {
    what: 'imports what is not there',
    module: `import {nope} from 'node:fs'; export default nope;`,
    exit: 2,
    says: /plugins\[0\]\.use: .*\/theirs\.mjs does not load: .*'nope' \(.*\/theirs\.mjs, line 1\)$/m,
  },
];

/** The message of a line of the log, without that of its cause, which is the same. */
function plainly(line: string): string {
  if (!line.startsWith('{')) return line;
  const {error, err} = JSON.parse(line) as {error?: string; err?: {stack: string}};
  return error ?? err?.stack.split('\n')[0] ?? '';
}

async function expectTold(t: ExecutionContext, {what, module, exit, says}: Mistake, component: object): Promise<void> {
  const folder = await scratchFolder(t);
  await writeFile(join(folder, 'theirs.mjs'), module);
  const config = {startTimeout: what === 'never ends its start' ? 500 : '1m', ...component};
  for (const command of [['check', '--connect'], ['serve']]) {
    const program = await run(t, {folder, config, args: file => [...command, '--config', file]});
    t.is(await program.exit, exit, `${command[0]}: ${program.stderr.join('\n')}`);
    t.regex(program.stderr.map(plainly).join('\n'), says, command[0]);
  }
}

for (const mistake of ADAPTERS) {
  test(`check --connect and the start tell of a storage adapter that ${mistake.what}`, t =>
    expectTold(t, mistake, {storage: {use: './theirs.mjs'}}));
}

for (const mistake of PLUGINS) {
  test(`check --connect and the start tell of a plugin that ${mistake.what}`, t =>
    expectTold(t, mistake, {storage: {use: FIXTURE_ADAPTER}, plugins: [{use: './theirs.mjs'}]}));
}

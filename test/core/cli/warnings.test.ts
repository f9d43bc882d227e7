import {writeFile} from 'node:fs/promises';
import {join} from 'node:path';
import test from 'ava';
import {run, scratchFolder} from '../../support/gateway.js';

/** An adapter that warns when it is loaded and when it starts, as libraries do. */
const WARNING = `
process.emitWarning('loading is of yesterday', 'DeprecationWarning');
export default {
  kind: 'storage-adapter',
  apiVersion: 1,
  name: 'warning',
  configSchema: {type: 'object', additionalProperties: false, properties: {}},
  create: () => ({
    start: async () => {
      process.emitWarning('SECURITY WARNING: password=hunter2\\non two lines');
      await new Promise(resolve => setImmediate(resolve));
      return {};
    },
    health: async () => ({status: 'ok'}),
    stop: async () => undefined,
  }),
};
`;

interface Line {
  readonly level: string;
  readonly component: string;
  readonly warning?: string;
  readonly msg: string;
}

for (const [title, args] of [
  ['check --connect', ['check', '--connect']],
  ['serve', ['serve']],
] as const) {
  test(`${title} logs warnings of libraries as lines of JSON, without credentials`, async t => {
    const file = join(await scratchFolder(t), 'warning.mjs');
    await writeFile(file, WARNING);
    const config = {storage: {use: file}, listeners: {admin: {port: 0}}, logLevel: 'warn'};
    const running = await run(t, {config, args: path => [...args, '--config', path]});
    if (title === 'serve') {
      await running.ready();
      running.process.kill('SIGTERM');
    }
    t.is(await running.exit, 0, running.stderr.join('\n'));
    const lines = running.stderr.map(line => JSON.parse(line) as Line);
    t.deepEqual(
      lines.map(({level, component, warning, msg}) => [level, component, warning, msg]),
      [
        ['warn', 'gateway', 'DeprecationWarning', 'loading is of yesterday'],
        ['warn', 'gateway', 'Warning', 'SECURITY WARNING: password=(hidden)\non two lines'],
      ],
    );
  });
}

for (const mode of ['prefer', 'require', 'verify-ca', 'verify-full']) {
  test(`check has no warning of its driver to show for sslmode=${mode}`, async t => {
    const storage = {use: 'postgres', config: {url: `postgres://u@127.0.0.1:1/x?sslmode=${mode}`}};
    const check = await run(t, {config: {storage}, args: file => ['check', '--config', file]});
    t.is(await check.exit, 0);
    t.deepEqual(check.stderr, []);
  });
}

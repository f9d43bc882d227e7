import {setTimeout as sleep} from 'node:timers/promises';
import {queryObjects} from 'node:v8';
import {SchemaEnv} from 'ajv/dist/compile/index.js';
import test from 'ava';
import {builtins} from '../../../core/cli/builtins.js';
import {createGateway, loadConfig} from '../../../core/gateway.js';
import {Generation} from '../../../core/host/generation.js';
import {FIXTURE_ADAPTER, FIXTURE_PLUGIN} from '../../support/gateway.js';

/** How many there are that something refers to: it collects first. */
const living = (made: typeof Generation | typeof SchemaEnv): number =>
  queryObjects(made as unknown as Parameters<typeof queryObjects>[0], {format: 'count'}) as unknown as number;

test('what a reload has replaced takes no memory, however many follow', async t => {
  let round = 0;
  const read = () => {
    const value = {
      listeners: {fixture: {host: '127.0.0.1', port: 0}},
      storage: {use: FIXTURE_ADAPTER, config: {}},
      plugins: [{use: FIXTURE_PLUGIN, config: {greeting: `hello ${round++}`}}],
      shutdownTimeout: 50,
    };
    return loadConfig({value, folder: process.cwd()}, builtins);
  };
  const gateway = createGateway(await read(), {readConfig: read});
  t.teardown(() => gateway.stop());
  await gateway.start();
  await gateway.reload();
  const schemas = living(SchemaEnv);
  for (let reloads = 0; reloads < 10; reloads++) await gateway.reload();
  t.true(schemas > 0);
  t.is(living(SchemaEnv), schemas, 'compiled schemas');
  // The present one alone, once the clients of the one before have been waited for.
  for (let attempt = 0; attempt < 100 && living(Generation) > 1; attempt++) await sleep(20);
  t.is(living(Generation), 1, 'generations');
});

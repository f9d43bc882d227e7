import {createRequire} from 'node:module';
import test from 'ava';
import {builtins} from '../../../core/cli/builtins.js';
import {ACCESS_FILE} from '../../../core/config/access.js';
import {ConfigError} from '../../../core/config/config-error.js';
import {loadConfig} from '../../../core/config/load.js';
import {checkOf} from '../../../core/config/schema-check.js';

const {cache} = createRequire(import.meta.url);
const isCompilerLoaded = (): boolean => Object.keys(cache).some(file => file.endsWith('/ajv/dist/ajv.js'));

test.serial('no schema that comes with the package is compiled while somebody waits', async t => {
  const listeners = {mine: {port: 0}};
  for (const use of Object.keys(builtins.adapters)) {
    const plugins = Object.keys(builtins.plugins).map(plugin => ({use: plugin}));
    // That some of them lack what they cannot do without is found by their schemas too.
    const problem = await loadConfig({value: {listeners, storage: {use}, plugins}, folder: '.'}, builtins).catch(
      (error: unknown) => error,
    );
    t.true(problem instanceof ConfigError);
  }
  checkOf(ACCESS_FILE);
  t.false(isCompilerLoaded());
});

test.serial('the schema of another component is compiled once, whatever object holds it', t => {
  const schema = {type: 'object', properties: {mine: {type: 'integer', minimum: 1}}};
  const check = checkOf(schema);
  t.true(check({mine: 1}));
  t.false(check({mine: 0}));
  t.is(checkOf(structuredClone(schema)), check);
  t.true(isCompilerLoaded());
});

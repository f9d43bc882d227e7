import {mkdtemp, rm} from 'node:fs/promises';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {fileURLToPath} from 'node:url';
import test from 'ava';
import {CAPABILITY_NAMES} from '../../../core/api/adapter.js';
import {testAdapter} from '../../../storage-adapters/conformance/test-adapter.js';
import adapter from '../../../storage-adapters/embedded/adapter.js';

testAdapter(test, {
  adapter,
  config: async ({name}) => {
    const path = await mkdtemp(join(tmpdir(), `${name}-`));
    return {config: {path}, remove: () => rm(path, {recursive: true, force: true})};
  },
  expects: CAPABILITY_NAMES,
  module: fileURLToPath(new URL('../../../storage-adapters/embedded/adapter.js', import.meta.url)),
});

import {mkdtempSync} from 'node:fs';
import {rm} from 'node:fs/promises';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import test from 'ava';
import {testAdapter} from '../../../storage-adapters/conformance/test-adapter.js';
import adapter from '../../fixtures/trace-files/adapter.js';

const root = mkdtempSync(join(tmpdir(), 'trace-files-'));
test.after.always(() => rm(root, {recursive: true}));

testAdapter(test, {
  adapter,
  config: ({name}) => ({config: {folder: join(root, name)}}),
  expects: ['traces.compat.v1', 'traces.native.v2', 'ingest.compat.v1', 'ingest.native.v1'],
  module: './dist/test/fixtures/trace-files/adapter.js',
});

import test from 'ava';
import type {CapabilityName} from '../../../core/api/adapter.js';
import {testAdapter} from '../../../storage-adapters/conformance/test-adapter.js';
import adapter from '../../../storage-adapters/postgres/adapter.js';
import {isPostgresInstalled, sharedServer, testWithPostgres} from '../../support/servers/postgres.js';

const expects: readonly CapabilityName[] = [
  'metrics.query.v1',
  'metadata.query.v1',
  'traces.compat.v1',
  'ingest.metrics.v1',
  'ingest.compat.v1',
];
const server = sharedServer(test);

testWithPostgres(test, 'the conformance kit runs on a real server', async t => {
  t.regex(String((await (await server()).sql('SELECT version()'))[0]?.version), /^PostgreSQL/);
});

if (isPostgresInstalled) {
  testAdapter(test, {
    adapter,
    config: async ({name}) => ({config: {url: (await server()).url(), schema: name}}),
    expects,
  });
}

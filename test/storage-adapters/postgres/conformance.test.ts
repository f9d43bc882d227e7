import test from 'ava';
import type {AdapterDefinition} from '../../../core/api/adapter.js';
import {testAdapter} from '../../../storage-adapters/conformance/test-adapter.js';
import adapter from '../../../storage-adapters/postgres/adapter.js';
import {suiteWith} from '../../support/programs.js';
import {sharedPostgres} from '../../support/servers/postgres.js';

suiteWith(test, 'postgres', 'the conformance kit of postgres', () => {
  const server = sharedPostgres(test);
  testAdapter(test, {
    adapter: adapter as AdapterDefinition,
    config: async ({name}) => ({config: {url: (await server()).url(), schema: name}}),
    expects: [
      'metrics.query.v1',
      'metadata.query.v1',
      'topology.query.v1',
      'traces.compat.v1',
      'traces.otlp.v1',
      'ingest.metrics.v1',
      'ingest.compat.v1',
      'ingest.otlp.v1',
      'ingest.history.v1',
      'export.metrics.v1',
      'export.compat.v1',
      'export.otlp.v1',
    ],
    module: './dist/storage-adapters/postgres/adapter.js',
  });
});

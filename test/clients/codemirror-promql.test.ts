import {createRequire} from 'node:module';
import test from 'ava';
import {startWithRecords} from './gateway.js';

// The ES modules of the package are made for bundlers: Node.js does not resolve their folders.
const {HTTPPrometheusClient} = createRequire(import.meta.url)(
  '@prometheus-io/codemirror-promql/dist/cjs/client/prometheus.js',
) as typeof import('@prometheus-io/codemirror-promql/dist/esm/client/prometheus.js');

const METRICS = ['service_cpm', 'service_instance_cpm', 'service_percentile', 'service_relation_client_cpm'];
const SCOPES = [
  'Endpoint',
  'EndpointRelation',
  'Service',
  'ServiceInstance',
  'ServiceInstanceRelation',
  'ServiceRelation',
];

test('the query editor of Prometheus completes from the gateway, with GET and with POST', async t => {
  const {urls} = await startWithRecords(t);
  for (const httpMethod of ['GET', 'POST'] as const) {
    const failures: unknown[] = [];
    const client = new HTTPPrometheusClient({
      url: urls.metrics ?? '',
      httpMethod,
      lookbackInterval: 12 * 3600 * 1000,
      httpErrorHandler: error => failures.push(error),
    });
    t.deepEqual(await client.metricNames(), METRICS);
    t.deepEqual(Object.keys(await client.metricMetadata()).sort(), METRICS);
    t.true((await client.labelNames()).includes('dest_service'));
    t.true((await client.labelNames('service_percentile')).includes('p'));
    t.deepEqual(await client.labelValues('scope'), SCOPES);
    t.is((await client.series('service_cpm')).length, 1);
    t.deepEqual(failures, []);
  }
});

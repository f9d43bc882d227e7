/** The data of the tests: three minutes in 2023, in UTC, with a value for every kind of metric and every scope. */
export const M0 = 1_700_000_040;
export const M1 = M0 + 60;
export const M2 = M0 + 120;

const A = {layer: 'GENERAL', service: 'A'};
const B = {layer: 'GENERAL', service: 'B'};

const METRICS = [
  {name: 'service_cpm', scope: 'Service', kind: 'common', help: 'calls per minute', unit: 'calls'},
  {name: 'service_errors', scope: 'Service', kind: 'common', rollup: 'sum', type: 'counter'},
  {name: 'service_percentile', scope: 'Service', kind: 'labeled', valueLabels: ['p']},
  {name: 'service_status', scope: 'Service', kind: 'labeled', valueLabels: ['method', 'code']},
  {name: 'service_instance_cpm', scope: 'ServiceInstance', kind: 'common'},
  {name: 'service_instance_percentile', scope: 'ServiceInstance', kind: 'labeled', valueLabels: ['p']},
  {name: 'endpoint_cpm', scope: 'Endpoint', kind: 'common'},
  {name: 'service_relation_client_cpm', scope: 'ServiceRelation', kind: 'common'},
  {name: 'service_instance_relation_client_cpm', scope: 'ServiceInstanceRelation', kind: 'common'},
  {name: 'endpoint_relation_cpm', scope: 'EndpointRelation', kind: 'common'},
  {name: 'top_n_database_statement', scope: 'Service', kind: 'sampled-record'},
];

type Fields = Readonly<Record<string, unknown>>;

const samples = (metric: string, entity: Fields, values: Readonly<Record<number, number>>, labels?: Fields): Fields[] =>
  Object.entries(values).map(([time, value]) => ({
    record: 'sample',
    metric,
    ...entity,
    ...(labels === undefined ? {} : {labels}),
    time: Number(time),
    value,
  }));

const instance = (service: string, serviceInstance: string): Fields => ({layer: 'GENERAL', service, serviceInstance});
const record = (content: string, time: number, value: number): Fields => ({
  record: 'sampled-record',
  metric: 'top_n_database_statement',
  layer: 'DATABASE',
  service: 'db',
  content,
  time,
  value,
});
const seen = (scope: string, entity: Fields, time: number): Fields => ({record: 'entity', scope, ...entity, time});

const RECORDS: readonly Fields[] = [
  ...METRICS.map(metric => ({record: 'metric', ...metric})),
  ...samples('service_cpm', A, {[M0]: 0, [M1]: 1, [M2]: 2}),
  ...samples('service_cpm', B, {[M0]: 3, [M1]: 1}),
  // The same name in another layer is another service.
  ...samples('service_cpm', {layer: 'MESH', service: 'A'}, {[M2]: 99}),
  ...samples('service_cpm', {layer: 'MY_LAYER', service: 'order.service'}, {[M2]: 5}),
  ...samples('service_cpm', {layer: 'GENERAL', service: 'quoted "\\ name'}, {[M2]: 6}),
  ...samples('service_errors', A, {[M0]: 1, [M1]: 2, [M2]: 4, [M0 + 3600]: 8}),
  ...samples('service_percentile', A, {[M2]: 10}, {p: '50'}),
  ...samples('service_percentile', A, {[M2]: 20}, {p: '75'}),
  ...samples('service_percentile', A, {[M2]: 30}, {p: '90'}),
  ...samples('service_percentile', B, {[M2]: 15}, {p: '50'}),
  ...samples('service_percentile', B, {[M2]: 15}, {p: '75'}),
  ...samples('service_percentile', B, {[M2]: 35}, {p: '100'}),
  ...samples('service_status', A, {[M2]: 1}, {method: 'GET', code: '200'}),
  ...samples('service_status', A, {[M2]: 2}, {method: 'GET', code: '500'}),
  ...samples('service_status', A, {[M2]: 3}, {method: 'POST', code: '200'}),
  ...samples('service_status', B, {[M2]: 7}, {method: 'GET,POST', code: '200'}),
  ...samples('service_status', B, {[M2]: 8}, {method: 'POST', code: '200'}),
  ...samples('service_instance_cpm', instance('A', 'a-1'), {[M0]: 1, [M2]: 2}),
  ...samples('service_instance_cpm', instance('A', 'a-2'), {[M2]: 4}),
  ...samples('service_instance_cpm', instance('A', 'a-3'), {[M2]: 4}),
  ...samples('service_instance_cpm', instance('B', 'b-1'), {[M2]: 3}),
  ...samples('service_instance_cpm', {layer: 'MESH', service: 'A', serviceInstance: 'mesh-1'}, {[M2]: 1000}),
  ...samples('service_instance_percentile', instance('A', 'a-1'), {[M2]: 8}, {p: '50'}),
  ...samples('endpoint_cpm', {...A, endpoint: 'GET:/songs'}, {[M2]: 7}),
  ...samples('service_relation_client_cpm', {...A, destLayer: 'GENERAL', destService: 'B'}, {[M2]: 11}),
  ...samples(
    'service_instance_relation_client_cpm',
    {...instance('A', 'a-1'), destLayer: 'GENERAL', destService: 'B', destServiceInstance: 'b-1'},
    {[M2]: 12},
  ),
  ...samples(
    'endpoint_relation_cpm',
    {...A, endpoint: 'GET:/songs', destLayer: 'GENERAL', destService: 'B', destEndpoint: 'GET:/b'},
    {[M2]: 13},
  ),
  record('select 1', M0 + 5, 120),
  record('select 2', M0 + 6, 80),
  record('select 1', M1 + 7, 120),
  record('select 3', M2 + 8, 200),
  seen('Service', {layer: 'MESH', service: '-|httpbin|ns|cluster|-'}, M0),
  seen('Service', {layer: 'MESH', service: 'httpbin'}, M0),
  seen('Endpoint', {...A, endpoint: 'POST:/songs'}, M0),
  seen('Endpoint', {...A, endpoint: 'GET:/old'}, M0 - 86_400),
];

export const SCENE = `${RECORDS.map(line => JSON.stringify(line)).join('\n')}\n`;

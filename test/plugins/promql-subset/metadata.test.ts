import test from 'ava';
import {get} from '../../support/http.js';
import {M0, M2} from './scene.js';
import {withScene} from './support.js';

const scene = withScene(test);

type Parameters = Readonly<Record<string, string | readonly string[]>>;
const TIME = {start: String(M0), end: String(M2)};

const LABELS: readonly (readonly [selector: string | readonly string[], labels: string])[] = [
  ['service_cpm', 'layer service top_n order'],
  ["service_cpm{layer='GENERAL',service='A'}", 'layer service top_n order'],
  ['service_instance_cpm', 'layer service top_n order service_instance parent_service'],
  ['endpoint_cpm', 'layer service top_n order endpoint parent_service'],
  ['service_percentile', 'layer service top_n order p'],
  ["service_percentile{layer='GENERAL',service='A'}", 'layer service top_n order p'],
  ['service_status', 'layer service top_n order method code'],
  ['service_relation_client_cpm', 'layer service dest_service dest_layer'],
  [
    'service_instance_relation_client_cpm',
    'layer service dest_service dest_layer service_instance dest_service_instance',
  ],
  ['endpoint_relation_cpm', 'layer service dest_service dest_layer endpoint dest_endpoint'],
  ['top_n_database_statement', 'layer parent_service top_n order'],
  ['service_traffic', 'layer limit service'],
  ['instance_traffic', 'layer limit service service_instance'],
  ['endpoint_traffic', 'layer limit service keyword endpoint'],
  ['no_such_metric', ''],
  ["service_cpm{layer='NOPE'}", ''],
  ["service_relation_client_cpm{dest_layer='NOPE'}", ''],
  ["service_cpm{layer='MY_LAYER'}", 'layer service top_n order'],
  ['{__name__="service_cpm"}', 'layer service top_n order'],
  ['{__name__="service_cpm",}', 'layer service top_n order'],
  ['{__name__=~"service_c.m"}', 'layer service top_n order'],
  ['{__name__=~"service_cpm|endpoint_cpm"}', 'layer service top_n order endpoint parent_service'],
  ['{scope="EndpointRelation"}', 'layer service dest_service dest_layer endpoint dest_endpoint'],
  ['{p!=""}', 'layer service top_n order service_instance parent_service p'],
  [['service_cpm', 'service_relation_client_cpm'], 'layer service top_n order dest_service dest_layer'],
];

for (const [selector, labels] of LABELS) {
  test(`labels of ${selector}`, async t => {
    const expected = labels === '' ? [] : labels.split(' ');
    const data = (await scene.data('/api/v1/labels', {'match[]': selector, ...TIME})) as string[];
    t.deepEqual(data, expected);
  });
}

test('labels of everything', async t => {
  const all =
    '__name__ layer scope service service_instance endpoint parent_service top_n order record limit keyword ' +
    'dest_service dest_layer dest_service_instance dest_endpoint code method p';
  t.deepEqual(await scene.data('/api/v1/labels'), all.split(' '));
  t.deepEqual(await scene.data('/api/v1/labels', {limit: '3'}), ['__name__', 'layer', 'scope']);
  t.deepEqual(await scene.data('/api/v1/labels', {limit: '0'}), all.split(' '));
  const reached = (await scene.data('/api/v1/labels', {limit: '40000', 'match[]': '{__name__=~".+",}'})) as string[];
  const notOfMetrics = new Set(['__name__', 'scope', 'record', 'limit', 'keyword']);
  const expected = all.split(' ').filter(label => !notOfMetrics.has(label));
  t.deepEqual(reached.toSorted(), expected.toSorted());
});

const NAMES = [
  'endpoint_cpm',
  'endpoint_relation_cpm',
  'service_cpm',
  'service_errors',
  'service_instance_cpm',
  'service_instance_percentile',
  'service_instance_relation_client_cpm',
  'service_percentile',
  'service_relation_client_cpm',
  'service_status',
  'top_n_database_statement',
];

const VALUES: readonly (readonly [label: string, parameters: Parameters, values: readonly string[]])[] = [
  ['__name__', {}, NAMES],
  ['__name__', {limit: '2'}, NAMES.slice(0, 2)],
  ['__name__', {'match[]': '{__name__=~".*percentile"}'}, ['service_instance_percentile', 'service_percentile']],
  [
    '__name__',
    {'match[]': '{__name__!~"service.*",__name__!=""}'},
    ['endpoint_cpm', 'endpoint_relation_cpm', 'top_n_database_statement'],
  ],
  ['__name__', {'match[]': '{layer="GENERAL"}'}, NAMES],
  ['__name__', {'match[]': '{dest_endpoint!=""}'}, ['endpoint_relation_cpm']],
  [
    '__name__',
    {'match[]': ['{p="50"}', 'endpoint_cpm']},
    ['endpoint_cpm', 'service_instance_percentile', 'service_percentile'],
  ],
  ['__name__', {'match[]': 'nope'}, []],
  ['__name__', {'match[]': '{layer="NOPE"}'}, []],
  ['__name__', {'match[]': '{layer="MY_LAYER"}'}, NAMES],
  ['__name__', {'match[]': '{layer=~"NO.*",service!="x"}'}, []],
  [
    'scope',
    {},
    ['Endpoint', 'EndpointRelation', 'Service', 'ServiceInstance', 'ServiceInstanceRelation', 'ServiceRelation'],
  ],
  ['p', {'match[]': 'service_percentile', end: String(M2)}, ['100', '50', '75', '90']],
  ['p', {'match[]': "service_percentile{layer='GENERAL',service='A'}", end: String(M2)}, ['50', '75', '90']],
  ['p', {'match[]': "service_percentile{p=~'[79].'}", end: String(M2)}, ['75', '90']],
  ['p', {'match[]': "service_percentile{layer='GENERAL',service='ghost'}"}, []],
  ['p', {'match[]': '{__name__="service_percentile"}', end: String(M2)}, ['100', '50', '75', '90']],
  ['p', {'match[]': '{__name__="service_percentile",service="B"}', end: String(M2)}, ['100', '50', '75']],
  ['p', {'match[]': '{__name__="service_percentile",service="A",service="B"}', end: String(M2)}, []],
  ['p', {'match[]': '{p=~".*0"}', end: String(M2)}, ['100', '50', '90']],
  ['p', {'match[]': 'service_instance_percentile', end: String(M2)}, ['50']],
  ['p', {'match[]': 'service_percentile', end: String(M0 - 86_400)}, []],
  ['p', {'match[]': 'service_percentile', end: '2023-11-14T00:00:00Z'}, ['100', '50', '75', '90']],
  ['p', {'match[]': 'service_percentile', end: String(M2), limit: '1'}, ['100']],
  ['code', {'match[]': "service_status{method='POST'}", end: String(M2)}, ['200']],
  ['p', {'match[]': 'service_cpm'}, []],
  ['p', {}, []],
  ['nope', {}, []],
  ['service', {'match[]': "service_traffic{layer='GENERAL'}"}, ['A', 'B', 'quoted "\\ name']],
  ['service', {'match[]': "service_traffic{layer='MESH'}"}, ['-|httpbin|ns|cluster|-', 'A', 'httpbin']],
  [
    'service',
    {'match[]': "service_traffic{layer='MESH',service='-|httpbin|ns|cluster|-'}"},
    ['-|httpbin|ns|cluster|-'],
  ],
  ['service', {'match[]': "service_traffic{layer='MESH',service='httpbin|A|ghost'}"}, ['A', 'httpbin']],
  ['service', {'match[]': "service_traffic{layer='MESH',service=~'httpbin|A'}"}, ['A', 'httpbin']],
  ['service', {'match[]': "service_traffic{layer='MESH',service!~'.*httpbin.*'}"}, ['A']],
  ['service', {'match[]': "service_traffic{layer='MESH',service!='A'}"}, ['-|httpbin|ns|cluster|-', 'httpbin']],
  [
    'service',
    {'match[]': "service_traffic{layer='MESH',service=~'.*httpbin.*',service!='httpbin'}"},
    ['-|httpbin|ns|cluster|-'],
  ],
  ['service', {'match[]': "service_traffic{layer='MY_LAYER',service=~'order\\\\.service'}"}, ['order.service']],
  ['service', {'match[]': "service_traffic{layer='GENERAL',limit='1'}"}, ['A']],
  ['service', {'match[]': "service_traffic{layer='GENERAL',limit='2'}", limit: '1'}, ['A']],
  ['service', {'match[]': "service_traffic{layer='GENERAL',limit='1'}", limit: '2'}, ['A']],
  ['service', {'match[]': "service_traffic{layer='GENERAL',limit='0'}", limit: '0'}, ['A', 'B', 'quoted "\\ name']],
  ['service', {'match[]': "service_traffic{layer='NOPE'}"}, []],
  [
    'service',
    {'match[]': ["service_traffic{layer='GENERAL'}", "service_traffic{layer='MY_LAYER'}"]},
    ['A', 'B', 'order.service', 'quoted "\\ name'],
  ],
  [
    'service_instance',
    {'match[]': "instance_traffic{layer='GENERAL',service='A'}", end: String(M2)},
    ['a-1', 'a-2', 'a-3'],
  ],
  ['service_instance', {'match[]': "instance_traffic{layer='GENERAL',service='A'}"}, []],
  [
    'service_instance',
    {'match[]': "instance_traffic{layer='GENERAL',service='A',service_instance=~'a-[12]'}", end: String(M2)},
    ['a-1', 'a-2'],
  ],
  ['service', {'match[]': "instance_traffic{layer='GENERAL',service='A'}", end: String(M2)}, ['A']],
  ['layer', {'match[]': "instance_traffic{layer='GENERAL',service='A'}", end: String(M2)}, ['GENERAL']],
  [
    'endpoint',
    {'match[]': "endpoint_traffic{layer='GENERAL',service='A'}", end: String(M2)},
    ['GET:/songs', 'POST:/songs'],
  ],
  ['endpoint', {'match[]': "endpoint_traffic{layer='GENERAL',service='A'}", end: String(M0 - 86_400)}, ['GET:/old']],
  [
    'endpoint',
    {'match[]': "endpoint_traffic{layer='GENERAL',service='A',keyword='songs',endpoint=~'POST.*'}", end: String(M2)},
    ['POST:/songs'],
  ],
  [
    'endpoint',
    {'match[]': "endpoint_traffic{layer='GENERAL',service='A',keyword=''}", end: String(M2)},
    ['GET:/songs', 'POST:/songs'],
  ],
  ['endpoint', {'match[]': "endpoint_traffic{layer='GENERAL',service='A',keyword='SONGS'}", end: String(M2)}, []],
  ['U__service', {'match[]': "service_traffic{layer='MY_LAYER'}"}, ['order.service']],
  ['U__service__instance', {'match[]': "instance_traffic{layer='GENERAL',service='B'}", end: String(M2)}, ['b-1']],
  ['U__a_2e_b', {'match[]': "service_traffic{layer='MY_LAYER'}"}, []],
];

for (const [label, parameters, values] of VALUES) {
  test(`values of ${label} ${JSON.stringify(parameters)}`, async t => {
    t.deepEqual(await scene.data(`/api/v1/label/${label}/values`, parameters), values);
  });
}

test('layers are the known ones and those of the data', async t => {
  const layers = (await scene.data('/api/v1/label/layer/values')) as string[];
  t.true(layers.includes('GENERAL') && layers.includes('AIRFLOW') && layers.includes('MY_LAYER'));
  t.false(layers.includes('UNDEFINED'));
  t.is(layers.length, 51);
  t.deepEqual(layers, layers.toSorted());
  t.deepEqual(await scene.data('/api/v1/label/layer/values', {limit: '2'}), layers.slice(0, 2));
  t.deepEqual(await scene.data('/api/v1/label/layer/values', {'match[]': '{layer=~"GEN.*"}'}), ['GENAI', 'GENERAL']);
});

const map = (fields: Readonly<Record<string, string>>): Readonly<Record<string, string>> => fields;
const serviceMap = (layer: string, service: string) =>
  map({__name__: 'service_traffic', layer, scope: 'Service', service});

const SERIES: readonly (readonly [
  selector: string | readonly string[],
  maps: readonly Readonly<Record<string, string>>[],
])[] = [
  ["service_traffic{layer='GENERAL'}", ['A', 'B', 'quoted "\\ name'].map(name => serviceMap('GENERAL', name))],
  ["service_traffic{layer='GENERAL',service='A'}", [serviceMap('GENERAL', 'A')]],
  ["service_traffic{layer='MESH',service=~'A|B'}", [serviceMap('MESH', 'A')]],
  ["service_traffic{layer='MY_LAYER',service='A'}", []],
  ["service_traffic{layer='NOPE'}", []],
  ["service_traffic{layer='GENERAL',scope='Endpoint'}", []],
  ["service_traffic{layer='GENERAL',nope='x'}", []],
  [
    "instance_traffic{layer='GENERAL',service='A'}",
    ['a-1', 'a-2', 'a-3'].map(name =>
      map({
        __name__: 'instance_traffic',
        layer: 'GENERAL',
        scope: 'ServiceInstance',
        service: 'A',
        service_instance: name,
      }),
    ),
  ],
  [
    "endpoint_traffic{layer='GENERAL',service='A',keyword='GET'}",
    [map({__name__: 'endpoint_traffic', endpoint: 'GET:/songs', layer: 'GENERAL', scope: 'Endpoint', service: 'A'})],
  ],
  ['service_cpm', [map({__name__: 'service_cpm', layer: '', order: '', scope: 'Service', service: '', top_n: ''})]],
  [
    "service_percentile{layer='GENERAL',service='A'}",
    [map({__name__: 'service_percentile', layer: '', order: '', p: '', scope: 'Service', service: '', top_n: ''})],
  ],
  [
    'top_n_database_statement',
    [
      map({
        __name__: 'top_n_database_statement',
        layer: '',
        order: '',
        parent_service: '',
        scope: 'Service',
        top_n: '',
      }),
    ],
  ],
  [
    'service_relation_client_cpm',
    [
      map({
        __name__: 'service_relation_client_cpm',
        dest_layer: '',
        dest_service: '',
        layer: '',
        scope: 'ServiceRelation',
        service: '',
      }),
    ],
  ],
  ['nope', []],
  ["service_cpm{layer='NOPE'}", []],
  [
    ["service_traffic{layer='GENERAL',service='A'}", "service_traffic{layer='GENERAL',service='A'}"],
    [serviceMap('GENERAL', 'A')],
  ],
  [
    ["service_traffic{layer='GENERAL',service='A'}", "service_traffic{layer='MESH',service='A'}"],
    [serviceMap('GENERAL', 'A'), serviceMap('MESH', 'A')],
  ],
];

for (const [selector, maps] of SERIES) {
  test(`series of ${selector}`, async t => {
    t.deepEqual(await scene.data('/api/v1/series', {'match[]': selector, ...TIME}), maps);
  });
}

test('a pattern reaches traffic metrics that it gives the required labels', async t => {
  const series = (await scene.data('/api/v1/series', {'match[]': '{layer="GENERAL"}', ...TIME})) as Record<
    string,
    string
  >[];
  const names = series.map(one => one.__name__);
  t.deepEqual([...new Set(names)], [...NAMES, 'service_traffic']);
  const all = (await scene.data('/api/v1/series', {'match[]': '{__name__!=""}', ...TIME, limit: '0'})) as unknown[];
  t.is(all.length, NAMES.length);
});

test('series follow the times of life of instances and endpoints, not of services', async t => {
  const past = {start: String(M0 - 90_000), end: String(M0 - 80_000)};
  const names = async (selector: string) =>
    ((await scene.data('/api/v1/series', {'match[]': selector, ...past})) as unknown[]).length;
  t.is(await names("service_traffic{layer='GENERAL'}"), 3);
  t.is(await names("instance_traffic{layer='GENERAL',service='A'}"), 0);
  t.is(await names("endpoint_traffic{layer='GENERAL',service='A'}"), 1);
});

test('the limit of series, from the parameter, the selector, both or neither', async t => {
  const records = Array.from({length: 250}, (_, i) =>
    JSON.stringify({
      record: 'entity',
      scope: 'Service',
      layer: 'K8S',
      service: `s${String(i).padStart(3, '0')}`,
      time: M0,
    }),
  );
  await scene.ingest(records.join('\n'));
  const count = async (selector: string, parameters: Parameters): Promise<readonly number[]> => {
    const match = {'match[]': `service_traffic{layer='K8S'${selector}}`, ...TIME, ...parameters};
    const series = (await scene.data('/api/v1/series', match)) as unknown[];
    const values = (await scene.data('/api/v1/label/service/values', match)) as unknown[];
    return [series.length, values.length];
  };
  t.deepEqual(await count('', {}), [100, 100]);
  t.deepEqual(await count('', {limit: '200'}), [200, 200]);
  t.deepEqual(await count(",limit='150'", {}), [150, 150]);
  t.deepEqual(await count(",limit='150'", {limit: '120'}), [120, 120]);
  t.deepEqual(await count(",limit='120'", {limit: '150'}), [120, 120]);
  t.deepEqual(await count(",limit='120'", {limit: '0'}), [120, 120]);
  t.deepEqual(await count(",limit='0'", {limit: '110'}), [110, 110]);
  t.deepEqual(await count('', {limit: '0'}), [250, 250]);
  t.deepEqual(await count(",limit='0'", {}), [250, 250]);
  t.deepEqual(await count('', {limit: '40000'}), [250, 250]);
  t.deepEqual(await count('', {limit: ''}), [100, 100]);
  t.deepEqual(await count(",service=~'.*9'", {}), [25, 25]);
});

test('metadata', async t => {
  const all = (await scene.data('/api/v1/metadata')) as Record<string, unknown>;
  t.deepEqual(Object.keys(all), NAMES);
  t.deepEqual(all.service_cpm, [{type: 'gauge', help: 'calls per minute', unit: 'calls'}]);
  t.deepEqual(all.service_errors, [{type: 'counter', help: '', unit: ''}]);
  const keys = async (parameters: Parameters) =>
    Object.keys((await scene.data('/api/v1/metadata', parameters)) as Record<string, unknown>);
  t.deepEqual(await keys({metric: 'service_cpm'}), ['service_cpm']);
  t.deepEqual(await keys({metric: 'service_c'}), []);
  t.deepEqual(await keys({metric: '.*percentile'}), ['service_instance_percentile', 'service_percentile']);
  t.deepEqual(await keys({metric: 'endpoint_cpm|service_cpm'}), ['endpoint_cpm', 'service_cpm']);
  t.deepEqual(await keys({metric: ''}), NAMES);
  t.deepEqual(await keys({limit: '2'}), NAMES.slice(0, 2));
  t.deepEqual(await keys({limit: '0'}), NAMES);
  t.deepEqual(await keys({limit: '40000'}), NAMES);
  const {text} = await get(scene.url('/api/v1/metadata'), {metric: 'nope'});
  t.is(text, '{"status":"success","data":{}}');
});

test('the answer has no null in it, whatever is asked', async t => {
  for (const path of ['labels', 'label/p/values', 'label/x/values', 'metadata', 'status/buildinfo']) {
    const {text} = await get(scene.url(`/api/v1/${path}`));
    t.false(text.includes('null'), text);
  }
});

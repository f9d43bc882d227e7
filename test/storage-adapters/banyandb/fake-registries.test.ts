import {status} from '@grpc/grpc-js';
import test from 'ava';
import {
  groups,
  indexRuleBindings,
  indexRules,
  measures,
  QueryMeasure,
  streams,
  traces,
  WriteMeasure,
} from '../../../storage-adapters/banyandb/proto/methods.js';
import {Seeder} from '../../fixtures/banyandb/seed/seeder.js';
import {str, where} from './support/queries.js';
import {ask, GROUP, MEASURE, writeSamples} from './support/sample-measure.js';
import {refuses, startFake} from './support/start-fake.js';

test('a server lists its groups with catalog, segments and TTL', async t => {
  const {fake, client} = await startFake(t);
  await Seeder.open(fake.local);
  const {group} = await client.call(groups.List, {});
  t.deepEqual(
    group.map(({metadata, catalog, resource_opts}) => [
      metadata?.name,
      catalog,
      resource_opts?.segment_interval?.num,
      resource_opts?.ttl?.num,
    ]),
    [
      ['sw_metricsMinute', 'CATALOG_MEASURE', 1, 7],
      ['sw_metricsHour', 'CATALOG_MEASURE', 5, 15],
      ['sw_metricsDay', 'CATALOG_MEASURE', 15, 15],
      ['sw_metadata', 'CATALOG_MEASURE', 15, 15],
      ['sw_records', 'CATALOG_STREAM', 1, 3],
      ['sw_trace', 'CATALOG_TRACE', 1, 3],
      ['sw_zipkinTrace', 'CATALOG_TRACE', 1, 3],
    ],
  );
});

test('a missing group or schema is not found by Get, and Exist never fails', async t => {
  const {fake, client} = await startFake(t);
  await Seeder.open(fake.local);
  const missing = {metadata: {group: 'sw_trace', name: 'nothing'}};
  await refuses(t, client.call(groups.Get, {group: 'nothing'}), status.NOT_FOUND, /banyandb: resource not found/);
  await refuses(t, client.call(traces.Get, missing), status.NOT_FOUND, /banyandb: resource not found/);
  t.deepEqual(await client.call(groups.Exist, {group: 'nothing'}), {has_group: false});
  t.deepEqual(await client.call(traces.Exist, missing), {has_group: true, has_trace: false});
  t.deepEqual(await client.call(traces.Exist, {metadata: {group: 'no', name: 'no'}}), {
    has_group: false,
    has_trace: false,
  });
  t.deepEqual(await client.call(traces.Exist, {metadata: {group: 'sw_trace', name: 'segment'}}), {
    has_group: true,
    has_trace: true,
  });
});

test('the list of an unknown group is empty', async t => {
  const {client} = await startFake(t);
  t.deepEqual((await client.call(measures.List, {group: 'nothing'})).measure, []);
  t.deepEqual((await client.call(streams.List, {group: 'nothing'})).stream, []);
  t.deepEqual((await client.call(traces.List, {group: 'nothing'})).trace, []);
});

test('a schema that exists is not created again', async t => {
  const {fake, client} = await startFake(t);
  await Seeder.open(fake.local);
  const {group} = await client.call(groups.Get, {group: 'sw_trace'});
  const {trace} = await client.call(traces.Get, {metadata: {group: 'sw_trace', name: 'segment'}});
  await refuses(t, client.call(groups.Create, {group}), status.ALREADY_EXISTS, /resource already exists/);
  await refuses(t, client.call(traces.Create, {trace}), status.ALREADY_EXISTS, /resource already exists/);
});

test('a schema comes back as it was created, with its rules and their binding', async t => {
  const started = await startFake(t);
  const {client} = started;
  await writeSamples(started, []);
  const {measure} = await client.call(measures.Get, {metadata: {group: GROUP, name: MEASURE.name}});
  t.deepEqual(
    measure?.tag_families.map(({name, tags}) => [name, tags.map(tag => tag.name)]),
    [
      ['searchable', ['service_id', 'path', 'size', 'keys']],
      ['storage-only', ['entity_id', 'note']],
    ],
  );
  t.deepEqual(measure?.entity, {tag_names: ['entity_id']});
  t.deepEqual(
    measure?.fields.map(({name, field_type}) => [name, field_type]),
    [
      ['value', 'FIELD_TYPE_INT'],
      ['double_value', 'FIELD_TYPE_DATA_BINARY'],
    ],
  );
  const {index_rule} = await client.call(indexRules.List, {group: GROUP});
  t.deepEqual(
    index_rule.map(({metadata, no_sort, analyzer}) => [metadata?.name, no_sort, analyzer]),
    [
      ['service_id', true, ''],
      ['path', true, 'url'],
      ['size', false, ''],
      ['keys', true, ''],
    ],
  );
  const {index_rule_binding} = await client.call(indexRuleBindings.List, {group: GROUP});
  t.deepEqual(
    index_rule_binding.map(({rules, subject}) => [rules, subject]),
    [[['service_id', 'path', 'size', 'keys'], {catalog: 'CATALOG_MEASURE', name: MEASURE.name}]],
  );
});

test('a rule without its binding indexes nothing', async t => {
  const started = await startFake(t);
  await writeSamples(started, [{entity: 'a', tags: {service_id: 's'}}]);
  const request = ask({criteria: where('service_id', 'EQ', str('s'))});
  t.is((await started.client.call(QueryMeasure, request)).data_points.length, 1);
  await started.client.call(indexRuleBindings.Delete, {metadata: {group: GROUP, name: MEASURE.name}});
  await refuses(t, started.client.call(QueryMeasure, request), status.UNKNOWN, /mandatory index rule/);
});

test('a schema that is deleted while the server runs takes its rows along, and its successor has another revision', async t => {
  const started = await startFake(t);
  const {client} = started;
  const metadata = {group: GROUP, name: MEASURE.name};
  const revision = async (): Promise<number> =>
    Number((await client.call(measures.Get, {metadata})).measure?.metadata?.mod_revision);
  await writeSamples(started, [{entity: 'a'}]);
  const before = await revision();
  t.deepEqual(await client.call(measures.Delete, {metadata}), {deleted: true});
  await refuses(t, client.call(QueryMeasure, ask()), status.UNKNOWN, /doesn't exist/);
  await writeSamples(started, []);
  t.deepEqual((await client.call(QueryMeasure, ask())).data_points, []);
  t.true((await revision()) > before);
});

test('a group that is deleted takes its schemas out of reach', async t => {
  const started = await startFake(t);
  await writeSamples(started, [{entity: 'a'}]);
  t.deepEqual(await started.client.call(groups.Delete, {group: GROUP}), {deleted: true});
  await refuses(t, started.client.call(QueryMeasure, ask()), status.UNKNOWN, /doesn't exist/);
  t.deepEqual(await started.client.call(groups.Exist, {group: GROUP}), {has_group: false});
});

test('before 0.9 there is no registry of traces', async t => {
  const {client} = await startFake(t, {release: '0.8'});
  await refuses(t, client.call(traces.List, {group: 'segment'}), status.UNIMPLEMENTED, /./);
});

const STAGES: readonly (readonly [string, readonly string[], readonly string[], boolean])[] = [
  ['none by default and none asked for', [], [], false],
  ['one by default', ['hot', 'warm'], [], true],
  ['one asked for', [], ['warm'], true],
  ['an unknown one asked for', ['hot'], ['frozen'], false],
];

for (const [title, default_stages, stages, answers] of STAGES) {
  test(`a group with stages, ${title}, ${answers ? 'answers' : 'is refused'}`, async t => {
    const started = await startFake(t);
    await writeSamples(started, []);
    await started.client.call(groups.Delete, {group: GROUP});
    await started.client.call(groups.Create, {
      group: {
        metadata: {name: GROUP},
        catalog: 'CATALOG_MEASURE',
        resource_opts: {stages: [{name: 'warm'}], default_stages},
      },
    });
    const call = started.client.call(QueryMeasure, ask({stages}));
    if (answers) await t.notThrowsAsync(call);
    else await refuses(t, call, status.UNKNOWN, /no stage found/);
  });
}

const WRITES: readonly (readonly [string, Parameters<typeof WriteMeasure.requestSerialize>[0], string])[] = [
  ['without metadata', {data_point: {}}, 'STATUS_METADATA_REQUIRED'],
  [
    'to an unknown measure',
    {metadata: {group: GROUP, name: 'nothing'}, data_point: {timestamp: {}}},
    'STATUS_NOT_FOUND',
  ],
  [
    'with parts of a millisecond',
    {metadata: {group: GROUP, name: MEASURE.name}, data_point: {timestamp: {nanos: 1}}},
    'STATUS_INVALID_TIMESTAMP',
  ],
  [
    'with a tag of another type',
    {
      metadata: {group: GROUP, name: MEASURE.name},
      data_point: {timestamp: {}, tag_families: [{tags: [{int: {value: '1'}}]}]},
    },
    'STATUS_INTERNAL_ERROR',
  ],
];

for (const [title, request, expected] of WRITES) {
  test(`a write ${title} is answered with ${expected}`, async t => {
    const started = await startFake(t);
    await writeSamples(started, []);
    const [answer] = await started.client.write(WriteMeasure, [request]);
    t.is(answer?.status, expected);
  });
}

test('from 0.10 on the metadata of a write stands for the writes after it', async t => {
  const metadata = {group: GROUP, name: MEASURE.name};
  for (const [release, expected] of [
    ['0.9', 'STATUS_METADATA_REQUIRED'],
    ['0.10', 'STATUS_SUCCEED'],
  ] as const) {
    const started = await startFake(t, {release});
    await writeSamples(started, []);
    const data_point = {timestamp: {}};
    const answers = await started.client.write(WriteMeasure, [{metadata, data_point}, {data_point}]);
    t.deepEqual(
      answers.map(({status: name}) => name),
      ['STATUS_SUCCEED', expected],
    );
  }
});

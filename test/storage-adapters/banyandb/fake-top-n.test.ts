import test from 'ava';
import type {
  OutgoingMessage,
  TopNAggregation,
  TopNRequest,
  TopNResponse,
} from '../../../storage-adapters/banyandb/proto/methods.js';
import {measures, TopN, topNAggregations} from '../../../storage-adapters/banyandb/proto/methods.js';
import {between, plain, str} from './support/queries.js';
import {GROUP, MEASURE, MINUTE, type SampleRow, T0, writeSamples} from './support/sample-measure.js';
import {refuses, type Started, startFake} from './support/start-fake.js';

async function begin(started: Started, more: OutgoingMessage<TopNAggregation> = {}): Promise<void> {
  await writeSamples(started, []);
  await started.client.call(topNAggregations.Create, {
    top_n_aggregation: {
      metadata: {group: GROUP, name: 'requests_top'},
      source_measure: {group: GROUP, name: MEASURE.name},
      field_name: 'value',
      field_value_sort: 'SORT_DESC',
      group_by_tag_names: ['entity_id', 'service_id'],
      counters_number: 1000,
      lru_size: 2,
      ...more,
    },
  });
}

const ask = (more: OutgoingMessage<TopNRequest> = {}): OutgoingMessage<TopNRequest> => ({
  groups: [GROUP],
  name: 'requests_top',
  time_range: between(T0, T0 + 60 * MINUTE),
  top_n: 10,
  agg: 'AGGREGATION_FUNCTION_MEAN',
  field_value_sort: 'SORT_DESC',
  ...more,
});

const itemsOf = ({lists}: TopNResponse): readonly (readonly [unknown, unknown])[] =>
  lists.flatMap(({items}) => items.map(({entity, value}) => [plain(entity[0]?.value ?? null), plain(value)] as const));

const ROWS: readonly SampleRow[] = [
  {entity: 'a', minute: 0, value: 20, tags: {service_id: 's1'}},
  {entity: 'b', minute: 0, value: 0, tags: {service_id: 's2'}},
  {entity: 'a', minute: 1, value: 21, tags: {service_id: 's1'}},
];

test('a ranking cuts means to whole numbers and raises those below 1', async t => {
  const started = await startFake(t);
  await begin(started);
  await writeSamples(started, ROWS);
  t.deepEqual(itemsOf(await started.client.call(TopN, ask())), [
    ['a', 20n],
    ['b', 1n],
  ]);
});

test('a row that comes late for a window that is forgotten is lost', async t => {
  const started = await startFake(t);
  await begin(started);
  const minutes = [0, 2, 3, 4].map(minute => ({entity: 'a', minute, value: 20}));
  await writeSamples(started, [...minutes, {entity: 'a', minute: 1, value: 1000}]);
  t.deepEqual(itemsOf(await started.client.call(TopN, ask())), [['a', 20n]]);
});

test('only so many entities of a window are remembered', async t => {
  const started = await startFake(t);
  await begin(started, {counters_number: 2});
  await writeSamples(
    started,
    [5, 9, 7, 8].map(value => ({entity: `e${value}`, value})),
  );
  t.deepEqual(itemsOf(await started.client.call(TopN, ask())), [
    ['e9', 9n],
    ['e8', 8n],
  ]);
});

test('without a function there is one list for each window', async t => {
  const started = await startFake(t);
  await begin(started);
  await writeSamples(started, ROWS);
  const {lists} = await started.client.call(TopN, ask({agg: 'AGGREGATION_FUNCTION_UNSPECIFIED'}));
  t.deepEqual(
    lists.map(({items}) => items.length),
    [2, 1],
  );
});

test('conditions compare the tags of the groups', async t => {
  const started = await startFake(t);
  await begin(started);
  await writeSamples(started, ROWS);
  const conditions = [{name: 'service_id', op: 'BINARY_OP_EQ', value: str('s2')}] as const;
  t.deepEqual(itemsOf(await started.client.call(TopN, ask({conditions}))), [['b', 1n]]);
});

test('an unknown ranking is answered with nothing', async t => {
  const started = await startFake(t);
  await begin(started);
  t.deepEqual((await started.client.call(TopN, ask({name: 'nothing'}))).lists, []);
});

test('the other order than the one that was defined breaks the server', async t => {
  const started = await startFake(t);
  await begin(started);
  await refuses(t, started.client.call(TopN, ask({field_value_sort: 'SORT_ASC'})), 13, /nil pointer/);
});

test('what rankings remember is listed among the measures', async t => {
  const started = await startFake(t);
  const names = async (): Promise<readonly unknown[]> =>
    (await started.client.call(measures.List, {group: GROUP})).measure.map(({metadata}) => metadata?.name);
  await writeSamples(started, []);
  t.deepEqual(await names(), [MEASURE.name]);
  await begin(started);
  t.deepEqual(await names(), [MEASURE.name, '_top_n_result']);
});

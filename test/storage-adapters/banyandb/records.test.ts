import test from 'ava';
import type {Entity} from '../../../core/api/adapter.js';
import {batch, metric} from '../../../storage-adapters/conformance/data/metrics.js';
import {serviceId} from '../../fixtures/banyandb/seed/ids.js';
import {call} from '../support/calls.js';
import {openScene} from './support/open-adapter.js';

const T0 = Date.UTC(2026, 0, 5) / 1000;
const LAYER = 'GENERAL';
const songs: Entity = {layer: LAYER, service: 'songs'};

test('records are read whole from before and after their tags have moved to another family', async t => {
  const record = (content: string, value: number, time: number) => ({
    metric: 'top_statements',
    entity: songs,
    content,
    time,
    value,
  });
  const declared = [metric('top_statements', {kind: 'sampled-record'})];
  const scene = await openScene(t, {
    data: seeder => seeder.metrics(batch({metrics: declared, records: [record('before', 3, T0)]})),
  });
  const {database} = scene.fake;
  const {schema} = database.stream('sw_records', 'top_statements');
  // The tags of the one family are now in the other.
  const tags = schema.tags.map(tag => ({...tag, family: tag.indexed ? 'storage-only' : 'searchable'}));
  database.changeStream({...schema, tags});
  database.writeElements(schema, [
    {
      id: 'after',
      time: T0 * 1000,
      tags: {entity_id: serviceId(LAYER, 'songs'), statement: 'after', latency: 5n, timestamp: BigInt(T0 * 1000)},
    },
  ]);
  const request = {
    metric: await scene.adapter.metric('top_statements'),
    layer: LAYER,
    parentService: 'songs',
    order: 'DES',
    limit: 9,
    window: {step: 'minute', first: T0, count: 10},
  } as const;
  const found = await scene.adapter.metrics.sampledRecords(request, call);
  t.deepEqual(
    found.map(({content, value}) => [content, value]),
    [
      ['after', 5],
      ['before', 3],
    ],
  );
});

test('more records than maxRows are refused by what was asked for, and only where there are so many', async t => {
  const records = Array.from({length: 150}, (_, i) => ({
    metric: 'top_statements',
    entity: songs,
    content: `c${i}`,
    time: T0,
    value: i < 120 ? 7 : i,
  }));
  const scene = await openScene(t, {
    config: {maxRows: 100},
    data: seeder => seeder.metrics(batch({metrics: [metric('top_statements', {kind: 'sampled-record'})], records})),
  });
  const read = async (limit: number, parentService = 'songs') => {
    const fixed = {layer: LAYER, parentService, order: 'DES', window: {step: 'minute', first: T0, count: 1}} as const;
    return scene.adapter.metrics.sampledRecords(
      {metric: await scene.adapter.metric('top_statements'), limit, ...fixed},
      call,
    );
  };
  const many = await t.throwsAsync(read(500));
  t.regex(many?.message ?? '', /500 records of top_statements are asked for.*100.*option maxRows/);
  const equal = await t.throwsAsync(read(31));
  t.regex(equal?.message ?? '', /100 or more records of top_statements with equal values.*option maxRows/);
  t.is((await read(20)).length, 20);
  t.deepEqual(await read(500, 'nobody'), []);
});

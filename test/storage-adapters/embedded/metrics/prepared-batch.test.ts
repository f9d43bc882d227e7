import test from 'ava';
import {EmbeddedCatalog} from '../../../../storage-adapters/embedded/metrics/catalog.js';
import {PreparedBatch} from '../../../../storage-adapters/embedded/metrics/prepared-batch.js';
import {batchOf, metric} from '../../support/batches.js';

test('many new series go to the writing thread in small parts', async t => {
  const count = 20_000;
  const samples = Array.from({length: count}, (_, i) => ({
    metric: 'load',
    entity: {layer: 'L', service: `s${i}`},
    time: 60,
    value: i,
  }));
  const batch = batchOf({metrics: [metric('load')], samples});
  const prepared = await PreparedBatch.from(batch, new EmbeddedCatalog(), Number.NEGATIVE_INFINITY);
  const all = {entities: 0, series: 0, seen: 0};
  await prepared.forEachPart(({entities, series, seen}) => {
    for (const {id} of [entities, series, seen]) t.true(id.length <= 500);
    all.entities += entities.id.length;
    all.series += series.id.length;
    all.seen += seen.id.length;
  });
  t.deepEqual(all, {entities: count, series: count, seen: count});
});

test('a batch lists what is new once, and again in the next until it is stored', async t => {
  const catalog = new EmbeddedCatalog();
  const entity = {layer: 'L', service: 's', endpoint: 'e'};
  const samples = [
    {metric: 'load', entity, time: 120, value: 1},
    {metric: 'rate', entity, time: 60, value: 2},
    {metric: 'load', entity: {...entity, endpoint: 'f'}, time: 180, value: 3},
  ];
  const metrics = [metric('load', {scope: 'Endpoint'}), metric('rate', {scope: 'Endpoint'})];
  const listed = async () => {
    const prepared = await PreparedBatch.from(batchOf({metrics, samples}), catalog, Number.NEGATIVE_INFINITY);
    const rows: unknown[] = [];
    await prepared.forEachPart(({entities, series, seen}) => {
      rows.push(
        [...entities.id].map((id, i) => [id, entities.scope[i], entities.names[i]]),
        [...series.id].map((id, i) => [id, series.metric[i], series.entity[i], series.labels[i]]),
        [...seen.id].map((id, i) => [id, seen.first[i], seen.last[i]]),
      );
    });
    return {prepared, rows};
  };
  const first = await listed();
  t.deepEqual(first.rows, [
    [
      [1, 'Endpoint', '["L","s","e"]'],
      [0, 'Service', '["L","s"]'],
      [2, 'Endpoint', '["L","s","f"]'],
    ],
    [
      [0, 0, 1, '[]'],
      [1, 1, 1, '[]'],
      [2, 0, 2, '[]'],
    ],
    [
      [1, 1, 2],
      [0, 1, 3],
      [2, 3, 3],
    ],
  ]);
  t.deepEqual((await listed()).rows, first.rows);
  await first.prepared.confirm();
  t.deepEqual((await listed()).rows, []);
});

import test from 'ava';
import {Catalog} from '../../../storage-adapters/embedded/catalog/catalog.js';
import {PreparedBatch} from '../../../storage-adapters/embedded/write/prepared-batch.js';
import {batchOf, metric} from '../support/batches.js';

test('many new series go to the writing thread in small parts', async t => {
  const count = 20_000;
  const samples = Array.from({length: count}, (_, i) => ({
    metric: 'load',
    entity: {layer: 'L', service: `s${i}`},
    time: 60,
    value: i,
  }));
  const batch = batchOf({metrics: [metric('load')], samples});
  const prepared = await PreparedBatch.from(batch, new Catalog(), Number.NEGATIVE_INFINITY);
  const all = {entities: 0, series: 0, seen: 0};
  await prepared.forEachPart(({entities, series, seen}) => {
    for (const rows of [entities, series, seen]) t.true(rows.length <= 500);
    all.entities += entities.length;
    all.series += series.length;
    all.seen += seen.length;
  });
  t.deepEqual(all, {entities: count, series: count, seen: count});
});

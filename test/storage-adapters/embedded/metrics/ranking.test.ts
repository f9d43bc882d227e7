import test from 'ava';
import type {RankingRequest, Step} from '../../../../core/api/adapter.js';
import {complete} from '../../../../core/toolkit/yielder.js';
import {Head} from '../../../../storage-adapters/embedded/head/head.js';
import type {EmbeddedCatalog} from '../../../../storage-adapters/embedded/metrics/catalog.js';
import type {SeriesRecord} from '../../../../storage-adapters/embedded/metrics/metric-records.js';
import {rankedFromHead} from '../../../../storage-adapters/embedded/metrics/ranking.js';
import {EmbeddedMetricReader} from '../../../../storage-adapters/embedded/metrics/reader.js';
import type {ReaderPool} from '../../../../storage-adapters/embedded/threads/reader-pool.js';
import {metric} from '../../support/batches.js';
import {call} from '../../support/calls.js';

const SERIES = 20_000;
const HOURS = 2;

const metricRecord = {id: 1, rollups: [{from: Number.NEGATIVE_INFINITY, rollup: 'avg'}]};
const series = Array.from({length: SERIES}, (_, id) => {
  const names = {layer: 'L', service: `s${id}`};
  return {id, metric: metricRecord, entity: {entity: names, name: names.service, service: {name: names.service}}};
}) as unknown as readonly SeriesRecord[];

/** Each series has its number as its value, in a minute of two hours. */
function filledHead(): Head {
  const head = new Head(2 ** 30, (_series, _hour, partial) => partial.reset('avg'));
  for (const {id} of series) for (let hour = 0; hour < HOURS; hour++) head.put(id, hour * 60 + (id % 60), id);
  return head;
}

const request = (step: Step): RankingRequest => ({
  metric: metric('m'),
  layer: 'L',
  order: 'DES',
  limit: 3,
  window: {step, first: 0, count: step === 'minute' ? HOURS * 60 : HOURS},
});

for (const step of ['minute', 'hour', 'day'] as const) {
  test(`a ranking of many entities by ${step}s pauses every few hundred of them`, t => {
    const steps = rankedFromHead(filledHead(), series, request(step));
    let pauses = 0;
    let result = steps.next();
    for (; result.done !== true; result = steps.next()) pauses++;
    t.deepEqual(
      result.value.map(({value}) => value),
      [SERIES - 1, SERIES - 2, SERIES - 3],
    );
    t.true(pauses >= (SERIES * HOURS) / 512, `${pauses} pauses`);
  });
}

test('a ranking during which memory lets go of its hours is read from the disk', async t => {
  const covered = [true, false];
  const head = Object.assign(filledHead(), {covers: () => covered.shift() ?? false});
  const catalog = {known: () => ({id: 1, ofLayer: () => series.slice(0, 2)})} as unknown as EmbeddedCatalog;
  const readers = {call: async () => ({means: Float64Array.of(5, 7)})} as unknown as ReaderPool;
  const ranked = await new EmbeddedMetricReader(catalog, head, readers).ranking(request('minute'), call);
  t.deepEqual(
    ranked.map(({value}) => value),
    [7, 5],
  );
});

test('series that come while a ranking pauses are not in it', t => {
  const known = series.slice(0, 1000);
  const head = filledHead();
  const steps = rankedFromHead(head, known, request('minute'));
  steps.next();
  known.push(series[SERIES - 1] as SeriesRecord);
  t.is(complete(steps)[0]?.value, 999);
});

import test from 'ava';
import type {Entity, MetricExport, TraceExporter} from '../../../core/api/adapter.js';
import {comparableColumns} from '../../../storage-adapters/conformance/comparable.js';
import {batch, metric} from '../../../storage-adapters/conformance/data/metrics.js';
import {compatSpan} from '../../../storage-adapters/conformance/data/spans.js';
import {exported} from '../../../storage-adapters/conformance/exported.js';
import {createOracle} from '../../../storage-adapters/conformance/oracle/oracle.js';
import {call} from '../support/calls.js';
import {openScene, type Scene} from './support/open-adapter.js';

const MINUTE = 60;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
/** The start of a UTC day and of a segment of fifteen days. */
const T0 = 1380 * 15 * DAY;
const LAYER = 'GENERAL';

const CPM = metric('service_cpm');
const songs: Entity = {layer: LAYER, service: 'songs'};

interface Value {
  readonly metric: string;
  readonly of: string;
  readonly time: number;
  readonly value: number;
}

function samplesOf(pages: readonly {readonly content: MetricExport}[]): readonly Value[] {
  return pages.flatMap(({content: {samples}}) =>
    [...samples.index].map((place, i) => {
      const series = samples.series[place];
      const of = [...Object.values(series?.entity ?? {}), ...Object.values(series?.labels ?? {})].join(' ');
      return {metric: series?.metric ?? '', of, time: samples.time[i] ?? 0, value: samples.value[i] ?? 0};
    }),
  );
}

const metricPages = ({adapter}: Scene, request = {}) => exported(adapter.get('export.metrics.v1'), request);

test('the first page has the catalog, and entities are seen first and last as the lists have them, in each layer', async t => {
  const scene = await openScene(t, {
    data: seeder =>
      seeder.metrics(
        batch({
          metrics: [CPM],
          samples: [{metric: CPM.name, entity: songs, time: T0, value: 7}],
          sightings: [
            {scope: 'Service', entity: {layer: 'MESH', service: 'songs'}, time: T0 + HOUR},
            {scope: 'ServiceInstance', entity: {...songs, serviceInstance: 'a'}, time: T0 + MINUTE},
            {scope: 'ServiceInstance', entity: {...songs, serviceInstance: 'a'}, time: T0 + DAY},
          ],
        }),
      ),
  });
  const [first, ...rest] = await metricPages(scene);
  t.deepEqual(
    first?.content.metrics.map(({definition, rollups}) => [definition.name, rollups]),
    [['service_cpm', [{from: 0, rollup: 'avg'}]]],
  );
  const seen = rest.flatMap(({content}) => content.sightings);
  t.deepEqual(seen.map(({entity, time}) => [...Object.values(entity), time - T0].join(' ')).sort(), [
    'GENERAL songs 0',
    'GENERAL songs a 60',
    'GENERAL songs a 86400',
    'MESH songs 3600',
    'MESH songs a 60',
    'MESH songs a 86400',
  ]);
  t.deepEqual(
    samplesOf(rest).map(({of, time, value}) => [of, time, value]),
    [
      ['GENERAL songs', T0, 7],
      ['MESH songs', T0, 7],
    ],
  );
});

test('minutes are read in windows that are halved until an answer is certainly whole, and a minute that never is is named', async t => {
  const many = (count: number, time: number) =>
    Array.from({length: count}, (_, i) => ({
      metric: CPM.name,
      entity: {layer: LAYER, service: `s${i}`},
      time,
      value: i,
    }));
  const samples = [...many(90, T0), ...many(90, T0 + MINUTE), ...many(90, T0 + 2 * MINUTE)];
  const scene = await openScene(t, {
    config: {maxRows: 100},
    data: seeder => seeder.metrics(batch({metrics: [CPM], samples})),
  });
  const found = samplesOf(await metricPages(scene));
  t.is(found.length, samples.length);
  t.deepEqual([...new Set(found.map(({time}) => time - T0))], [2 * MINUTE, MINUTE, 0], 'the latest first');
  scene.seeder.metrics(batch({metrics: [CPM], samples: many(100, T0 + 2 * MINUTE)}));
  await t.throwsAsync(metricPages(scene), {
    message: new RegExp(
      `100 or more rows of service_cpm_minute in the minute ${new Date((T0 + 2 * MINUTE) * 1000).toISOString()}.*option maxRows`,
    ),
  });
});

test('hours and days stand for minutes that have expired, and for those alone', async t => {
  const hours = [0, 1, 2, 3, 30];
  const samples = hours.map(hour => ({metric: CPM.name, entity: songs, time: T0 + hour * HOUR, value: 10 + hour}));
  const scene = await openScene(t, {data: seeder => seeder.metrics(batch({metrics: [CPM], samples}))});
  const kept = async (request = {}) =>
    (await metricPages(scene, request)).flatMap(({content}) =>
      content.kept.values.map(({step, time, minutes, terms}) => {
        const mean = terms.reduce((a, b) => a + b, 0) / minutes;
        return `${step} ${(time - T0) / HOUR}: ${mean} of ${minutes}`;
      }),
    );
  t.deepEqual(await kept(), [], 'all minutes are there');
  scene.fake.database.expirePoints({group: 'sw_metricsMinute', name: 'service_cpm_minute'}, (T0 + 3 * HOUR) * 1000);
  t.deepEqual(await kept(), ['hour 0: 10 of 60', 'hour 1: 11 of 60', 'hour 2: 12 of 60', 'day 0: 11 of 1440']);
  t.deepEqual(await kept({from: T0 + HOUR, to: T0 + 2 * HOUR}), ['hour 1: 11 of 60']);
  t.deepEqual(await kept({from: T0 + 3 * HOUR}), []);
  scene.fake.database.expirePoints({group: 'sw_metricsMinute', name: 'service_cpm_minute'}, (T0 + 9 * DAY) * 1000);
  t.is((await kept()).length, 5 + 2, 'no minute is left');
});

test('hours, days and minutes that were exported answer as they did, where they are taken back', async t => {
  const samples = [0, 1, 2, 3, 25, 50].flatMap(hour =>
    [0, 7].map(minute => ({
      metric: CPM.name,
      entity: songs,
      time: T0 + hour * HOUR + minute * MINUTE,
      value: 11 + hour ** 2,
    })),
  );
  const scene = await openScene(t, {data: seeder => seeder.metrics(batch({metrics: [CPM], samples}))});
  scene.fake.database.expirePoints({group: 'sw_metricsMinute', name: 'service_cpm_minute'}, (T0 + 25 * HOUR) * 1000);
  const other = createOracle([]);
  for (const {content} of await metricPages(scene)) await other['ingest.history.v1'].write(content, call);
  const metricOf = await scene.adapter.metric(CPM.name);
  for (const [step, first, count] of [
    ['minute', T0 + 25 * HOUR, 30 * 60],
    ['hour', T0, 72],
    ['day', T0, 1],
  ] as const) {
    const request = {metric: metricOf, entity: songs, valueFilters: new Map(), window: {step, first, count}};
    const expected = comparableColumns(await scene.adapter.metrics.values(request, call));
    t.is(expected.length, 1);
    t.deepEqual(comparableColumns(await other['metrics.query.v1'].values(request, call)), expected, step);
  }
});

test('a kept day of an OAP in another time zone is the UTC day of the same date', async t => {
  const east = {timeZone: 'Asia/Shanghai'};
  // Half past one of the next day there.
  const samples = [{metric: CPM.name, entity: songs, time: T0 + 17.5 * HOUR, value: 4}];
  const scene = await openScene(t, {
    seed: east,
    config: east,
    data: seeder => seeder.metrics(batch({metrics: [CPM], samples})),
  });
  scene.fake.database.expirePoints({group: 'sw_metricsMinute', name: 'service_cpm_minute'}, (T0 + DAY) * 1000);
  const kept = (await metricPages(scene)).flatMap(({content}) => content.kept.values);
  t.deepEqual(
    kept.map(({step, time}) => [step, (time - T0) / HOUR]),
    [
      ['hour', 17],
      ['day', 24],
    ],
  );
});

test('the latest days of all metrics come before earlier ones of any', async t => {
  const today = Math.ceil(Date.now() / 1000 / DAY) * DAY;
  const metrics = [metric('service_a'), metric('service_b')];
  const samples = metrics.flatMap(({name}) =>
    [today - 6 * DAY, today - 1.5 * DAY].map(time => ({metric: name, entity: songs, time, value: 1})),
  );
  const scene = await openScene(t, {data: seeder => seeder.metrics(batch({metrics, samples}))});
  t.deepEqual(
    samplesOf(await metricPages(scene)).map(({metric: name, time}) => `${name} ${(time - today) / DAY}`),
    ['service_a -1.5', 'service_b -1.5', 'service_a -6', 'service_b -6'],
  );
});

test('values of labels that the metric is not declared with are left out, and absent labels are empty', async t => {
  const labeled = metric('service_percentile', {kind: 'labeled', valueLabels: ['p', 'q']});
  const at = (labels: Record<string, string>, minute: number) => ({
    metric: labeled.name,
    entity: songs,
    labels,
    time: T0 + minute * MINUTE,
    value: minute,
  });
  const scene = await openScene(t, {
    data: seeder => seeder.metrics(batch({metrics: [labeled], samples: [at({p: '50', q: 'x'}, 0), at({p: '99'}, 1)]})),
  });
  const {definition} = (await metricPages(scene))[0]?.content.metrics[0] ?? {};
  t.deepEqual(definition?.valueLabels, ['p', 'q']);
  scene.seeder.metrics(batch({metrics: [labeled], samples: [at({p: '50', z: 'new'}, 2)]}));
  t.deepEqual(
    samplesOf(await metricPages(scene)).map(({of, value}) => [of, value]),
    [
      [`${LAYER} songs 50 x`, 0],
      [`${LAYER} songs 99 `, 1],
    ],
  );
});

test('records of 0.9, which gives fewer than the limit though there are more, are all exported', async t => {
  const records = Array.from({length: 150}, (_, i) => ({
    metric: 'top_statements',
    entity: songs,
    content: `c${i}`,
    time: T0 + i,
    value: i % 7,
  }));
  for (const release of ['0.9', '0.11'] as const) {
    const scene = await openScene(t, {
      fake: {release},
      config: {maxRows: 100},
      data: seeder => seeder.metrics(batch({metrics: [metric('top_statements', {kind: 'sampled-record'})], records})),
    });
    const found = (await metricPages(scene)).flatMap(({content}) => content.records);
    t.deepEqual(found.map(({content}) => content).sort(), records.map(({content}) => content).sort(), release);
  }
});

test('an export of traces goes on behind a page with what lies before it, and reads whole traces over midnight', async t => {
  const at = (trace: number, id: number, time: number) =>
    compatSpan(trace.toString(16).padStart(16, '0'), id, {timestamp: time * 1_000_000, name: 'work'});
  const spans = [
    ...Array.from({length: 40}, (_, i) => at(100 + i, 1, T0 + DAY + i)),
    at(1, 1, T0 + DAY - 1),
    at(1, 2, T0 + DAY + 20),
  ];
  const scene = await openScene(t, {data: seeder => seeder.spans(spans), config: {maxSliceTraces: 10}});
  const exporter: TraceExporter<{readonly traceId: string}> = scene.adapter.get('export.compat.v1');
  const pages = await exported(exporter);
  t.true(pages.length > 3);
  const idsOf = (some: typeof pages) => new Set(some.flatMap(({content}) => content.map(({traceId}) => traceId)));
  t.is(idsOf(pages).size, 41);
  for (const {content} of pages) {
    const ofFirst = content.filter(({traceId}) => traceId.endsWith('0001')).length;
    t.true(ofFirst === 0 || ofFirst === 2, 'whole or not at all');
  }
  for (const [i, {resume}] of pages.entries()) {
    t.deepEqual(idsOf(await exported(exporter, {after: resume})), idsOf(pages.slice(i + 1)));
  }
});

import type {Entity, KeptBucket, MetricExport, MetricHistory, Rollup, Series} from '../../../../core/api/adapter.js';
import {someOf} from '../../brief.js';
import {call} from '../../call.js';
import {comparable, comparableColumns, sameList} from '../../comparable.js';
import {batch, metric, type SampleInput} from '../../data/metrics.js';
import {DAY, HOUR, MINUTE} from '../../data/times.js';
import {comparableMetrics, exported} from '../../exported.js';
import type {Group} from '../../group.js';
import {createOracle} from '../../oracle/oracle.js';
import {compareAnswers, type Question} from '../../questions/question.js';
import type {Subject} from '../../subject.js';

/**
 * Before all other days of the kit, because from here on samples of before are not taken, and of a time that is over.
 */
interface Scene {
  /** Before the names of its metrics. */
  readonly prefix: string;
  /** Of what is taken back, the day from which times are counted: later than that of the scene before. */
  readonly start: number;
}

const scene = (number: number, prefix: string): Scene => ({prefix, start: (16_000 + number * 10) * DAY});
const ROLLUPS: readonly Rollup[] = ['avg', 'sum', 'min', 'max', 'latest'];
const LAYER = 'KIT-HISTORY';
const NOTHING = batch({});

/** Not as random histories name theirs, which one store may hold beside these. */
const nameOf = (prefix: string, rollup: string): string => `kit_kept_${prefix}_${rollup}`;

const entity = (service: string): Entity => ({layer: LAYER, service});
const relation: Entity = {layer: LAYER, service: 'a', destLayer: LAYER, destService: 'b'};

function metricsOf({prefix, start}: Scene): readonly MetricHistory[] {
  const first = ROLLUPS.map(rollup => metric(nameOf(prefix, rollup), {rollup}));
  const calls = metric(nameOf(prefix, 'calls'), {scope: 'ServiceRelation', rollup: 'sum'});
  const changed = metric(nameOf(prefix, 'changed'), {rollup: 'max'});
  return [
    ...[...first, calls].map(definition => ({definition, rollups: [{from: 0, rollup: definition.rollup}]})),
    {
      definition: changed,
      rollups: [
        {from: 0, rollup: 'sum'},
        {from: (start + 2 * DAY) / HOUR, rollup: 'max'},
      ],
    },
  ];
}

function page(of: Scene, parts: Partial<Omit<MetricExport, 'metrics'>>): MetricExport {
  return {...NOTHING, kept: {series: [], values: []}, ...parts, metrics: metricsOf(of)};
}

/** Hours of the second day and the days before, of whole numbers, sums in two terms. */
function kept({prefix, start}: Scene): MetricExport['kept'] {
  const series: Series[] = [];
  const values: KeptBucket[] = [];
  const add = (name: string, who: Entity, isSum: boolean, base: number): void => {
    const place = series.push({metric: nameOf(prefix, name), entity: who, labels: {}}) - 1;
    const put = (step: 'hour' | 'day', time: number, minutes: number, value: number): void => {
      const terms = isSum ? [value - 1, 1] : [value];
      values.push({series: place, step, time: start + time, minutes, terms});
    };
    put('day', 0, 100, base + 500);
    for (const hour of [0, 5, 23]) put('hour', DAY + hour * HOUR, 10 + hour, base + hour * 7);
    // The same as its hours make.
    put('day', DAY, 58, isSum ? 3 * base + 196 : base + (name === 'min' ? 0 : 161));
  };
  for (const [i, rollup] of ROLLUPS.entries()) {
    const isSum = rollup === 'avg' || rollup === 'sum';
    add(rollup, entity('a'), isSum, 1000 * i);
    add(rollup, entity('b'), isSum, 1000 * i + 116);
  }
  add('calls', relation, true, 40);
  return {series, values};
}

/** From the third day on there are minutes. */
function samples({prefix, start}: Scene, from = 2 * DAY): readonly SampleInput[] {
  return [...ROLLUPS, 'changed'].flatMap((name, i) =>
    ['a', 'b'].flatMap((service, n) =>
      [0, 1, 90, 1500].map(minute => ({
        metric: nameOf(prefix, name),
        entity: entity(service),
        time: start + from + minute * MINUTE,
        value: i + n * 100 + minute,
      })),
    ),
  );
}

function pagesOf(of: Scene): readonly MetricExport[] {
  const sightings = ['a', 'b'].flatMap(service =>
    [0, 3 * DAY].map(time => ({scope: 'Service' as const, entity: entity(service), time: of.start + time})),
  );
  const early = samples(of, DAY).filter(one => one.metric === nameOf(of.prefix, 'changed'));
  return [
    page(of, {sightings}),
    page(of, {samples: batch({samples: samples(of)}).samples}),
    // The second day of this metric has all its minutes, and its first rollup.
    page(of, {samples: batch({samples: early}).samples}),
    page(of, {kept: kept(of)}),
  ];
}

function questions(of: Scene, readers: readonly string[]): readonly Question[] {
  const windows = (['minute', 'hour', 'day'] as const).flatMap(step => {
    const size = {minute: MINUTE, hour: HOUR, day: DAY}[step];
    return [
      {step, first: of.start - DAY, count: (6 * DAY) / size},
      {step, first: of.start + DAY, count: DAY / size},
      {step, first: of.start, count: 1},
    ];
  });
  return windows.flatMap(window => [
    ...metricsOf(of).flatMap(({definition}): Question[] => {
      const who = definition.scope === 'Service' ? [entity('a'), entity('b')] : [relation];
      const values = who.map(one => ({
        about: `values(${JSON.stringify({metric: definition.name, entity: one, window})})`,
        ask: async (from: Parameters<Question['ask']>[0]) => {
          const request = {metric: definition, entity: one, valueFilters: new Map(), window};
          return comparableColumns(await from['metrics.query.v1'].values(request, call));
        },
      }));
      if (definition.scope !== 'Service') return values;
      const request = {metric: definition, layer: LAYER, order: 'DES', limit: 9, window} as const;
      const ranking: Question = {
        about: `ranking(${JSON.stringify({...request, metric: definition.name})})`,
        ask: async from => comparable(await from['metrics.query.v1'].ranking(request, call)),
      };
      return [...values, ranking];
    }),
    ...(readers.includes('topology.query.v1')
      ? [
          {
            about: `relations(${JSON.stringify(window)})`,
            ask: async (from: Parameters<Question['ask']>[0]) => {
              const request = {scope: 'ServiceRelation', window, of: entity('a'), limit: 9} as const;
              return comparable(await from['topology.query.v1'].relations(request, call));
            },
          },
        ]
      : []),
  ]);
}

async function written(subject: Subject, of: Scene) {
  const oracle = createOracle(subject.options.unsupported);
  for (const one of pagesOf(of)) {
    await subject.historyWriter.write(one, call);
    await oracle['ingest.history.v1'].write(one, call);
  }
  return {oracle, asked: someOf(questions(of, subject.options.expects), subject.options)};
}

export const history: Group = {
  name: 'history',
  needs: ['ingest.history.v1', 'metrics.query.v1'],
  tests: {
    'hours and days whose minutes are gone are read as they were, with the rollups of their time': async (
      t,
      subject,
    ) => {
      const of = scene(0, 'history');
      const {oracle, asked} = await written(subject, of);
      await compareAnswers(t, asked, subject.readers, oracle, 'taken back');
      // Again: nothing changes.
      for (const one of pagesOf(of).slice(1)) await subject.historyWriter.write(one, call);
      await compareAnswers(t, asked, subject.readers, oracle, 'taken back twice');
    },
    'no samples are taken of minutes before the end of an hour that was taken back': async (t, subject) => {
      const of = scene(1, 'history_late');
      const {start} = of;
      const {oracle, asked} = await written(subject, of);
      const late = batch({
        samples: [start + DAY + 3 * HOUR, start + 2 * DAY - MINUTE, start + 2 * DAY + 5 * MINUTE].map((time, i) => ({
          metric: nameOf(of.prefix, 'sum'),
          entity: entity('a'),
          time,
          value: 10_000 + i,
        })),
      });
      await subject.historyWriter.write(page(of, late), call);
      await oracle['ingest.history.v1'].write(page(of, late), call);
      await compareAnswers(t, asked, subject.readers, oracle, 'after samples that come late');
    },
    'of the same hour or day twice, the one of more minutes stands': async (t, subject) => {
      const of = scene(2, 'history_twice');
      const {oracle, asked} = await written(subject, of);
      const {series, values} = kept(of);
      const other = (more: number): MetricExport['kept'] => ({
        series,
        values: values.map(({terms, minutes, ...one}) => {
          // The second day is made of three hours.
          const hours = one.step === 'day' && one.time === of.start + DAY ? 3 : 1;
          const added = terms.length > 1 ? 3 * hours : 3;
          return {...one, minutes: minutes + more * hours, terms: terms.map(term => term + added)};
        }),
      });
      for (const more of [-2, 2]) {
        await subject.historyWriter.write(page(of, {kept: other(more)}), call);
        await oracle['ingest.history.v1'].write(page(of, {kept: other(more)}), call);
        await compareAnswers(t, asked, subject.readers, oracle, `after buckets of ${more} minutes more`);
      }
    },
  },
};

export const historyAgain: Group = {
  name: 'history_again',
  needs: ['ingest.history.v1', 'export.metrics.v1', 'metrics.query.v1'],
  restarts: true,
  tests: {
    'hours and days that were taken back are there after a restart, and are exported again': async (t, subject) => {
      const {oracle, asked} = await written(subject, scene(3, 'history_kept'));
      await subject.restart();
      await compareAnswers(t, asked, subject.readers, oracle, 'after a restart');
      const own = {metric: 'kit_history_kept', layer: LAYER};
      const other = createOracle(subject.options.unsupported);
      const pages = await exported(subject.metricExport);
      for (const {content} of pages) await other['ingest.history.v1'].write(content, call);
      await compareAnswers(t, asked, other, oracle, 'from what was exported');
      const expected = comparableMetrics(await exported(oracle['export.metrics.v1']), own);
      const found = comparableMetrics(pages, own);
      sameList(t, found.metrics, expected.metrics, 'the metrics');
    },
  },
};

import {call} from '../../call.js';
import {sameList} from '../../comparable.js';
import {batch, metric, type SampleInput} from '../../data/metrics.js';
import {DAY, MINUTE, ownDays} from '../../data/times.js';
import {type ComparableMetrics, comparableMetrics, exported, fewOf} from '../../exported.js';
import type {Group} from '../../group.js';
import {createOracle} from '../../oracle/oracle.js';
import {questionsAbout} from '../../questions/all.js';
import {answersTo, sameAnswers} from '../../questions/question.js';
import type {TestContext} from '../../runner.js';
import type {Subject} from '../../subject.js';
import {metricsToKeep} from '../restarts/data.js';

const START = ownDays(47);
const AGAIN = ownDays(48);
const MANY = ownDays(49);
const OWN = {metric: 'kit_export_', layer: 'KIT-EXPORT'};
const SERIES = 800;
const MINUTES = 45;

/** More than a page, around the edge of an hour. */
const many: readonly SampleInput[] = Array.from({length: SERIES * MINUTES}, (_, i) => ({
  metric: 'kit_many_exported',
  entity: {layer: 'KIT-MANY-EXPORTED', service: 'many', serviceInstance: `i${i % SERIES}`},
  time: MANY + (35 + Math.floor(i / SERIES)) * MINUTE,
  value: (i * 31) % 1009,
}));

const KEPT = metricsToKeep('kit_export', 'KIT-EXPORT', START);
const DATA = {
  metrics: [
    ...KEPT,
    // Declared after the other records, and before them in the order of names.
    batch({
      metrics: [metric('kit_export_before', {kind: 'sampled-record'})],
      records: [
        {
          metric: 'kit_export_before',
          entity: {layer: 'KIT-EXPORT', service: 'a service'},
          content: 'select 0',
          time: START + 62,
          value: 1,
        },
      ],
    }),
  ],
};
/** What is exported of the own data, where others share the storage. */
const WINDOW = {from: START - DAY, to: START + 6 * DAY};

function same(t: TestContext, found: ComparableMetrics, expected: ComparableMetrics, what: string): void {
  for (const part of Object.keys(expected) as (keyof ComparableMetrics)[]) {
    sameList(t, found[part], expected[part], `${part} ${what}`);
  }
}

async function oracleOf(subject: Subject) {
  const oracle = createOracle(subject.options.unsupported);
  for (const one of subject.data.metrics ?? []) await oracle['ingest.metrics.v1'].write(one, call);
  return oracle;
}

const metricExport: Group = {
  name: 'export_metrics',
  needs: ['export.metrics.v1'],
  data: DATA,
  tests: {
    'an export has every declaration, entity, value and sampled record': async (t, subject) => {
      const expected = comparableMetrics(await exported((await oracleOf(subject))['export.metrics.v1']), OWN);
      same(t, comparableMetrics(await exported(subject.metricExport), OWN), expected, 'of the export');
    },
    'an export of metrics goes on behind each of its pages': async (t, subject) => {
      const pages = await exported(subject.metricExport, WINDOW);
      t.true(pages.length > 0);
      for (const [i, {resume}] of fewOf(pages)) {
        const rest = comparableMetrics(await exported(subject.metricExport, {...WINDOW, after: resume}), OWN);
        const expected = comparableMetrics(pages.slice(i + 1), OWN);
        for (const part of ['samples', 'kept', 'records'] as const) {
          sameList(t, rest[part], expected[part], `${part} behind page ${i + 1} of ${pages.length}`);
        }
      }
    },
    'a window bounds values and sampled records, its start included, its end not': async (t, subject) => {
      const oracle = await oracleOf(subject);
      const times = [MINUTE, 61 * MINUTE, 61, 62, DAY, DAY + MINUTE];
      const windows = times.flatMap(time => [{from: START + time}, {to: START + time}]);
      for (const window of [...windows, {from: START + MINUTE, to: START + 2 * MINUTE}, {from: START, to: START}]) {
        const expected = comparableMetrics(await exported(oracle['export.metrics.v1'], window), OWN);
        same(t, comparableMetrics(await exported(subject.metricExport, window), OWN), expected, JSON.stringify(window));
      }
    },
    'what was exported of metrics answers alike where it is taken back': async (t, subject) => {
      const other = createOracle(subject.options.unsupported);
      for (const {content} of await exported(subject.metricExport)) {
        await other['ingest.history.v1'].write(content, call);
      }
      const asked = ['metrics.query.v1', 'metadata.query.v1', 'topology.query.v1'] as const;
      const questions = questionsAbout(subject.data, asked, {from: 0, to: 1});
      const expected = await answersTo(questions, await oracleOf(subject));
      sameAnswers(t, await answersTo(questions, other), expected, 'from what was exported');
    },
    'a text that is no place in an export of metrics is refused': async (t, subject) => {
      for (const after of ['', 'x', '[]', '["other",1]', '["metrics",null]', '["metrics",{}]']) {
        const refused = await exported(subject.metricExport, {after}).then(
          () => 'nothing',
          (error: {readonly code?: string}) => error.code,
        );
        t.is(refused, 'bad_request', JSON.stringify(after));
      }
    },
  },
};

const manyExported: Group = {
  name: 'export_many',
  needs: ['export.metrics.v1'],
  data: {
    metrics: [
      batch({metrics: [metric('kit_many_exported', {scope: 'ServiceInstance', rollup: 'latest'})], samples: many}),
    ],
  },
  tests: {
    'tens of thousands of values are exported, and behind a page what is left of them': async (t, subject) => {
      const own = {metric: 'kit_many_exported', layer: 'KIT-MANY-EXPORTED'};
      const pages = await exported(subject.metricExport);
      const {samples} = comparableMetrics(await exported((await oracleOf(subject))['export.metrics.v1']), own);
      sameList(t, comparableMetrics(pages, own).samples, samples, 'the values');
      const middle = Math.floor(pages.length / 2);
      const rest = comparableMetrics(await exported(subject.metricExport, {after: pages[middle]?.resume ?? ''}), own);
      sameList(t, rest.samples, comparableMetrics(pages.slice(middle + 1), own).samples, 'values behind the middle');
    },
  },
};

const metricExportAgain: Group = {
  name: 'export_metrics_again',
  needs: ['export.metrics.v1'],
  data: {metrics: metricsToKeep('kit_export_again', 'KIT-EXPORT-AGAIN', AGAIN)},
  restarts: true,
  tests: {
    'an export of metrics goes on after a restart': async (t, subject) => {
      const own = {metric: 'kit_export_again', layer: 'KIT-EXPORT-AGAIN'};
      const pages = await exported(subject.metricExport);
      await subject.restart();
      same(
        t,
        comparableMetrics(await exported(subject.metricExport), own),
        comparableMetrics(pages, own),
        'afterwards',
      );
      const rest = comparableMetrics(await exported(subject.metricExport, {after: pages[0]?.resume ?? ''}), own);
      sameList(t, rest.samples, comparableMetrics(pages.slice(1), own).samples, 'samples behind the first page');
    },
  },
};

export const METRIC_EXPORTS: readonly Group[] = [metricExport, manyExported, metricExportAgain];

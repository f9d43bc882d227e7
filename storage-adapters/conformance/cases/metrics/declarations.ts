import type {MetricDefinition, Rollup, Step} from '../../../../core/api/adapter.js';
import {call} from '../../call.js';
import {comparable, comparableColumns} from '../../comparable.js';
import {batch, metric} from '../../data/metrics.js';
import {HOUR, MINUTE, ownDays} from '../../data/times.js';
import type {Group} from '../../group.js';
import {expectRefusal} from '../../refusal.js';
import type {Subject} from '../../subject.js';

const START = ownDays(10);
const ENTITY = {layer: 'KIT-DECLARATIONS', service: 'a'};
const LABELED = metric('kit_declared_labeled', {kind: 'labeled', valueLabels: ['p', 'q']});
const COMMON = metric('kit_declared_common');

/** What a declaration may not change. */
const CONFLICTS: readonly {readonly of: MetricDefinition; readonly change: Partial<MetricDefinition>}[] = [
  {of: COMMON, change: {scope: 'Endpoint'}},
  {of: COMMON, change: {scope: 'ServiceRelation'}},
  {of: COMMON, change: {kind: 'labeled', valueLabels: ['p']}},
  {of: COMMON, change: {kind: 'sampled-record'}},
  {of: LABELED, change: {valueLabels: ['p']}},
  {of: LABELED, change: {valueLabels: ['p', 'q', 'r']}},
  {of: LABELED, change: {kind: 'common', valueLabels: []}},
];

/** A metric with the rollup avg on the first day, sum on the second and max on the third. */
const ROLLUP_CHANGES: readonly {readonly step: Step; readonly first: number; readonly values: readonly number[]}[] = [
  {step: 'hour', first: 0, values: [2, 6, 3]},
  {step: 'hour', first: 24, values: [4, 12]},
  {step: 'hour', first: 48, values: [3, 7]},
  {step: 'day', first: 0, values: [22 / 6, 16, 7]},
];

async function declare(subject: Subject, ...metrics: readonly MetricDefinition[]): Promise<void> {
  await subject.metricWriter.write(batch({metrics}), call);
}

async function found(subject: Subject, name: string): Promise<unknown> {
  return comparable((await subject.metrics.catalog(call)).find(one => one.name === name));
}

export const declarations: Group = {
  name: 'declarations',
  needs: ['metrics.query.v1', 'ingest.metrics.v1'],
  data: {metrics: [batch({metrics: [COMMON, LABELED]})]},
  tests: {
    'a metric that was declared is in the next catalog, and known to the writer': async (t, subject) => {
      const one = metric('kit_declared_new', {help: 'new', unit: 'ms'});
      t.is(await found(subject, one.name), undefined, 'before');
      await declare(subject, one);
      t.deepEqual(await found(subject, one.name), comparable(one), 'the catalog');
      const declared = await subject.metricWriter.declared(call);
      t.deepEqual(comparable(declared.find(({name}) => name === one.name)), comparable(one), 'declared()');
    },
    'an array of the catalog that was handed out never changes': async (t, subject) => {
      const before = await subject.metrics.catalog(call);
      const copy = comparable(before);
      await declare(subject, metric('kit_declared_later'), {...COMMON, help: 'changed later'});
      t.deepEqual(comparable(before), copy, 'the array from before');
      t.true((await subject.metrics.catalog(call)) !== before, 'a changed catalog is another array');
    },
    'a repeated declaration may change type, help, unit and rollup': async (t, subject) => {
      const one = metric('kit_declared_again');
      await declare(subject, one);
      for (const change of [{type: 'counter'}, {help: 'help'}, {unit: 'ms'}, {rollup: 'max'}, {}] as const) {
        await declare(subject, {...one, ...change});
        t.deepEqual(await found(subject, one.name), comparable({...one, ...change}), JSON.stringify(change));
      }
    },
    'another scope, kind or other value labels are refused with the whole batch': async (t, subject) => {
      for (const [i, {of, change}] of CONFLICTS.entries()) {
        const before = await found(subject, of.name);
        const other = metric(`kit_declared_other_${i}`);
        const service = `refused ${i}`;
        const samples = [{metric: other.name, entity: {...ENTITY, service}, time: START, value: 1}];
        const writing = subject.metricWriter.write(batch({metrics: [other, {...of, ...change}], samples}), call);
        await expectRefusal(t, writing, 'bad_request', of.name, JSON.stringify(change));
        t.deepEqual(await found(subject, of.name), before, `the catalog after ${JSON.stringify(change)}`);
        t.is(await found(subject, other.name), undefined, 'another metric of the batch that was refused');
      }
    },
    'of two conflicting declarations one stands and the other is refused': async (t, subject) => {
      const name = 'kit_declared_race';
      const rivals = [metric(name), metric(name, {scope: 'Endpoint'})];
      const outcomes = await Promise.allSettled(rivals.map(one => declare(subject, one)));
      t.deepEqual(
        outcomes.map(({status}) => status),
        ['fulfilled', 'rejected'],
        'in the order of the calls',
      );
      t.deepEqual(await found(subject, name), comparable(rivals[0]), 'the catalog');
    },
    'a new rollup counts for the days after the newest that has values, and for their hours': async (t, subject) => {
      const name = 'kit_declared_rollup';
      const write = async (rollup: Rollup, hour: number, ...values: readonly number[]) => {
        const at = (i: number) => START + hour * HOUR + i * MINUTE;
        const samples = values.map((value, i) => ({metric: name, entity: ENTITY, time: at(i), value}));
        await subject.metricWriter.write(batch({metrics: [metric(name, {rollup})], samples}), call);
      };
      await write('avg', 0, 1, 3);
      await write('sum', 1, 5, 7);
      await write('sum', 24, 1, 3);
      await write('max', 25, 5, 7);
      await write('min', 26);
      await write('max', 48, 1, 3);
      await write('max', 49, 5, 7);
      await write('max', 2, 2, 4);
      for (const {step, first, values} of ROLLUP_CHANGES) {
        const window = {step, first: START + first * HOUR, count: values.length};
        const request = {metric: await subject.metric(name), entity: ENTITY, valueFilters: new Map(), window};
        const columns = comparableColumns(await subject.metrics.values(request, call));
        t.deepEqual(columns, [{labels: {}, values}], `each ${step} from hour ${first} on`);
      }
    },
  },
};

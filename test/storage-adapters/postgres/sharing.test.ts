import test from 'ava';
import {GatewayError} from '../../../core/api/adapter.js';
import {suiteWith} from '../../support/programs.js';
import {sharedPostgres} from '../../support/servers/postgres.js';
import {plain} from '../support/answers.js';
import {type BatchParts, batchOf, metric, type SampleInput} from '../support/batches.js';
import {call} from '../support/calls.js';
import {startOracle} from '../support/oracle.js';
import {Harness} from './harness.js';

const DAY = 86_400;
const START = 19_700 * DAY;
const load = metric('load');
const entity = {layer: 'L', service: 'a'};
const at = (minute: number, value: number, name = 'load'): SampleInput => ({
  metric: name,
  entity,
  time: START + minute * 60,
  value,
});

type Reader = Pick<Harness, 'metrics'>;

async function values({metrics}: Reader, step: 'minute' | 'hour' | 'day', count: number, definition = load) {
  const request = {metric: definition, entity, valueFilters: new Map(), window: {step, first: START, count}};
  return (await metrics.values(request, call)).map(plain)[0]?.values;
}

/** Writes without waiting between, and tells how each ended. */
async function writeAtOnce(harness: Harness, batches: readonly BatchParts[]): Promise<string[]> {
  const fine = (): string => 'stored';
  const code = (error: unknown): string => (GatewayError.is(error) ? error.code : String(error));
  return Promise.all(batches.map(parts => harness.write(parts).then(fine, code)));
}

suiteWith(test, 'postgres', 'batches of metrics that share a transaction', () => {
  const server = sharedPostgres(test);

  test('what comes while others are stored is committed together, and the later value of a minute stands', async t => {
    const running = await server();
    const database = await running.database();
    const harness = await Harness.open(t, running, {url: running.url(database)});
    await harness.write({metrics: [load]});
    const batches = Array.from({length: 60}, (_, i) => ({samples: [at(i, i), at(0, i)]}));
    t.deepEqual([...new Set(await writeAtOnce(harness, batches))], ['stored']);
    t.deepEqual(
      await values(harness, 'minute', 60),
      Array.from({length: 60}, (_, i) => i || 59),
    );
    t.deepEqual(await values(harness, 'hour', 1), [(59 * 60) / 2 / 60 + 59 / 60]);
    const [commits] = await running.sql(
      'SELECT count(DISTINCT xmin::text)::int FROM query_gateway.minutes',
      [],
      database,
    );
    t.true(Number(commits?.count) <= 2, `${commits?.count} transactions have written 60 minutes`);
  });

  test('what one of them is refused for does not concern the others, those that declare a metric included', async t => {
    const harness = await Harness.open(t, await server());
    await harness.write({metrics: [load]});
    const late = metric('late');
    const declaring = batchOf({metrics: [late], samples: [at(0, 1, 'late')]});
    const results = await Promise.allSettled([
      harness.write({samples: [at(0, 1)]}),
      harness.write({samples: [at(0, 5, 'late')]}),
      harness.writer.write(declaring, call),
      harness.write({metrics: [{...load, kind: 'labeled', valueLabels: ['p']}], samples: [at(1, 5)]}),
      // The same object of a series as before.
      harness.writer.write({...declaring, metrics: []}, call),
      harness.write({samples: [{...at(1, 5), time: 1e15}]}),
      harness.write({samples: [at(2, 3), at(1, 2, 'late')]}),
    ]);
    t.deepEqual(
      results.map(one => (one.status === 'fulfilled' ? 'stored' : one.reason.code)),
      ['stored', 'bad_request', 'stored', 'bad_request', 'stored', 'bad_request', 'stored'],
    );
    t.deepEqual(await values(harness, 'minute', 4), [1, null, 3, null]);
    t.deepEqual(await values(harness, 'minute', 3, late), [1, 2, null]);
  });

  test('a metric whose declaration went back with what shared its transaction is declared anew, and its values are its own', async t => {
    const harness = await Harness.open(t, await server());
    const late = metric('late');
    const declaring = batchOf({metrics: [late], samples: [at(0, 1, 'late')]});
    const results = await Promise.allSettled([
      harness.writer.write(declaring, call),
      harness.write({samples: [{...at(1, 5, 'late'), time: 1e15}]}),
    ]);
    t.deepEqual(
      results.map(({status}) => status),
      ['fulfilled', 'rejected'],
    );
    t.deepEqual(await values(harness, 'minute', 2, late), [1, null]);
  });

  test('a rollup counts from the day after what came before it, and not from before what shares its transaction', async t => {
    const harness = await Harness.open(t, await server());
    const oracle = await startOracle();
    const sum = metric('load', {rollup: 'sum'});
    const day = (days: number, value: number) => [at(days * 1440, value), at(days * 1440 + 1, value)];
    const batches = [
      {metrics: [load], samples: day(0, 1)},
      {samples: day(1, 2)},
      {metrics: [sum], samples: day(2, 3)},
      {samples: day(3, 4)},
    ];
    for (const parts of batches) await oracle.write(parts);
    t.deepEqual(await writeAtOnce(harness, batches), ['stored', 'stored', 'stored', 'stored']);
    const found = await values(harness, 'day', 4, sum);
    t.deepEqual(found, await values(oracle, 'day', 4, sum));
    t.deepEqual(found, [1, 2, 6, 8]);
  });

  test('an hour whose values add up to more than a double holds is taken, together and alone, and read as any other storage does', async t => {
    const harness = await Harness.open(t, await server());
    const oracle = await startOracle();
    const metrics = (['avg', 'sum', 'max'] as const).map(rollup => metric(rollup, {rollup}));
    const huge = Number.MAX_VALUE;
    const all = [huge, huge, huge, -huge, 1];
    const batches = all.map((value, i) => ({metrics, samples: metrics.map(({name}) => at(i, value, name))}));
    for (const parts of batches) await oracle.write(parts);
    t.deepEqual(
      await writeAtOnce(harness, batches),
      all.map(() => 'stored'),
    );
    // Replaced, so that the hour is made anew.
    await harness.write({samples: [at(4, 2, 'avg')]});
    await oracle.write({samples: [at(4, 2, 'avg')]});
    for (const definition of metrics) {
      t.deepEqual(await values(harness, 'minute', 4, definition), all.slice(0, 4));
      for (const step of ['hour', 'day'] as const) {
        const found = await values(harness, step, 1, definition);
        t.deepEqual(found, await values(oracle, step, 1, definition), `${definition.name} by ${step}`);
      }
    }
    t.deepEqual(await values(harness, 'hour', 1, metrics[0]), [huge / 2.5]);
  });
});

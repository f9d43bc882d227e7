import test from 'ava';
import {GroupCommit, type GroupOptions} from '../../../storage-adapters/clickhouse/client/group-commit.js';
import {Pace} from '../../../storage-adapters/clickhouse/client/rate-limiter.js';
import {VersionClock} from '../../../storage-adapters/clickhouse/client/version-clock.js';
import {suiteWith} from '../../support/programs.js';
import {startClickHouse} from '../../support/servers/clickhouse.js';
import {plain} from '../support/answers.js';
import {metric} from '../support/batches.js';
import {call} from '../support/calls.js';
import {Harness} from './harness.js';

/** A group commit of words, with what it was asked to store and a way to let a store end. */
function commits(options: Partial<GroupOptions<string>> = {}) {
  const groups: string[][] = [];
  const ends: ((problem?: Error) => void)[] = [];
  const store = (batches: readonly string[]) => {
    groups.push([...batches]);
    return new Promise<void>((resolve, reject) => ends.push(problem => (problem ? reject(problem) : resolve())));
  };
  const pace = new Pace(1000, 1000, Date.now);
  const commit = new GroupCommit<string>({size: word => word.length, store, pace, queued: () => undefined, ...options});
  const next = async (problem?: Error) => {
    while (ends.length === 0) await new Promise(setImmediate);
    ends.shift()?.(problem);
  };
  return {commit, groups, next};
}

test('batches that come while others are stored go together, in their order', async t => {
  const {commit, groups, next} = commits();
  const first = commit.write('a');
  while (groups.length === 0) await new Promise(setImmediate);
  const others = Promise.all(['b', 'c', 'd'].map(word => commit.write(word)));
  await next();
  await first;
  await next();
  await others;
  t.deepEqual(groups, [['a'], ['b', 'c', 'd']]);
});

test('a batch that goes alone has its own place between the others', async t => {
  const {commit, groups, next} = commits({goesAlone: word => word === 'X'});
  const all = Promise.all(['a', 'b', 'X', 'c', 'd'].map(word => commit.write(word)));
  for (const _ of [1, 2, 3]) await next();
  await all;
  t.deepEqual(groups, [['a', 'b'], ['X'], ['c', 'd']]);
});

test('a group that fails fails for each of its batches, and the next is stored', async t => {
  const {commit, groups, next} = commits();
  const first = commit.write('a');
  const second = commit.write('b');
  const problem = new Error('full');
  const failures = Promise.all([t.throwsAsync(first), t.throwsAsync(second)]);
  await next(problem);
  t.deepEqual(await failures, [problem, problem]);
  const third = commit.write('c');
  await next();
  await third;
  t.deepEqual(groups, [['a', 'b'], ['c']]);
});

test('more rows than may wait are refused as overload', async t => {
  const {commit, next} = commits({size: () => 1_500_000});
  const first = commit.write('a');
  const refused = await t.throwsAsync(async () => commit.write('b'));
  t.regex(refused?.message ?? '', /1500000 rows wait .* Send the batch again in a second/);
  await next();
  await first;
});

test('versions ascend, also when the clock goes back', t => {
  let now = 1_700_000_000_000;
  const clock = new VersionClock(() => now);
  const versions = [clock.next(), clock.next()];
  now -= 1000;
  versions.push(clock.next());
  t.deepEqual([...versions].sort(), versions);
  t.true(new Set(versions).size === 3 && versions.every(version => version < 2n ** 63n));
});

suiteWith(test, 'clickhouse-server', 'writing to a real server', () => {
  test('small batches at the same time make few parts, and the last of each minute stands', async t => {
    const server = await startClickHouse(t);
    const harness = await Harness.start(t, {urls: [server.url]});
    const definition = metric('m');
    await harness.write({metrics: [definition]});
    const entity = {layer: 'L', service: 's'};
    const time = 1_700_000_040;
    const writes = Array.from({length: 500}, (_, i) => i);
    await Promise.all(writes.map(value => harness.write({samples: [{metric: 'm', entity, time, value}]})));
    // Merged parts stay in the list for a while, so these are all that were made.
    const made = `SELECT count() FROM system.parts WHERE database = '${harness.database}' AND table = 'minutes'`;
    const parts = await server.query(made);
    t.true(Number(parts) < 10, parts);
    const window = {step: 'minute', first: time, count: 1} as const;
    const request = {metric: definition, entity, valueFilters: new Map(), window};
    const columns = await harness.get('metrics.query.v1').values(request, call);
    t.deepEqual(columns.map(plain), [{labels: {}, values: [499]}]);
  });

  test('a metric that another gateway declares is known within moments', async t => {
    const server = await startClickHouse(t);
    const one = await Harness.start(t, {urls: [server.url]});
    const other = await Harness.start(t, {urls: [server.url], database: one.database});
    await other.get('metrics.query.v1').catalog(call);
    await one.write({metrics: [metric('m', {rollup: 'sum'})]});
    const entity = {layer: 'L', service: 's'};
    await other.write({samples: [{metric: 'm', entity, time: 1_700_000_040, value: 1}]});
    const refused = await t.throwsAsync(other.write({metrics: [metric('m', {scope: 'Endpoint'})]}));
    t.regex(refused?.message ?? '', /"m" is already declared with scope "Service"/);
  });

  test('a body may hold samples of a metric that was declared at another gateway just before', async t => {
    const server = await startClickHouse(t);
    // Time stands still: what was read once stays fresh.
    const clock = () => 1_700_000_000_000;
    const one = await Harness.start(t, {urls: [server.url], clock});
    const other = await Harness.start(t, {urls: [server.url], database: one.database, clock});
    const declared = async () => (await other.get('ingest.metrics.v1').declared(call)).map(({name}) => name);
    t.deepEqual(await declared(), []);
    await one.write({metrics: [metric('m')]});
    t.deepEqual(await Promise.all([declared(), declared()]), [['m'], ['m']]);
    await one.write({metrics: [metric('n')]});
    t.deepEqual(await declared(), ['m', 'n']);
  });
});

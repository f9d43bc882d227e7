import test from 'ava';
import {VersionClock} from '../../../storage-adapters/clickhouse/client/version-clock.js';
import {suiteWith} from '../../support/programs.js';
import {startClickHouse} from '../../support/servers/clickhouse.js';
import {plain} from '../support/answers.js';
import {metric} from '../support/batches.js';
import {call} from '../support/calls.js';
import {Harness} from './harness.js';

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

  test('what another gateway has declared just before is known to bodies, and to readers that ask for what is current', async t => {
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
    await one.write({metrics: [metric('o')]});
    const catalog = async (current: boolean) =>
      (await other.get('metrics.query.v1').catalog(call, current)).map(({name}) => name);
    t.deepEqual(await catalog(false), ['m', 'n']);
    t.deepEqual(await catalog(true), ['m', 'n', 'o']);
  });
});

import {writeFile} from 'node:fs/promises';
import {join} from 'node:path';
import {setTimeout as sleep} from 'node:timers/promises';
import {status} from '@grpc/grpc-js';
import test from 'ava';
import type {Entity} from '../../../core/api/adapter.js';
import {BanyanDBConnection} from '../../../storage-adapters/banyandb/client/connection.js';
import {BanyanDBMeasures} from '../../../storage-adapters/banyandb/client/measures.js';
import type {BanyanDBConfig} from '../../../storage-adapters/banyandb/config.js';
import {BanyanDBCatalog} from '../../../storage-adapters/banyandb/metrics/catalog.js';
import {
  CheckHealth,
  GetAPIVersion,
  groups,
  measures,
  QueryMeasure,
} from '../../../storage-adapters/banyandb/proto/methods.js';
import {findLayout} from '../../../storage-adapters/banyandb/schema/layout.js';
import {comparableColumns} from '../../../storage-adapters/conformance/comparable.js';
import {batch, metric} from '../../../storage-adapters/conformance/data/metrics.js';
import {TEST_TLS} from '../../fixtures/banyandb/certificate.js';
import {FakeBanyanDB} from '../../fixtures/banyandb/fake.js';
import {serviceId} from '../../fixtures/banyandb/seed/ids.js';
import {metricSchema} from '../../fixtures/banyandb/seed/layout.js';
import {Seeder} from '../../fixtures/banyandb/seed/seeder.js';
import {SHAPES} from '../../fixtures/banyandb/seed/shapes.js';
import {scratchFolder} from '../../support/gateway.js';
import {call} from '../support/calls.js';
import {quietMeter} from '../support/storage-harness.js';
import {Opened, openScene} from './support/open-adapter.js';

const T0 = Date.UTC(2026, 0, 5) / 1000;
const songs: Entity = {layer: 'GENERAL', service: 'songs'};
const NAME = 'service_cpm';
const GROUP = 'sw_metricsMinute';
const silent = {debug() {}, info() {}, warn() {}, error() {}};
const connectionTo = ({endpoints}: FakeBanyanDB) =>
  ({endpoints, maxMessageSize: 1e6, timeout: 30_000}) as unknown as BanyanDBConfig;
const data = (seeder: Seeder) =>
  seeder.metrics(batch({metrics: [metric(NAME)], samples: [{metric: NAME, entity: songs, time: T0, value: 7}]}));

for (const [title, config, says] of [
  ['port 0', {endpoints: ['h:0']}, /endpoints\[0\]/],
  ['port 65536', {endpoints: ['h:65536']}, /endpoints\[0\]/],
  ['a user without a password', {username: 'reader'}, /password/],
  ['a password without a user', {password: 'secret'}, /username/],
  ['a user that headers cannot carry', {username: 'rüdiger', password: 'x'}, /username.*printable ASCII/],
  ['a password that headers cannot carry', {username: 'reader', password: 'a\nb'}, /password.*printable ASCII/],
] as const) {
  test(`a configuration with ${title} is refused before anything is asked`, t => {
    const error = t.throws(() => new Opened({endpoints: ['h:65535'], ...config} as Partial<BanyanDBConfig>));
    t.regex(error?.message ?? '', says);
  });
}

for (const [title, layers, says] of [
  ['two numbers of the same name', {10001: 'MINE', 10002: 'MINE'}, /both 10001 and 10002 MINE/],
  ['a number with the name of another layer', {10001: 'GENERAL'}, /both 2 and 10001 GENERAL/],
  ['another name for a number that every OAP knows', {2: 'MINE'}, /the number 2, which is GENERAL/],
] as const) {
  test(`start refuses ${title}`, async t => {
    const adapter = new Opened({endpoints: ['h:1'], layers});
    const error = await t.throwsAsync(adapter.start());
    t.regex(error?.message ?? '', /option layers/);
    t.regex(error?.message ?? '', says);
  });
}

test('start refuses a file of authorities that is not PEM', async t => {
  const file = join(await scratchFolder(t), 'ca.pem');
  await writeFile(file, 'ssh-rsa AAAA');
  const error = await t.throwsAsync(new Opened({endpoints: ['h:1'], tls: {ca: file}}).start());
  t.regex(error?.message ?? '', /option tls\.ca names .*ca\.pem, which has no certificate/);
});

test('what keeps a connection from being made is told without the words of gRPC', async t => {
  const secure = await FakeBanyanDB.start({tls: TEST_TLS});
  const plain = await FakeBanyanDB.start();
  t.teardown(() => [secure, plain].forEach(fake => void fake.stop()));
  for (const [config, says] of [
    [{endpoints: ['127.0.0.1:1']}, /connect ECONNREFUSED 127\.0\.0\.1:1$/],
    [{endpoints: secure.endpoints}, /speaks TLS; set the option tls/],
    [{endpoints: secure.endpoints, tls: {}}, /its certificate is not trusted; set tls\.ca/],
    [{endpoints: plain.endpoints, tls: {}}, /does not speak TLS/],
  ] as const) {
    const adapter = new Opened(config);
    const error = await t.throwsAsync(adapter.start());
    await adapter.storage.stop();
    t.regex(error?.message ?? '', says);
    t.notRegex(error?.message ?? '', /Resolution note|No connection established|\n|\d{4}-\d\d-\d\dT/);
  }
});

test('health tells that a user who was let in is refused now', async t => {
  const {fake, adapter} = await openScene(t, {data});
  fake.liaisons[0]?.faults.refuse(status.UNAUTHENTICATED, 'Invalid credentials', GetAPIVersion);
  const {status: health, message} = await adapter.storage.health(call.signal);
  t.is(health, 'failed');
  t.regex(message ?? '', /refuses the user/);
});

test('a server that is slow to tell its health is degraded while it answers others, and failed when it answers nobody', async t => {
  const {fake, adapter} = await openScene(t, {data, config: {metadataCache: 0}});
  fake.liaisons[0]?.faults.slowDown(60_000, CheckHealth);
  const slow = await adapter.storage.health(call.signal);
  t.is(slow.status, 'degraded');
  t.regex(slow.message ?? '', /is slow: it answers/);
  fake.liaisons[0]?.faults.slowDown(60_000);
  const fresh = new BanyanDBConnection(connectionTo(fake), silent, quietMeter);
  t.teardown(() => fresh.close());
  const nobody = await fresh.health(call.signal);
  t.is(nobody.status, 'failed', 'no call was answered yet');
});

test('a minimum of nothing yet is no value, and spoils no ranking', async t => {
  const name = 'service_min';
  const schema = metricSchema(metric(name), 'minute', GROUP, SHAPES.long.fields);
  const fake = await FakeBanyanDB.start();
  t.teardown(() => fake.stop());
  const seeder = Seeder.open(fake);
  seeder.metrics(batch({sightings: [{scope: 'Service', entity: songs, time: T0}]}));
  fake.database.createMeasure(schema);
  const tags = {entity_id: serviceId('GENERAL', 'songs')};
  const points = [3n, 2n ** 63n - 1n, 5n, 2n ** 63n - 1n].map((value, i) => ({
    time: (T0 + i * 60) * 1000,
    tags,
    fields: [value],
  }));
  fake.database.writePoints(schema, points);
  const adapter = new Opened({endpoints: fake.endpoints});
  t.teardown(() => adapter.storage.stop());
  await adapter.start();
  const window = {step: 'minute', first: T0, count: 4} as const;
  const definition = await adapter.metric(name);
  const request = {metric: definition, entity: songs, valueFilters: new Map(), window};
  const [column] = await adapter.metrics.values(request, call);
  t.deepEqual([...(column?.present ?? [])], [1, 0, 1, 0]);
  t.deepEqual([column?.values[0], column?.values[2]], [3, 5]);
  const ranking = {metric: definition, layer: 'GENERAL', order: 'DES', limit: 9, window} as const;
  t.deepEqual(await adapter.metrics.ranking(ranking, call), [{entity: songs, value: 4}]);
});

test('a list of metrics that has not been in use is renewed before it is used', async t => {
  const {adapter, seeder} = await openScene(t, {data, config: {catalogRefresh: 100}});
  seeder.metrics(
    batch({metrics: [metric('service_sla')], samples: [{metric: 'service_sla', entity: songs, time: T0, value: 1}]}),
  );
  await sleep(250);
  t.deepEqual(
    (await adapter.metrics.catalog(call)).map(({name}) => name),
    [NAME, 'service_sla'],
  );
});

test('a list of metrics that cannot be renewed stays in use', async t => {
  const {adapter, fake} = await openScene(t, {data, config: {catalogRefresh: 100}});
  fake.liaisons[0]?.faults.loseLeader(measures.List);
  await sleep(250);
  t.deepEqual(
    (await adapter.metrics.catalog(call)).map(({name}) => name),
    [NAME],
  );
});

test('an error in unknown words is a changed schema where the schemas have changed, and what it is elsewhere', async t => {
  const {adapter, fake} = await openScene(t, {data, config: {metadataCache: 0}});
  const known = await adapter.metric(NAME);
  const window = {step: 'minute', first: T0, count: 1} as const;
  const ask = () => adapter.metrics.values({metric: known, entity: songs, valueFilters: new Map(), window}, call);
  const faults = fake.liaisons[0]?.faults;
  t.is((await ask())[0]?.values[0], 7);

  faults?.refuse(status.UNKNOWN, 'code: STATUS_INTERNAL_ERROR, msg: words of another release', QueryMeasure);
  const error = await t.throwsAsync(ask());
  t.regex(error?.message ?? '', /words of another release/);
  const asked = () => fake.requests.of(QueryMeasure).filter(request => request.name === `${NAME}_minute`).length;
  const before = asked();

  fake.database.deleteMeasure(GROUP, `${NAME}_minute`);
  t.deepEqual(await ask(), []);
  t.is(asked() - before, 1, 'the measure has gone, so nothing is asked of it again');
});

test('stages, which a server before 0.9 does not have, are left aside', async t => {
  const {adapter, fake} = await openScene(t, {data, fake: {release: '0.8'}, config: {stages: ['cold']}});
  t.true(adapter.warnings.some(({message}) => /option stages/.test(message)));
  const window = {step: 'minute', first: T0, count: 1} as const;
  const request = {metric: await adapter.metric(NAME), entity: songs, valueFilters: new Map(), window};
  t.deepEqual(comparableColumns(await adapter.metrics.values(request, call)).length, 1);
  t.deepEqual(
    fake.requests.of(QueryMeasure).flatMap(({stages}) => stages),
    [],
  );
});

test('looking at rows holds up a load for so long and no longer, and is gone on with', async t => {
  const fake = await FakeBanyanDB.start();
  t.teardown(() => fake.stop());
  Seeder.open(fake);
  const names = Array.from({length: 20}, (_, i) => `custom_${i}`);
  for (const name of names) {
    const schema = metricSchema(metric(name, {scope: 'ServiceRelation'}), 'minute', GROUP, SHAPES.long.fields);
    fake.database.createMeasure(schema);
    const time = Math.floor(Date.now() / 60_000) * 60_000 - 60_000;
    fake.database.writePoints(schema, [{time, tags: {entity_id: serviceId('GENERAL', 'songs')}, fields: [1n]}]);
  }
  const connection = new BanyanDBConnection(connectionTo(fake), silent, quietMeter);
  t.teardown(() => connection.close());
  const {group} = await connection.call(groups.List, {}, call.signal);
  const catalog = new BanyanDBCatalog({
    connection,
    measures: new BanyanDBMeasures(connection, []),
    layout: findLayout(group, 'sw'),
    refresh: 3_600_000,
    probeTime: 0,
    log: silent,
    lifetime: call.signal,
  });
  const first = (await catalog.state(call.signal)).definitions.length;
  t.true(first > 0 && first < names.length, `${first} at first`);
  for (let tries = 0; tries < 500; tries++) {
    if ((await catalog.state(call.signal)).definitions.length === names.length) break;
    await sleep(20);
  }
  t.is((await catalog.state(call.signal)).definitions.length, names.length);
});

import test from 'ava';
import {GatewayError} from '../../../core/api/adapter.js';
import {createTable} from '../../../storage-adapters/clickhouse/schema/ddl.js';
import {isTooOld, serverOf} from '../../../storage-adapters/clickhouse/schema/server.js';
import {TABLES} from '../../../storage-adapters/clickhouse/schema/tables.js';
import {otlpSpan} from '../../core/api/otlp-spans.js';
import {scratchFolder} from '../../support/gateway.js';
import {ownerOf} from '../../support/owner.js';
import {suiteWith} from '../../support/programs.js';
import {type ClickHouseServer, startClickHouse} from '../../support/servers/clickhouse.js';
import {metric} from '../support/batches.js';
import {call} from '../support/calls.js';
import {Harness, newDatabase} from './harness.js';

function definitions(version: string, cluster?: string): string {
  const place = {database: 'd', cluster};
  return TABLES.flatMap(table => createTable(table, place, serverOf(version)).map(({text}) => text)).join('\n');
}

test('tables use what the version of the server has', t => {
  const cases: readonly (readonly [version: string, codecs: boolean, dictionaries: boolean, filters: boolean])[] = [
    ['18.16.1', false, false, false],
    ['19.17.4.11', true, false, false],
    ['20.3.21.2', true, true, true],
    ['24.8.1.1', true, true, true],
    ['26.7.2.1', true, true, true],
  ];
  for (const [version, codecs, dictionaries, filters] of cases) {
    const text = definitions(version);
    t.is(text.includes('CODEC('), codecs, version);
    t.is(text.includes('LowCardinality('), dictionaries, version);
    t.is(text.includes('bloom_filter'), filters, version);
    t.false(/TTL|Map\(/.test(text), version);
  }
});

test('on a cluster each table is replicated, and behind a distributed one', t => {
  const text = definitions('24.8.1.1', "c'1");
  t.is(text.match(/ReplicatedReplacingMergeTree\('\/clickhouse\/tables\/\{shard\}\/d\//g)?.length, TABLES.length);
  t.is(text.match(/ENGINE = Distributed\('c\\x271', 'd', '\w+_local', /g)?.length, TABLES.length);
  t.is(text.match(/ON CLUSTER `c\\x271`/g)?.length, TABLES.length * 2);
});

test('a version before 18.16 is too old', t => {
  t.deepEqual(['1.1.54394', '18.14.9', '18.16.0', '19.1.6', '24.3.1'].map(isTooOld), [true, true, false, false, false]);
});

suiteWith(test, 'clickhouse-server', 'the schema at a real server', () => {
  const owner = ownerOf(test);
  let started: Promise<ClickHouseServer> | undefined;
  const server = () => {
    started ??= startClickHouse(owner);
    return started;
  };

  test('gateways that start at the same time make the schema once', async t => {
    const {url} = await server();
    const database = newDatabase();
    const all = await Promise.all([1, 2, 3, 4].map(() => Harness.start(t, {urls: [url], database})));
    await all[0]?.write({metrics: [metric('m')]});
    const catalogs = await Promise.all(all.map(harness => harness.get('ingest.metrics.v1').declared(call)));
    for (const catalog of catalogs.slice(1)) t.true(catalog.length <= 1);
    t.deepEqual(
      catalogs[0]?.map(({name}) => name),
      ['m'],
    );
  });

  test('a schema that was left half made is completed', async t => {
    const {url, query} = await server().then(running => ({url: running.url, query: (q: string) => running.query(q)}));
    const harness = await Harness.start(t, {urls: [url]});
    await harness.storage.stop();
    for (const table of ['meta', 'native_spans']) await query(`DROP TABLE ${harness.database}.${table}`);
    await harness.start();
    t.is(await query(`SELECT count() FROM system.tables WHERE database = '${harness.database}'`), `${TABLES.length}\n`);
  });

  test('without createSchema the tables must be there, and the message says how they are made', async t => {
    const {url} = await server();
    const harness = new Harness({urls: [url], createSchema: false});
    t.teardown(() => harness.storage.stop());
    const problem = await t.throwsAsync(harness.start());
    t.true(GatewayError.is(problem) && problem.code === 'storage_failed');
    t.regex(
      problem?.message ?? '',
      /has no tables of the gateway, and createSchema is false: run "query-gateway check/,
    );
    const made = await Harness.start(t, {urls: [url]});
    await Harness.start(t, {urls: [url], createSchema: false, database: made.database});
  });

  test('a schema of a later version is refused', async t => {
    const {url, query} = await server().then(running => ({url: running.url, query: (q: string) => running.query(q)}));
    const harness = await Harness.start(t, {urls: [url]});
    await harness.storage.stop();
    await query(`INSERT INTO ${harness.database}.meta VALUES ('schema_version', 99)`);
    const problem = await t.throwsAsync(harness.start());
    t.regex(problem?.message ?? '', /has version 99 of the schema, and this gateway works with version 2/);
  });

  test('a schema of version 1 gets the tables of OTLP, and keeps what it has', async t => {
    const {url, query} = await server().then(running => ({url: running.url, query: (q: string) => running.query(q)}));
    const harness = await Harness.start(t, {urls: [url]});
    const span = otlpSpan({startTime: 1_700_000_000_000_000_001n});
    await harness.write({metrics: [metric('m')]});
    await harness.storage.stop();
    for (const table of ['units', 'spans', 'values']) await query(`DROP TABLE ${harness.database}.otlp_${table}`);
    await query(`TRUNCATE TABLE ${harness.database}.meta`);
    await query(`INSERT INTO ${harness.database}.meta VALUES ('schema_version', 1)`);
    const problem = await t.throwsAsync(
      new Harness({urls: [url], database: harness.database, createSchema: false}).start(),
    );
    t.regex(problem?.message ?? '', /has version 1 of the schema, and createSchema is false/);
    await harness.restart();
    await harness.get('ingest.otlp.v1').write([span], call);
    t.deepEqual(await harness.get('traces.otlp.v1').trace(span.traceId, call), {traceId: span.traceId, spans: [span]});
    t.is((await harness.get('metrics.query.v1').catalog(call)).length, 1);
  });

  test('a cluster that the server does not know is named', async t => {
    const harness = new Harness({urls: [(await server()).url], cluster: 'nowhere'});
    t.teardown(() => harness.storage.stop());
    const problem = await t.throwsAsync(harness.start());
    t.regex(problem?.message ?? '', /ClickHouse knows no cluster "nowhere"/);
  });

  test('a user that may only read is served without the capabilities of writing', async t => {
    const data = await scratchFolder(t);
    const first = await startClickHouse(t, {data});
    const harness = await Harness.start(t, {urls: [first.url]});
    await harness.write({metrics: [metric('m')]});
    await harness.storage.stop();
    await first.process.stop();
    const {url} = await startClickHouse(t, {data, settings: {readonly: 2}});
    const reading = await Harness.start(t, {urls: [url], database: harness.database});
    t.deepEqual(Object.keys(reading.readers).sort(), [
      'export.compat.v1',
      'export.metrics.v1',
      'export.native.v1',
      'export.otlp.v1',
      'metadata.query.v1',
      'metrics.query.v1',
      'topology.query.v1',
      'traces.compat.v1',
      'traces.native.v2',
      'traces.otlp.v1',
    ]);
    t.is((await reading.get('metrics.query.v1').catalog(call)).length, 1);
    const other = new Harness({urls: [url]});
    t.teardown(() => other.storage.stop());
    const problem = await t.throwsAsync(other.start());
    t.regex(problem?.message ?? '', /may not create tables/);
  });
});

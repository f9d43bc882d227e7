import {readFileSync} from 'node:fs';
import test from 'ava';
import {GatewayError} from '../../../core/api/adapter.js';
import {MIGRATIONS} from '../../../storage-adapters/postgres/schema/migrations.js';
import {suiteWith} from '../../support/programs.js';
import {sharedPostgres} from '../../support/servers/postgres.js';
import {plain} from '../support/answers.js';
import {metric} from '../support/batches.js';
import {call} from '../support/calls.js';
import {Harness} from './harness.js';

const DOCS = readFileSync(new URL('../../../../docs/postgres.md', import.meta.url), 'utf8');
const SQL = /```sql\n([\s\S]*?)```/.exec(DOCS)?.[1] ?? '';
const START = 1_700_000_040;
const load = metric('load');
const sample = (service: string, minute: number, value: number) => ({
  metric: 'load',
  entity: {layer: 'L', service},
  time: START + minute * 60,
  value,
});

async function refusal(harness: Harness): Promise<string> {
  const problem: unknown = await harness.start().then(
    () => 'started',
    error => error,
  );
  await harness.storage.stop();
  return GatewayError.is(problem) ? `${problem.code}: ${problem.message}` : String(problem);
}

test('the SQL of the documentation is the SQL of the adapter', t => {
  t.is(SQL, `CREATE SCHEMA query_gateway;\nSET search_path TO query_gateway;\n\n${MIGRATIONS.join('\n\n')}\n`);
});

suiteWith(test, 'postgres', 'the schema in a PostgreSQL database', () => {
  const server = sharedPostgres(test);

  test('gateways that start at once make the tables once, and write for each other', async t => {
    const running = await server();
    const url = running.url(await running.database());
    const gateways = await Promise.all(Array.from({length: 6}, () => Harness.open(t, running, {url})));
    await Promise.all(gateways.map(gateway => gateway.write({metrics: [load]})));
    for (const gateway of gateways) t.deepEqual(await gateway.writer.declared(call), [load]);
    await gateways[0]?.write({metrics: [metric('more')]});
    // Whoever has declared a metric at one gateway may send its samples to the next.
    for (const gateway of gateways) t.is((await gateway.writer.declared(call)).length, 2);
    await Promise.all(
      gateways.flatMap((gateway, i) => [
        gateway.write({samples: [sample('same', i, i), sample(`own ${i}`, 0, i)]}),
        gateway.spans.write(
          [
            {
              traceId: 'a'.repeat(16),
              id: `${i}`.repeat(16),
              timestamp: START * 1e6 + i,
              annotations: [],
              tags: new Map(),
            },
          ],
          call,
        ),
      ]),
    );
    for (const gateway of gateways) {
      const request = {
        metric: load,
        entity: {layer: 'L', service: 'same'},
        valueFilters: new Map(),
        window: {step: 'minute', first: START, count: 6},
      } as const;
      t.deepEqual((await gateway.metrics.values(request, call)).map(plain), [{labels: {}, values: [0, 1, 2, 3, 4, 5]}]);
      const hour = {...request, window: {step: 'hour', first: START - (START % 3600), count: 1} as const};
      t.is((await gateway.metrics.values(hour, call))[0]?.values[0], 2.5);
      t.is((await gateway.compat.trace('a'.repeat(16), call))?.spans.length, 6);
    }
  });

  test('tables that are missing end a start that may not make them, naming what to run', async t => {
    const running = await server();
    const database = await running.database();
    const config = {url: running.url(database), createSchema: false};
    const message = await refusal(new Harness(config));
    t.regex(message, /^storage_failed: .*"query_gateway".*createSchema is false: run the SQL of docs\/postgres\.md/);
    await running.sql(SQL, [], database);
    const harness = await Harness.open(t, running, config);
    await harness.write({metrics: [load], samples: [sample('a', 0, 1)]});
    t.deepEqual(await harness.metrics.catalog(call), [load]);
  });

  test('tables of a newer version are refused, those of an older one when they may not be changed', async t => {
    const running = await server();
    const database = await running.database();
    const config = {url: running.url(database)};
    const harness = await Harness.open(t, running, config);
    await harness.storage.stop();
    await running.sql('UPDATE query_gateway.store SET version = 99', [], database);
    t.regex(
      await refusal(new Harness(config)),
      /^storage_failed: .* are of version 99, and this gateway knows 5: run the newer/,
    );
    t.regex(await refusal(new Harness({...config, createSchema: false})), /version 99/);
    await running.sql('UPDATE query_gateway.store SET version = 1', [], database);
    t.regex(
      await refusal(new Harness({...config, createSchema: false})),
      /^storage_failed: .* are of version 1, this gateway needs 5, and .* is false: run the SQL of docs\/postgres\.md/,
    );
  });

  test('rights that are missing are named with the statement that grants them', async t => {
    const running = await server();
    const database = await running.database();
    const url = running.url(database, 'reader');
    await running.sql('CREATE ROLE reader LOGIN', [], database);
    t.regex(await refusal(new Harness({url})), /^storage_failed: .*a right is missing.*42501/);
    await running.sql('CREATE SCHEMA query_gateway', [], database);
    t.regex(await refusal(new Harness({url})), /^storage_failed: /);

    const owner = await Harness.open(t, running, {url: running.url(database)});
    await owner.storage.stop();
    await running.sql(
      'GRANT USAGE ON SCHEMA query_gateway TO reader; GRANT SELECT ON ALL TABLES IN SCHEMA query_gateway TO reader',
      [],
      database,
    );
    t.regex(
      await refusal(new Harness({url})),
      /may not create partitions .*GRANT CREATE ON SCHEMA "query_gateway" TO "reader"/,
    );
    await running.sql('GRANT CREATE ON SCHEMA query_gateway TO reader', [], database);
    t.regex(await refusal(new Harness({url})), /does not own the tables .*minutes.*OWNER TO "reader"/);
    await running.sql('GRANT postgres TO reader', [], database);
    const harness = await Harness.open(t, running, {url});
    await harness.write({metrics: [load], samples: [sample('a', 0, 1)]});
    t.deepEqual(await harness.metrics.catalog(call), [load]);
  });

  test('what a start cannot mend is refused in words without the password', async t => {
    const running = await server();
    const rows = [
      {url: running.url('nowhere'), expected: /^storage_failed: .*nowhere.*3D000/},
      {url: running.url('postgres', 'nobody'), expected: /^storage_failed: .*refuses the user/},
      {
        url: 'postgres://user:s3cret@127.0.0.1:1/db',
        expected: /^storage_unavailable: PostgreSQL at 127\.0\.0\.1:1\/db cannot be reached/,
      },
      {url: 'postgres://user:s3cret@[x]/db', expected: /^storage_failed: storage\.config\.url does not say/},
      {
        url: 'postgres://user:s3cret@h/db?sslmode=verify-ca&sslrootcert=/no/such',
        expected: /^storage_failed: storage\.config\.url/,
      },
      {url: `${running.url()}?sslmode=verify-full`, expected: /^storage_failed: .*does not support SSL/},
    ];
    for (const {url, expected} of rows) {
      const message = await refusal(new Harness({url}));
      t.regex(message, expected);
      t.notRegex(message, /s3cret/);
    }
  });

  test('a start that is no longer wanted ends with its reason, and stopping is safe at any time', async t => {
    const running = await server();
    const harness = new Harness({url: running.url(await running.database())});
    await harness.storage.stop();
    const reason = new GatewayError('cancelled', 'the gateway is stopping');
    t.is(await t.throwsAsync(harness.storage.start(AbortSignal.abort(reason))), reason);
    await harness.start();
    await harness.storage.stop();
    await harness.storage.stop();
    await harness.start();
    t.deepEqual(await harness.metrics.catalog(call), []);
    await harness.storage.stop();
  });
});

import {setTimeout as sleep} from 'node:timers/promises';
import test, {type ExecutionContext} from 'ava';
import pg from 'pg';
import {type CompatSpan, GatewayError, type MetricDefinition} from '../../../core/api/adapter.js';
import {suiteWith} from '../../support/programs.js';
import {sharedPostgres, startPostgres} from '../../support/servers/postgres.js';
import {Relay} from '../../support/servers/relay.js';
import {names, plain} from '../support/answers.js';
import {metric} from '../support/batches.js';
import {call, callWith} from '../support/calls.js';
import {Harness} from './harness.js';

const START = 1_700_000_040;
const load = metric('load');
const service = (name: string) => ({layer: 'L', service: name});
const at = (minute: number, value: number, name = 'a') => ({
  metric: 'load',
  entity: service(name),
  time: START + minute * 60,
  value,
});

async function read(harness: Harness, definition: MetricDefinition = load, count = 3): Promise<unknown> {
  const window = {step: 'minute', first: START, count} as const;
  const request = {metric: definition, entity: service('a'), valueFilters: new Map(), window};
  return (await harness.metrics.values(request, call)).map(plain)[0]?.values;
}

async function code(work: Promise<unknown>): Promise<string> {
  return work.then(
    () => 'fine',
    problem => (GatewayError.is(problem) ? problem.code : `no GatewayError: ${problem}`),
  );
}

const health = (harness: Harness) => harness.storage.health(AbortSignal.timeout(2000));

/** Waits until it is so; the test's own deadline ends what never becomes so. */
async function until(isSo: () => Promise<boolean>): Promise<void> {
  while (!(await isSo())) await sleep(20);
}

/** Holds a table so that every statement on it waits, until the returned function is called. */
async function hold(t: ExecutionContext, url: string, table: string): Promise<() => Promise<void>> {
  const client = new pg.Client({connectionString: url});
  await client.connect();
  await client.query(`BEGIN; LOCK TABLE query_gateway.${table} IN ACCESS EXCLUSIVE MODE`);
  let held = true;
  const release = async (): Promise<void> => {
    if (held) await client.end();
    held = false;
  };
  t.teardown(release);
  return release;
}

const WAITING =
  "SELECT pid FROM pg_stat_activity WHERE application_name = 'query-gateway' AND state = 'active' AND datname = $1";

suiteWith(test, 'postgres', 'connections to a PostgreSQL server', () => {
  const server = sharedPostgres(test);

  test('a server that is stopped is unavailable, and used again when it is back', async t => {
    const own = await startPostgres(t);
    const harness = await Harness.open(t, own);
    await harness.write({metrics: [load], samples: [at(0, 1)]});
    await own.stop();
    t.is(await code(read(harness)), 'storage_unavailable');
    t.is(await code(harness.write({samples: [at(1, 2)]})), 'storage_unavailable');
    t.like(await health(harness), {status: 'failed'});
    await own.process.start();
    t.deepEqual(await read(harness), [1, null, null]);
    await harness.write({samples: [at(1, 2)]});
    t.like(await health(harness), {status: 'ok'});
    // Again, with connections in the pool that the server has closed meanwhile.
    await own.stop();
    await own.process.start();
    await harness.write({samples: [at(2, 3)]});
    t.deepEqual(await read(harness), [1, 2, 3]);
  });

  test('a server that does not run yet, or has no connection left, is worth another start', async t => {
    const own = await startPostgres(t, {settings: {max_connections: '5', superuser_reserved_connections: '1'}});
    const clients = Array.from({length: 5}, () => new pg.Client({connectionString: own.url()}));
    for (const client of clients) await client.connect();
    const crowded = new Harness({url: own.url()});
    t.is(await code(crowded.start()), 'storage_unavailable');
    for (const client of clients) await client.end();
    t.teardown(() => crowded.storage.stop());
    await crowded.start();
    await own.stop();
    const early = new Harness({url: own.url()});
    t.is(await code(early.start()), 'storage_unavailable');
    await own.process.start();
    await early.start();
    await early.storage.stop();
  });

  test('a connection that breaks is replaced, also in the middle of an answer', async t => {
    const running = await server();
    const database = await running.database();
    const relay = await Relay.to(t, running.port);
    const harness = await Harness.open(t, running, {url: running.url(database, 'postgres', relay.port)});
    const sightings = Array.from({length: 5000}, (_, i) => ({
      scope: 'Endpoint' as const,
      entity: {...service('a'), endpoint: `/${i}`},
      time: START,
    }));
    await harness.write({metrics: [load], samples: [at(0, 1)], sightings});
    relay.cut();
    t.deepEqual(await read(harness), [1, null, null]);

    relay.cutAfter(30_000);
    const list = () => names(harness.metadata.endpoints({layer: 'L', service: 'a'}, call));
    t.is(await code(list()), 'storage_unavailable');
    relay.refuse();
    t.is(await code(read(harness)), 'storage_unavailable');
    t.is(await code(harness.write({samples: [at(1, 2)]})), 'storage_unavailable');
    t.like(await health(harness), {status: 'failed'});
    relay.heal();
    t.is((await list()).length, 5000);
    await harness.write({samples: [at(1, 2)]});
    t.deepEqual(await read(harness), [1, 2, null]);
  });

  test('a server that does not answer holds nobody longer than they wait', async t => {
    const running = await server();
    const relay = await Relay.to(t, running.port);
    const url = running.url(await running.database(), 'postgres', relay.port);
    const harness = await Harness.open(t, running, {url, writeTimeout: 2000, connections: 2});
    await until(async () => (await code(harness.write({metrics: [load], samples: [at(0, 1)]}))) === 'fine');
    relay.slow(600_000);
    const reason = new GatewayError('timeout', 'the deadline of the request has passed');
    const controller = new AbortController();
    const window = {step: 'minute', first: START, count: 3} as const;
    const request = {metric: load, entity: service('a'), valueFilters: new Map(), window};
    const reading = harness.metrics.values(request, callWith(controller.signal));
    controller.abort(reason);
    t.is(await t.throwsAsync(reading), reason);
    t.is(await code(harness.write({samples: [at(1, 2)]})), 'timeout');
    // For a while it may be slow only, because it answered a moment ago.
    t.like(await harness.storage.health(AbortSignal.timeout(200)), {status: 'degraded'});
    await until(async () => (await harness.storage.health(AbortSignal.timeout(200))).status === 'failed');
    relay.heal();
    relay.cut();
    await until(async () => (await code(harness.write({samples: [at(1, 2)]}))) === 'fine');
    t.deepEqual(await read(harness), [1, 2, null]);
  });

  test('a read that is cancelled leaves no statement at the server, and its connection serves the next', async t => {
    const running = await server();
    const database = await running.database();
    const harness = await Harness.open(t, running, {url: running.url(database), connections: 1});
    await harness.write({metrics: [load], samples: [at(0, 1)]});
    const span = {traceId: '1'.padStart(16, '0'), id: '2'.padStart(16, '0'), timestamp: START * 1e6, annotations: []};
    await harness.spans.write([{...span, tags: new Map([['k', 'v']])}], call);
    const idle = async () => (await running.sql(WAITING, [database])).length === 0;
    const window = {from: 0, to: Number.MAX_SAFE_INTEGER};
    const reads: Record<string, (signal: AbortSignal) => Promise<unknown>> = {
      minutes: signal =>
        harness.metrics.values(
          {
            metric: load,
            entity: service('a'),
            valueFilters: new Map(),
            window: {step: 'minute', first: START, count: 3},
          },
          callWith(signal),
        ),
      entities: signal => names(harness.metadata.services({layer: 'L'}, callWith(signal))),
      spans: async signal => {
        for await (const trace of harness.compat.search({filter: [], ...window}, callWith(signal))) void trace;
      },
    };
    for (const [table, start] of Object.entries(reads)) {
      const release = await hold(t, running.url(database), table);
      const controller = new AbortController();
      const reading = start(controller.signal);
      await until(async () => !(await idle()));
      const reason = new Error(`no longer wanted: ${table}`);
      controller.abort(reason);
      t.is(await t.throwsAsync(reading), reason);
      // The table is held still: only a statement that was cancelled can have ended.
      await until(idle);
      await release();
      t.deepEqual(await read(harness), [1, null, null]);
    }
  });

  test('a consumer that stops early gives the connection back', async t => {
    const running = await server();
    const harness = await Harness.open(t, running, {connections: 1});
    const sightings = Array.from({length: 3000}, (_, i) => ({
      scope: 'Service' as const,
      entity: service(`s${i}`),
      time: START,
    }));
    await harness.write({metrics: [load], samples: [at(0, 1)], sightings});
    const spans = Array.from(
      {length: 60},
      (_, i): CompatSpan => ({
        traceId: (i + 1).toString(16).padStart(16, '0'),
        id: '2'.padStart(16, '0'),
        timestamp: START * 1e6 + i,
        annotations: [],
        tags: new Map([['k', 'v']]),
      }),
    );
    await harness.spans.write(spans, call);
    for await (const page of harness.metadata.services({layer: 'L'}, call)) {
      t.true(page.length > 0 && page.length < 3000);
      break;
    }
    for await (const trace of harness.compat.search({filter: [], from: 0, to: START * 1e6 + 1000}, call)) {
      t.is(trace.traceId, '3c'.padStart(16, '0'));
      break;
    }
    t.deepEqual(await read(harness), [1, null, null]);
  });

  test('what finds no free connection in time is refused as overload, and health goes on', async t => {
    const running = await server();
    const url = running.url(await running.database());
    const harness = await Harness.open(t, running, {url, connections: 1, connectTimeout: 5000});
    await harness.write({metrics: [load], samples: [at(0, 1)]});
    const release = await hold(t, url, 'minutes');
    const waiting = read(harness);
    await until(async () => (await running.sql(WAITING, [url.split('/').at(-1)])).length > 0);
    t.is(await code(names(harness.metadata.services({layer: 'L'}, call))), 'overloaded');
    t.like(await health(harness), {status: 'ok'});
    await release();
    t.deepEqual(await waiting, [1, null, null]);
  });

  test('a batch whose connection is ended by the server, or that collides, is stored once all the same', async t => {
    const running = await server();
    const database = await running.database();
    const harness = await Harness.open(t, running, {url: running.url(database)});
    await harness.write({metrics: [load], samples: [at(0, 1)]});
    const release = await hold(t, running.url(database), 'store');
    const writing = harness.write({samples: [at(1, 2)]});
    await until(async () => {
      const [row] = await running.sql(WAITING, [database]);
      return row !== undefined && (await running.sql('SELECT pg_terminate_backend($1)', [row.pid])).length > 0;
    });
    await release();
    await writing;

    await running.sql(
      `SET search_path TO query_gateway; CREATE SEQUENCE tries;
       CREATE FUNCTION collide() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
         IF nextval('query_gateway.tries') < 4 THEN RAISE EXCEPTION 'collided' USING ERRCODE = '40P01'; END IF;
         RETURN NEW;
       END $$;
       CREATE TRIGGER collide BEFORE INSERT ON series FOR EACH ROW EXECUTE FUNCTION collide()`,
      [],
      database,
    );
    await harness.write({samples: [at(2, 3), at(2, 3, 'b')]});
    t.deepEqual(await read(harness), [1, 2, 3]);
    const [sums] = await running.sql(
      'SELECT sum(count)::int AS count, sum(c0 * 1048576 + c1 / 65536) AS sum FROM query_gateway.hours',
      [],
      database,
    );
    t.deepEqual(sums, {count: 4, sum: 9});
  });

  test('every acknowledged sample is there after a crash, and a body sent again is stored once', async t => {
    const own = await startPostgres(t, {durable: true});
    const harness = await Harness.open(t, own);
    await harness.write({metrics: [load]});
    const acknowledged = new Set<number>();
    const batch = (number: number) => Array.from({length: 100}, (_, i) => at(number, number + 1, `s${i}`));
    // Few at once: what comes together is committed together.
    const writers = Array.from({length: 4}, async (_, first) => {
      for (let number = first; number < 60; number += 4) {
        if ((await code(harness.write({samples: batch(number)}))) === 'fine') acknowledged.add(number);
      }
    });
    await until(async () => acknowledged.size > 5);
    await own.crash();
    await Promise.all(writers);
    await own.process.start();
    const stored = await own.sql('SELECT DISTINCT value FROM query_gateway.minutes', [], 'test_1');
    const found = new Set(stored.map(({value}) => Number(value) - 1));
    t.deepEqual(
      [...acknowledged].filter(number => !found.has(number)),
      [],
    );
    t.true(acknowledged.size < 60);

    for (let number = 0; number < 60; number++) await harness.write({samples: batch(number)});
    const [sums] = await own.sql(
      `SELECT (SELECT count(*) FROM query_gateway.minutes)::int AS minutes, sum(count)::int AS counted, sum(c0 * 1048576 + c1 / 65536) AS sum
       FROM query_gateway.days`,
      [],
      'test_1',
    );
    t.deepEqual(sums, {minutes: 6000, counted: 6000, sum: (100 * 60 * 61) / 2});
  });

  test('tables that were made anew while the gateway ran get no ids of the old ones', async t => {
    const running = await server();
    const database = await running.database();
    const config = {url: running.url(database)};
    const harness = await Harness.open(t, running, config);
    const earlier = ['x', 'y', 'a'];
    const [first, other] = [metric('other'), load];
    await harness.write({metrics: [first, other], samples: earlier.map(name => at(0, 1, name))});
    await running.sql('DROP SCHEMA query_gateway CASCADE', [], database);
    t.is(await code(harness.write({samples: [at(0, 2)]})), 'storage_failed');
    const second = await Harness.open(t, running, config);
    await second.write({metrics: [load], samples: [at(0, 5, 'z')]});
    await harness.write({metrics: [load], samples: [at(0, 2), at(1, 3, 'z')]});
    t.deepEqual(await read(second), [2, null, null]);
    t.deepEqual(await read(harness), [2, null, null]);
  });
});

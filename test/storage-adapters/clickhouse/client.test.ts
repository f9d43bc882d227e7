import {once} from 'node:events';
import {createServer, request} from 'node:http';
import type {AddressInfo} from 'node:net';
import {setTimeout as wait} from 'node:timers/promises';
import test from 'ava';
import {GatewayError} from '../../../core/api/adapter.js';
import {ServerError} from '../../../storage-adapters/clickhouse/client/server-error.js';
import {sql} from '../../../storage-adapters/clickhouse/client/sql.js';
import {ask, encode} from '../../support/http.js';
import {ownerOf} from '../../support/owner.js';
import {suiteWith} from '../../support/programs.js';
import {type ClickHouseServer, startClickHouse, USER} from '../../support/servers/clickhouse.js';
import {Relay} from '../../support/servers/relay.js';
import {callWith} from '../support/calls.js';
import {clientOf, Harness} from './harness.js';

const isUnavailable = (problem: unknown): boolean => GatewayError.is(problem) && problem.code === 'storage_unavailable';

test('errors of the server become the codes of the gateway', t => {
  const cases: readonly (readonly [string, string])[] = [
    ['Code: 159, e.displayText() = DB::Exception: Timeout exceeded', 'timeout'],
    ['Code: 241. DB::Exception: Memory limit (for query) exceeded. (MEMORY_LIMIT_EXCEEDED)', 'limit_exceeded'],
    ['Code: 252, e.displayText() = DB::Exception: Too many parts (300)', 'overloaded'],
    ['Code: 202. DB::Exception: Too many simultaneous queries', 'overloaded'],
    ['Code: 279, e.displayText() = DB::NetException: All connection tries failed', 'storage_unavailable'],
    ['Code: 242. DB::Exception: Table is in readonly mode', 'storage_unavailable'],
    ['Code: 243. DB::Exception: Cannot reserve 1.00 MiB, not enough space', 'storage_failed'],
    ['no such thing', 'storage_failed'],
  ];
  for (const [text, code] of cases) t.is(new ServerError(text).toGatewayError('http://host:8123').code, code as never);
});

suiteWith(test, 'clickhouse-server', 'the client of ClickHouse', () => {
  const owner = ownerOf(test);
  let started: Promise<ClickHouseServer> | undefined;
  const server = () => {
    started ??= startClickHouse(owner);
    return started;
  };

  test('urls that lead to something else are told so', async t => {
    const {url, ports} = await server();
    const cases = [
      [url.replace('http:', 'https:'), 'storage_failed', /it does not speak TLS: write http:\/\/ in urls/],
      [`http://127.0.0.1:${ports.tcp}`, 'storage_failed', /is no HTTP interface of a ClickHouse: Port \d+ is for/],
    ] as const;
    for (const [wrong, code, message] of cases) {
      const client = clientOf(t, {urls: [wrong]});
      const asked = () => t.throwsAsync(client.systemRows(sql`SELECT toUInt8(1), toInt64(1)`, row => row.int64()));
      let problem = await asked();
      // A machine with much to do may take longer than a connection is given; that passes by itself.
      for (let tries = 0; tries < 5 && isUnavailable(problem); tries++) problem = await asked();
      t.true(GatewayError.is(problem) && problem.code === code, problem?.message);
      t.regex(problem?.message ?? '', message);
      t.true(problem?.message.includes(wrong), problem?.message);
    }
  });

  test('an error in the middle of an answer is an error, though its status is success', async t => {
    const {url} = await server();
    const rows = sql`SELECT toUInt8(1), toInt64(number + throwIf(number = 2000000)) FROM system.numbers LIMIT 3000000`;
    const plain = await ask(`${url}/?${encode({max_block_size: '1000'})}`, {
      method: 'POST',
      body: `${rows.text} FORMAT RowBinary`,
    });
    t.is(plain.status, 200, 'the server has begun to answer before it fails');
    for (const compression of [false, true]) {
      const client = clientOf(t, {urls: [url], compression});
      client.settings = {max_block_size: 1000};
      const problem = await t.throwsAsync(client.rows(rows, row => row.int64()));
      t.true(GatewayError.is(problem) && problem.code === 'storage_failed', problem?.message);
      t.regex(problem?.message ?? '', /Code: 395.*throwIf/);
    }
  });

  test('large answers and bodies are the same with compression', async t => {
    const {url, query} = await server().then(running => ({url: running.url, query: (q: string) => running.query(q)}));
    await query('CREATE DATABASE compressed');
    await query('CREATE TABLE compressed.t (a String) ENGINE = MergeTree ORDER BY a');
    for (const compression of [false, true]) {
      const client = clientOf(t, {urls: [url], compression, database: 'compressed'});
      client.database = 'compressed';
      const text = 'x'.repeat(1_000_000);
      await client.insert(sql`t (a)`, Buffer.concat([Buffer.of(0xc0, 0x84, 0x3d), Buffer.from(text)]));
      const found = await client.rows(sql`SELECT toUInt8(1), a FROM t`, row => row.string());
      t.true(found.every(each => each === text));
      t.is(found.length, compression ? 2 : 1);
    }
  });

  test('an answer is unzipped however a proxy writes the name of its coding', async t => {
    const {url} = await server();
    for (const coding of ['GZIP', 'X-Gzip']) {
      const proxy = createServer((asked, answer) => {
        const onward = request(new URL(asked.url ?? '/', url), {method: 'POST', headers: asked.headers}, given => {
          t.is(given.headers['content-encoding'], 'gzip');
          answer.writeHead(given.statusCode ?? 0, {'content-encoding': coding});
          given.pipe(answer);
        });
        asked.pipe(onward);
      }).listen(0, '127.0.0.1');
      t.teardown(() => proxy.close());
      await once(proxy, 'listening');
      const {port} = proxy.address() as AddressInfo;
      const client = clientOf(t, {urls: [`http://127.0.0.1:${port}`], compression: true});
      const found = await client.systemRows(sql`SELECT toUInt8(1), toInt64(7)`, row => row.int64());
      t.deepEqual(found.map(Number), [7], coding);
    }
  });

  test('a statement whose caller has gone is stopped at the server', async t => {
    const {url, query} = await server().then(running => ({url: running.url, query: (q: string) => running.query(q)}));
    const client = clientOf(t, {urls: [url]});
    const gone = new AbortController();
    const reason = new GatewayError('cancelled', 'client disconnected');
    const endless = client.rows(
      sql`SELECT toUInt8(1), toInt64(count()) AS endless FROM system.numbers`,
      row => row.int64(),
      gone.signal,
    );
    const running = () =>
      query("SELECT count() FROM system.processes WHERE query LIKE '%AS endless%' AND query NOT LIKE '%processes%'");
    while ((await running()) !== '1\n') await wait(20);
    gone.abort(reason);
    t.is(await t.throwsAsync(endless), reason);
    while ((await running()) !== '0\n') await wait(20);
    t.pass();
  });

  test('a statement takes no longer than the limit of the configuration', async t => {
    const client = clientOf(t, {urls: [(await server()).url], queryTimeout: 1000});
    const problem = await t.throwsAsync(
      client.rows(sql`SELECT toUInt8(1), toInt64(count()) FROM system.numbers`, row => row.int64()),
    );
    t.true(GatewayError.is(problem) && problem.code === 'timeout', problem?.message);
  });

  test('the next endpoint serves while the first does not answer, and the first again when it does', async t => {
    const {ports} = await server();
    const [first, second] = [await Relay.to(t, ports.http), await Relay.to(t, ports.http)];
    const harness = await Harness.start(t, {urls: [first.url, second.url]});
    const layers = () => harness.get('metadata.query.v1').layers(callWith(new AbortController().signal));
    t.deepEqual(await layers(), []);
    t.is(second.connections, 0);
    first.refuse();
    t.deepEqual(await layers(), []);
    t.true(second.connections > 0);
    const health = await harness.storage.health(new AbortController().signal);
    t.is(health.status, 'degraded');
    t.true(health.message?.includes(first.url));
    first.heal();
    while ((await harness.storage.health(new AbortController().signal)).status !== 'ok') await wait(50);
    second.refuse();
    t.deepEqual(await layers(), []);
    first.refuse();
    const problem = await t.throwsAsync(layers());
    t.true(GatewayError.is(problem) && problem.code === 'storage_unavailable', problem?.message);
    t.is((await harness.storage.health(new AbortController().signal)).status, 'failed');
  });

  test('a server that has answered a moment ago and is slow to tell its health is degraded, not down', async t => {
    const relay = await Relay.to(t, (await server()).ports.http);
    const harness = await Harness.start(t, {urls: [relay.url]});
    relay.slow(600_000);
    const health = await harness.storage.health(new AbortController().signal);
    t.is(health.status, 'degraded');
    t.regex(health.message ?? '', /is slow: it answers/);
  });

  test('a user with a password is let in, and a wrong password is told without saying it', async t => {
    const {url} = await server();
    await Harness.start(t, {urls: [url], ...USER});
    const harness = new Harness({urls: [url], username: USER.username, password: 'wrong-secret'});
    t.teardown(() => harness.storage.stop());
    const problem = await t.throwsAsync(harness.start());
    t.true(GatewayError.is(problem) && problem.code === 'storage_failed');
    t.regex(problem?.message ?? '', /refuses the user "dashboard": check username and password/);
    t.false(JSON.stringify([problem?.message, String(problem?.cause)]).includes('wrong-secret'));
  });
});

import test from 'ava';
import {ask} from '../http.js';
import {suiteWith} from '../programs.js';
import {startClickHouse} from './clickhouse.js';
import {CLUSTER, startCluster} from './cluster.js';
import {Relay} from './relay.js';

suiteWith(test, 'clickhouse-server', 'a ClickHouse server', () => {
  test('a ClickHouse server keeps its data over a stop and a crash', async t => {
    const server = await startClickHouse(t);
    await server.query('CREATE TABLE t (a UInt32) ENGINE = MergeTree ORDER BY a');
    await server.query('INSERT INTO t VALUES (1), (2)');
    await server.process.stop();
    await t.throwsAsync(server.query('SELECT 1'));
    await server.process.start();
    t.is(await server.query('SELECT sum(a) FROM t'), '3\n');
    await server.process.kill();
    await server.process.start();
    t.is(await server.query('SELECT sum(a) FROM t'), '3\n');
  });

  test('a halted ClickHouse server answers when it goes on', async t => {
    const server = await startClickHouse(t);
    server.process.pause();
    const answer = server.query('SELECT 1');
    t.is(await Promise.race([answer, new Promise(resolve => setTimeout(resolve, 300, 'nothing'))]), 'nothing');
    server.process.resume();
    t.is(await answer, '1\n');
  });

  test('a relay passes everything on, and breaks connections when told', async t => {
    const server = await startClickHouse(t);
    const relay = await Relay.to(t, server.ports.http);
    const large = `${relay.url}/?query=SELECT+number+FROM+system.numbers+LIMIT+200000`;
    const whole = (await ask(large)).text;
    t.is(whole.split('\n').length, 200_001);
    relay.cutAfter(100_000);
    await t.throwsAsync(ask(large));
    relay.refuse();
    await t.throwsAsync(ask(`${relay.url}/ping`));
    relay.heal();
    t.is((await ask(large)).text, whole);
  });
});

suiteWith(test, ['clickhouse-server', 'zookeeper'], 'a ClickHouse cluster', () => {
  test('a ClickHouse cluster replicates within a shard and reads over both', async t => {
    const {shards, urls} = await startCluster(t);
    t.is(urls.length, 4);
    const [[first, second] = [], [third] = []] = shards;
    const table = "ENGINE = ReplicatedMergeTree('/t/{shard}', '{replica}') ORDER BY a";
    await first?.query(`CREATE TABLE t ON CLUSTER ${CLUSTER} (a UInt32) ${table}`);
    await first?.query(
      `CREATE TABLE d ON CLUSTER ${CLUSTER} (a UInt32) ENGINE = Distributed(${CLUSTER}, default, t, a)`,
    );
    await first?.query('INSERT INTO d SELECT number FROM system.numbers LIMIT 1000', {insert_distributed_sync: 1});
    await second?.query('SYSTEM SYNC REPLICA t');
    t.is(await second?.query('SELECT count() FROM t'), '500\n');
    t.is(await third?.query('SELECT count(), sum(a) FROM d'), '1000\t499500\n');
  });
});

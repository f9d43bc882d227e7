import {once} from 'node:events';
import {setTimeout as sleep} from 'node:timers/promises';
import type {Owner} from '../gateway.js';
import {type ClickHousePorts, type ClickHouseServer, clickHousePorts, prepareClickHouse} from './clickhouse.js';
import {listenOn} from './ports.js';
import {startZooKeeper, type ZooKeeper} from './zookeeper.js';

export const CLUSTER = 'gateway';
const SHARDS = 2;
const REPLICAS = 2;
const DDL_QUEUE = '/clickhouse/task_queue/ddl';
/** Whoever listens here has the machine for its cluster: five servers are as many as two cores bear. */
const TURN = 9_997;

export interface ClickHouseCluster {
  readonly zookeeper: ZooKeeper;
  /** By shard, then by replica. */
  readonly shards: readonly (readonly ClickHouseServer[])[];
  /** The addresses of all of them. */
  readonly urls: readonly string[];
}

/** Two shards of two replicas and their ZooKeeper, all on loopback; waits until no other cluster runs on this machine. */
export async function startCluster(t: Owner): Promise<ClickHouseCluster> {
  await takeTurn(t);
  const zookeeper = await startZooKeeper(t);
  const ports: ClickHousePorts[][] = [];
  for (let shard = 0; shard < SHARDS; shard++) {
    ports.push(await Promise.all(Array.from({length: REPLICAS}, clickHousePorts)));
  }
  const shards = await Promise.all(
    ports.map((replicas, shard) =>
      Promise.all(
        replicas.map((own, replica) =>
          prepareClickHouse(t, {
            ports: own,
            config: clusterConfig(ports, zookeeper.port, shard, replica),
            // More threads for small queries take more of the two cores than they save.
            settings: {max_threads: 1},
          }),
        ),
      ),
    ),
  );
  await Promise.all(shards.flat().map(({process}) => process.start()));
  // A server of 18.16 dies of an ON CLUSTER statement that comes before its worker has found ZooKeeper and watches there.
  while ((await zookeeper.watches().catch(() => 0)) < SHARDS * REPLICAS) await sleep(50);
  return {zookeeper, shards, urls: shards.flat().map(({url}) => url)};
}

async function takeTurn(t: Owner): Promise<void> {
  for (;;) {
    const turn = await listenOn(TURN);
    if (turn !== undefined) {
      t.teardown(() => once(turn.close(), 'close'));
      return;
    }
    await sleep(200);
  }
}

function clusterConfig(
  ports: readonly (readonly ClickHousePorts[])[],
  zookeeper: number,
  shard: number,
  replica: number,
): string {
  const shards = ports.map(replicas => {
    const members = replicas.map(({tcp}) => `<replica><host>127.0.0.1</host><port>${tcp}</port></replica>`);
    return `<shard><internal_replication>true</internal_replication>${members.join('')}</shard>`;
  });
  return `<remote_servers incl="none"><${CLUSTER}>${shards.join('')}</${CLUSTER}></remote_servers>
  <zookeeper incl="none">
    <node><host>127.0.0.1</host><port>${zookeeper}</port></node>
    <session_timeout_ms>10000</session_timeout_ms>
  </zookeeper>
  <macros incl="none"><shard>${shard + 1}</shard><replica>${shard + 1}-${replica + 1}</replica></macros>
  <distributed_ddl><path>${DDL_QUEUE}</path></distributed_ddl>`;
}

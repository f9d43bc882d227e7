import test from 'ava';
import {suiteWith} from '../../support/programs.js';
import {CLUSTER, startCluster} from '../../support/servers/cluster.js';
import {Scene} from '../faults/scene.js';
import {writeUntilAcknowledged} from '../faults/test-faults.js';
import {ALL_WRITES} from '../faults/writes.js';
import {ReadingLoad} from './reading-load.js';

/** What is stored before the fault; the rest is written while it lasts. */
const STORED = 40;

for (const [what, shard, replica] of [
  ['the replica that is asked first', 0, 0],
  ['a replica of the other shard', 1, 0],
] as const) {
  suiteWith(test, ['clickhouse-server', 'zookeeper'], `the death of ${what}`, () => {
    test.serial(`${what} dies amid queries: no answer is wrong, and only requests under way may fail`, async t => {
      const cluster = await startCluster(t);
      const scene = await Scene.start(t, {
        use: 'clickhouse',
        config: {urls: cluster.urls, database: 'gateway', cluster: CLUSTER},
      });
      await scene.writeAll(ALL_WRITES.slice(0, STORED));
      const load = new ReadingLoad(scene, STORED);
      await load.goOn(50);
      const {process} = cluster.shards[shard]?.[replica] ?? t.fail('no such replica');
      await process.kill();
      const died = performance.now();
      await load.goOn(50);
      await Promise.all(ALL_WRITES.slice(STORED).map(write => writeUntilAcknowledged(scene, write)));
      await scene.verify(t);
      await process.start();
      for (let i = 0; i < 4; i++) {
        await load.goOn(20);
        await scene.verify(t);
      }
      await load.stop();

      const failed = load.readings.filter(({problem}) => problem !== undefined);
      const wrong = failed.filter(({isError}) => !isError);
      t.deepEqual(wrong, [], 'no answer is wrong');
      t.deepEqual(
        failed.filter(({begun}) => begun > died),
        [],
        'what begins after the death is answered',
      );
    });
  });
}

import type {TestFn} from 'ava';
import {GatewayError} from '../../../core/api/adapter.js';
import {CLUSTER, type ClickHouseCluster} from '../../support/servers/cluster.js';
import {Scene} from '../faults/scene.js';
import {writeUntilAcknowledged} from '../faults/test-faults.js';
import {ALL_WRITES} from '../faults/writes.js';
import {metric} from '../support/batches.js';
import {call} from '../support/calls.js';
import {Harness} from './harness.js';
import {ReadingLoad} from './reading-load.js';

/** What is stored before the fault; the rest is written while it lasts. */
const STORED = 40;
const LONG = 600_000;

/** The death of replicas. What dies is there again at the end of each test. */
export function testReplicaFaults(test: TestFn, cluster: () => Promise<ClickHouseCluster>): void {
  for (const [what, shard, replica, database] of [
    ['the replica that is asked first', 0, 0, 'first'],
    ['a replica of the other shard', 1, 0, 'other'],
  ] as const) {
    test.serial(`${what} dies amid queries: no answer is wrong, and only requests under way may fail`, async t => {
      t.timeout(LONG);
      const {urls, shards} = await cluster();
      const scene = await Scene.start(t, {use: 'clickhouse', config: {urls, database, cluster: CLUSTER}});
      await scene.writeAll(ALL_WRITES.slice(0, STORED));
      const load = new ReadingLoad(scene, STORED);
      await load.goOn(50);
      const {process} = shards[shard]?.[replica] ?? t.fail('no such replica');
      // Some of these end before it dies, and all readers are at work when it does.
      const amid = load.goOn(60);
      await process.kill();
      const died = performance.now();
      await amid;
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
  }

  test.serial('a dead replica is named where tables are made, and told of where writes go on without it', async t => {
    t.timeout(LONG);
    const {urls, shards} = await cluster();
    const {process, ports} = shards[1]?.[1] ?? t.fail('no such replica');
    const options = {urls, cluster: CLUSTER};
    const complete = await Harness.start(t, options);
    const strict = await Harness.start(t, {...options, database: complete.database, insertQuorum: 2});
    await process.kill();

    const late = new Harness({...options, queryTimeout: 2000});
    t.teardown(() => late.storage.stop());
    const problem = await t.throwsAsync(late.start());
    t.true(GatewayError.is(problem) && problem.code === 'storage_unavailable', problem?.message);
    t.regex(
      problem?.message ?? '',
      new RegExp(`cluster "gateway": 127\\.0\\.0\\.1:${ports.tcp} did not answer within 2 s`),
    );

    // So many that both shards have some.
    const metrics = (round: number) => Array.from({length: 20}, (_, i) => metric(`m_${round}_${i}`));
    await complete.write({metrics: metrics(0)});
    const {status, message} = await complete.storage.health(call.signal);
    t.deepEqual([status, /writes are acknowledged without a replica/.test(message ?? '')], ['degraded', true], message);
    const refused = await t.throwsAsync(strict.write({metrics: metrics(1)}));
    t.true(GatewayError.is(refused) && refused.code === 'storage_unavailable', refused?.message);

    await process.start();
    for (let round = 2; (await complete.storage.health(call.signal)).status !== 'ok'; round++) {
      await complete.write({metrics: metrics(round)});
    }
    await strict.write({metrics: metrics(1)});
    await Harness.start(t, {...options, database: late.database});
  });
}

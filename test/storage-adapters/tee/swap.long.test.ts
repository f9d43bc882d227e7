import test from 'ava';
import {constantOf} from '../../core/host/reload-records.js';
import {ReloadScene} from '../../core/host/reload-scene.js';
import {suiteWith} from '../../support/programs.js';
import {startClickHouse} from '../../support/servers/clickhouse.js';
import {embedded, tee} from './scene.js';

const CLIENTS = 8;
/** How many requests are answered between two reloads, at least. */
const BETWEEN = 50;

suiteWith(test, 'clickhouse-server', 'a swap by a tee', () => {
  test('embedded gives way to a tee, and that to ClickHouse, under load without a request that fails or a write that is lost', async t => {
    const {url} = await startClickHouse(t);
    const clickhouse = {use: 'clickhouse', config: {urls: [url], database: 'gateway'}};
    const storages = [embedded('./a'), tee(embedded('./a'), clickhouse), clickhouse];
    // All of them have the same to answer.
    const scene = await ReloadScene.start(t, storages, () => 0);
    const load = scene.load(CLIENTS, [constantOf(0)]);
    load.settled(constantOf(0));
    await load.more(BETWEEN);
    await scene.reload(1);
    // What was written before is in the first storage alone, and so may be what was on its way: a copy would bring it over.
    const before = new Map(load.written);
    await load.more(BETWEEN);
    await scene.reload(2);
    await load.more(BETWEEN);
    await load.stop();
    t.deepEqual([load.failures.length, load.failures.slice(0, 5)], [0, []]);
    t.deepEqual([load.wrong.length, load.wrong.slice(0, 5)], [0, []]);
    for (const [service, count] of load.written) {
      const first = (before.get(service) ?? 0) + 1;
      t.true(count > first, service);
      const kept = await scene.kept(service, count);
      const lost = Array.from({length: count - first}, (_, i) => first + 1 + i).filter(value => !kept.has(value));
      t.deepEqual(lost, [], service);
    }
    t.deepEqual(
      scene.gateway.log.filter(({level}) => level === 'error'),
      [],
    );
    t.is(await scene.gateway.stop(), 0);
  });
});

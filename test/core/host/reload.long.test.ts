import test, {type ExecutionContext} from 'ava';
import {suiteWith} from '../../support/programs.js';
import {startClickHouse} from '../../support/servers/clickhouse.js';
import {startPostgres} from '../../support/servers/postgres.js';
import type {ReloadLoad} from './reload-load.js';
import {constantOf} from './reload-records.js';
import {FIRST_STATES, PARTS, ReloadScene} from './reload-scene.js';

/** How many reloads are made; by hand also 100. */
const RELOADS = Number(process.env.RELOADS ?? 10);
const CLIENTS = 32;
/** Servers of other projects share the machine with the test. */
const FEW_CLIENTS = 8;
/** How many requests are answered between two reloads, at least. */
const BETWEEN = 50;

const embedded = (path: string) => ({use: 'embedded', config: {path}});

/** No request has failed, none was answered by two storages, and all that was acknowledged is in one of them. */
async function judge(t: ExecutionContext, scene: ReloadScene, load: ReloadLoad): Promise<void> {
  t.deepEqual([load.failures.length, load.failures.slice(0, 5)], [0, []]);
  t.deepEqual([load.wrong.length, load.wrong.slice(0, 5)], [0, []]);
  t.true(load.answers.size > 1);
  const lost = new Map([...load.written].map(([service, count]) => [service, new Set(numbersTo(count))]));
  for (const n of [0, 1]) {
    await scene.reload(n);
    for (const [service, missing] of lost) {
      for (const value of await scene.kept(service, load.written.get(service) ?? 0)) missing.delete(value);
    }
  }
  t.deepEqual(
    [...lost].flatMap(([service, missing]) => [...missing].map(value => `${service} ${value}`)).slice(0, 5),
    [],
  );
  const problems = scene.gateway.log.filter(({level}) => level === 'error');
  t.deepEqual(problems, []);
  t.is(await scene.gateway.stop(), 0);
}

const numbersTo = (count: number): readonly number[] => Array.from({length: count}, (_, n) => n + 1);

const figures = ({answers, requests}: ReloadLoad): string =>
  `${requests} requests; answers: ${[...answers].map(([constant, count]) => `${constant} × ${count}`).join(', ')}`;

test('reloads that change everything in turns fail no request of many connections', async t => {
  const scene = await ReloadScene.start(t, [embedded('./a'), embedded('./b')]);
  const load = scene.load(CLIENTS);
  let states = FIRST_STATES;
  for (let round = 1; round <= RELOADS; round++) {
    const part = PARTS[round % PARTS.length] ?? 'plugin';
    states = {...states, [part]: 1 - states[part]};
    load.unsettled();
    await scene.reload(round % 2, states);
    load.settled(constantOf(round % 2));
    await scene.shows(states);
    await load.more(BETWEEN);
  }
  await load.stop();
  t.log(`${RELOADS} reloads, ${figures(load)}`);
  await judge(t, scene, load);
});

interface Swap {
  readonly from: string;
  readonly needs: Parameters<typeof suiteWith>[1];
  readonly storage: (t: ExecutionContext) => Promise<object>;
}

const SWAPS: readonly Swap[] = [
  {from: 'embedded', needs: 'clickhouse-server', storage: async () => embedded('./a')},
  {
    from: 'PostgreSQL',
    needs: ['postgres', 'clickhouse-server'],
    storage: async t => ({use: 'postgres', config: {url: (await startPostgres(t)).url()}}),
  },
];

for (const {from, needs, storage} of SWAPS) {
  const title = `${from} is swapped for ClickHouse and back under load without a request that fails`;
  suiteWith(test, needs, title, () => {
    test.serial(title, async t => {
      const {url} = await startClickHouse(t);
      const clickhouse = {use: 'clickhouse', config: {urls: [url], database: 'gateway'}};
      const scene = await ReloadScene.start(t, [await storage(t), clickhouse]);
      const load = scene.load(FEW_CLIENTS);
      load.settled(constantOf(0));
      for (const to of [1, 0, 1]) {
        await load.more(BETWEEN);
        load.unsettled();
        await scene.reload(to);
        load.settled(constantOf(to));
      }
      await load.more(BETWEEN);
      await load.stop();
      t.log(figures(load));
      await judge(t, scene, load);
    });
  });
}

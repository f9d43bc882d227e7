import {readFile, writeFile} from 'node:fs/promises';
import {join} from 'node:path';
import test, {type ExecutionContext} from 'ava';
import {CLI, type RunningGateway, runNode, scratchFolder, startGateway} from '../../support/gateway.js';
import {ask, get} from '../../support/http.js';
import {suiteWith} from '../../support/programs.js';
import {type Backend, EMBEDDED, OTHERS} from '../gateways.js';
import {bodyOf, HISTORY, HOURS, LIVE, METRIC, RecipeLoad, type RecipeRate} from './load.js';

/** What goes on meanwhile. Without pauses the clients would take the most of what the copy and the rehearsal need. */
const RATE: RecipeRate = {
  clients: Number(process.env.RECIPE_CLIENTS ?? 8),
  pause: Number(process.env.RECIPE_PAUSE ?? 50),
  samples: Number(process.env.RECIPE_SAMPLES ?? 1000),
};

const SERVICES = 100;
const BETWEEN = 200;
const ADDRESS = {host: '127.0.0.1', port: 0};

const backend = (name: string): Backend => OTHERS.find(other => other.name === name) ?? EMBEDDED;
const PAIRS: readonly (readonly [from: string, to: string])[] = [
  ['embedded', 'ClickHouse'],
  ['PostgreSQL', 'ClickHouse'],
  ['ClickHouse', 'embedded'],
];

/** A gateway whose storage is swapped, and the three configurations of the recipe. */
class Recipe {
  readonly #t: ExecutionContext;
  readonly #folder: string;
  readonly gateway: RunningGateway;

  private constructor(t: ExecutionContext, gateway: RunningGateway) {
    this.#t = t;
    this.#folder = gateway.folder;
    this.gateway = gateway;
  }

  static async start(t: ExecutionContext, storage: object): Promise<Recipe> {
    const folder = await scratchFolder(t);
    return new Recipe(t, await startGateway(t, {config: Recipe.#config(storage), folder}));
  }

  async reload(storage: object, more: object = {}): Promise<void> {
    await writeFile(join(this.#folder, 'gateway.config.json'), JSON.stringify(Recipe.#config(storage, more)));
    const {status, text} = await ask(`${this.gateway.urls.admin}/-/reload`, {method: 'POST'});
    this.#t.is(status, 200, text);
  }

  /** The configuration of a command: it names the admin listener, which does the work where the folder is open. */
  async file(name: string, storage: object): Promise<void> {
    const port = Number(new URL(this.gateway.urls.admin ?? '').port);
    const config = Recipe.#config(storage, {}, {...ADDRESS, port});
    await writeFile(join(this.#folder, name), JSON.stringify(config));
  }

  async command(...words: readonly string[]): Promise<void> {
    const run = runNode(this.#t, [CLI, ...words], this.#folder);
    this.#t.is(await run.exit, 0, [...run.stdout, ...run.stderr].join('\n'));
  }

  async send(path: string, body: string): Promise<void> {
    const {status, text} = await ask(`${this.gateway.urls.ingest}${path}`, {method: 'POST', body});
    this.#t.true(status < 300, text);
  }

  static #config(storage: object, more: object = {}, admin: object = ADDRESS): object {
    return {
      logLevel: 'warn',
      startTimeout: '30s',
      listeners: {admin, metrics: ADDRESS, traces: ADDRESS, ingest: ADDRESS},
      limits: {queryTimeout: '30s'},
      storage,
      plugins: [
        {use: 'promql-subset', listener: 'metrics'},
        {use: 'traceql-compat', listener: 'traces', enabled: true},
        {use: 'ingest', listener: 'ingest'},
      ],
      ...more,
    };
  }
}

const declared = JSON.stringify({record: 'metric', name: METRIC, scope: 'Service', kind: 'common'});
const spans = Array.from({length: 300}, (_, i) => ({
  traceId: (i + 1).toString(16).padStart(16, '0'),
  id: '1111111111111111',
  name: 'get',
  timestamp: (HISTORY + i) * 1_000_000,
  duration: 1000 + i,
  localEndpoint: {serviceName: `s${i % 10}`},
}));

for (const [from, to] of PAIRS) {
  const [old, next] = [backend(from), backend(to)];
  suiteWith(test, [...old.needs, ...next.needs], `the recipe from ${from} to ${to}`, () => {
    test.serial(
      `${from} gives way to ${to} by the recipe: nothing fails, nothing differs, nothing is lost`,
      async t => {
        const [before, after] = [await old.storage(t), await next.storage(t)];
        const recipe = await Recipe.start(t, before);
        await recipe.file('old.json', before);
        await recipe.file('new.json', after);
        await recipe.send('/ingest/v1/metrics', declared);
        for (let minute = 0; minute < HOURS * 60; minute++) {
          await recipe.send('/ingest/v1/metrics', bodyOf(minute, SERVICES, HISTORY));
        }
        await recipe.send('/api/v2/spans', JSON.stringify(spans));

        const load = new RecipeLoad(recipe.gateway.urls, RATE);
        t.teardown(() => load.stop());
        await recipe.reload(before, {record: {file: './traffic.ndjson'}});
        await load.more(BETWEEN);
        await recipe.reload({use: 'tee', config: {primary: before, secondary: after}});
        await load.more(BETWEEN);
        await recipe.command('copy', '--from', 'old.json', '--to', 'new.json');
        await recipe.command('copy', '--from', 'old.json', '--to', 'new.json', '--verify', '--until', `${LIVE}`);
        const report = ['--report', 'report.json', '--skip-recent', '0s'];
        await recipe.command(
          'rehearse',
          '--traffic',
          'traffic.ndjson',
          '--old',
          'old.json',
          '--new',
          'new.json',
          ...report,
        );
        await recipe.reload({use: 'tee', config: {primary: after, secondary: before}});
        await load.more(BETWEEN);
        await recipe.reload(after);
        await load.more(BETWEEN);
        await load.stop();

        t.deepEqual([load.failures.length, load.failures.slice(0, 5)], [0, []]);
        const {counts} = JSON.parse(await readFile(join(recipe.gateway.folder, 'report.json'), 'utf8')) as {
          readonly counts: Readonly<Record<string, number>>;
        };
        t.deepEqual([counts.differs, counts.error, (counts.equal ?? 0) > 0], [0, 0, true], JSON.stringify(counts));
        t.log(
          `${load.answered} requests, ${load.acknowledged.length} bodies, ${Math.round(load.rate)} samples/s`,
          counts,
        );
        t.deepEqual(await lost(recipe.gateway, load.acknowledged), []);
        t.is(await recipe.gateway.stop(), 0);
      },
    );
  });
}

/** Acknowledged minutes that a service has no value of, or another one. */
async function lost({urls}: RunningGateway, acknowledged: readonly number[]): Promise<readonly number[]> {
  const kept = new Set<number>();
  const query = `${METRIC}{layer='GENERAL',service='s3'}`;
  for (let first = 0; first <= Math.max(0, ...acknowledged); first += 60) {
    const window = {start: `${LIVE + first * 60}`, end: `${LIVE + (first + 59) * 60}`, step: '60'};
    const answer = await get(`${urls.metrics}/api/v1/query_range`, {query, ...window});
    const {data} = answer.json<{data: {result: {values: [number, string][]}[]}}>();
    for (const {values} of data.result) {
      for (const [time, value] of values) if (Number(value) === (time - LIVE) / 60 + 3) kept.add((time - LIVE) / 60);
    }
  }
  return acknowledged.filter(minute => !kept.has(minute));
}

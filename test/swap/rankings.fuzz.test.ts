import {isDeepStrictEqual} from 'node:util';
import test, {type ExecutionContext} from 'ava';
import fc from 'fast-check';
import {STEP_SECONDS, type Step} from '../../core/api/adapter.js';
import {Random} from '../../storage-adapters/conformance/random/random.js';
import {Harness as ClickHouse} from '../storage-adapters/clickhouse/harness.js';
import {Harness as Embedded, temporaryFolder} from '../storage-adapters/embedded/harness.js';
import {Harness as Postgres} from '../storage-adapters/postgres/harness.js';
import {metric, type Sample} from '../storage-adapters/support/batches.js';
import {call} from '../storage-adapters/support/calls.js';
import {Model} from '../storage-adapters/support/metric-model.js';
import type {StorageHarness} from '../storage-adapters/support/storage-harness.js';
import {FUZZ_RUNS, holdsFor} from '../support/fuzz.js';
import {testWith} from '../support/programs.js';
import {startClickHouse} from '../support/servers/clickhouse.js';
import {startPostgres} from '../support/servers/postgres.js';

/** Each run is a history of up to 1,000 entities in three storages, so there are fewer of them; all of them when asked. */
const EFFORT = {runs: FUZZ_RUNS > 2000 ? FUZZ_RUNS / 10 : 20, milliseconds: FUZZ_RUNS > 2000 ? 3_600_000 : 60_000};
const DAY = 86_400;
const START = DAY * Math.floor(1_700_000_000 / DAY);
/** With so many entities, the model answers too: it calculates with fractions. */
const FEW = 40;

const value = fc.oneof(
  {weight: 4, arbitrary: fc.integer({min: -100, max: 100_000})},
  {weight: 4, arbitrary: fc.integer({min: 0, max: 100_000}).map(n => n / 1000)},
  {weight: 2, arbitrary: fc.double({noNaN: true, min: -1e6, max: 1e6})},
  {weight: 1, arbitrary: fc.double({noNaN: true, noDefaultInfinity: true})},
  {weight: 1, arbitrary: fc.constantFrom(2 ** 53, -(2 ** 60), 1e16, -1e16, 1.7e308, -1.6e308, 5e-324, -0)},
);

/** The values that each entity has in an order of its own, at minutes of two days. */
const history = fc.record({
  rollup: fc.constantFrom('avg', 'avg', 'sum'),
  entities: fc.constantFrom(FEW, FEW, 200, 1000),
  values: fc.array(value, {minLength: 1, maxLength: 7}),
  minutes: fc.uniqueArray(fc.oneof(fc.nat(2879), fc.integer({min: 50, max: 70})), {minLength: 7, maxLength: 7}),
  /** Of how many entities in ten one value is the next double. */
  nearly: fc.nat(5),
  seed: fc.nat(),
});
type History = typeof history extends fc.Arbitrary<infer Value> ? Value : never;

function samplesOf({entities, values, minutes, nearly}: History, name: string, random: Random): Sample[] {
  return Array.from({length: entities}, (_, i): Sample[] => {
    const own = shuffled(values, random);
    if (random.below(10) < nearly) own[0] = Math.min((own[0] ?? 0) * (1 + Number.EPSILON), Number.MAX_VALUE);
    const times = shuffled(minutes, random);
    const entity = {layer: 'L', service: `s${i % 3}`, endpoint: `e${String(i).padStart(4, '0')}`};
    return own.map((one, j) => ({metric: name, entity, time: START + (times[j] ?? 0) * 60, value: one}));
  }).flat();
}

function shuffled<Item>(items: readonly Item[], random: Random): Item[] {
  const rest = [...items];
  for (let i = rest.length - 1; i > 0; i--) {
    const j = random.below(i + 1);
    [rest[i], rest[j]] = [rest[j] as Item, rest[i] as Item];
  }
  return rest;
}

/** A storage, and what moves its rows about without changing what they say. */
interface Backend {
  readonly name: string;
  readonly harness: StorageHarness;
  readonly stir: () => Promise<unknown>;
}

async function backends(t: ExecutionContext): Promise<readonly Backend[]> {
  const [clickHouse, postgres] = await Promise.all([startClickHouse(t), startPostgres(t)]);
  const database = await postgres.database();
  const embedded = await Embedded.open({path: await temporaryFolder(t)});
  const other = await ClickHouse.start(t, {urls: [clickHouse.url]});
  const third = await Postgres.open(t, postgres, {url: postgres.url(database)});
  return [
    {name: 'embedded', harness: embedded, stir: () => embedded.restart()},
    {
      name: 'clickhouse',
      harness: other,
      stir: () => clickHouse.query(`OPTIMIZE TABLE ${other.database}.minutes`),
    },
    {
      name: 'postgres',
      harness: third,
      stir: async () => {
        const [found] = await postgres.sql(
          "SELECT min(relid::regclass::text) AS name FROM pg_stat_user_tables WHERE relname LIKE 'hours\\_%'",
          [],
          database,
        );
        const table = String(found?.name);
        await postgres.sql(`CLUSTER ${table} USING ${table.split('.').at(-1)}_pkey`, [], database);
        await third.restart();
      },
    },
  ];
}

testWith(
  test,
  ['clickhouse-server', 'postgres'],
  'any history of tied and nearly tied means is ranked the same by every storage, at any time',
  async t => {
    const all = await backends(t);
    let number = 0;
    await holdsFor(history, EFFORT, async one => {
      const random = new Random(one.seed);
      const definition = metric(`r${number++}`, {scope: 'Endpoint', rollup: one.rollup as 'avg' | 'sum'});
      const samples = samplesOf(one, definition.name, random);
      const model = one.entities <= FEW ? new Model() : undefined;
      model?.declare([definition]);
      model?.write(samples);
      await Promise.all(
        all.map(async ({harness, stir}) => {
          const own = new Random(random.below(2 ** 30));
          const mixed = shuffled(samples, own);
          await harness.write({metrics: [definition]});
          const size = Math.ceil(mixed.length / own.between(1, 4));
          for (let from = 0; from < mixed.length; from += size)
            await harness.write({samples: mixed.slice(from, from + size)});
          if (own.once(2)) await harness.write({samples: shuffled(mixed, own).slice(0, own.between(1, mixed.length))});
          if (own.once(8)) await stir();
        }),
      );
      for (const step of ['minute', 'hour', 'day'] as const) await compare(t, all, model, definition, step, random);
    });
    t.log(`${number} histories`);
    t.pass();
  },
);

async function compare(
  t: ExecutionContext,
  all: readonly Backend[],
  model: Model | undefined,
  definition: ReturnType<typeof metric>,
  step: Step,
  random: Random,
): Promise<void> {
  const window = {step, first: START, count: (2 * DAY) / STEP_SECONDS[step]};
  const parent = random.once(3) ? {parentService: 's1'} : {};
  for (const order of ['ASC', 'DES'] as const) {
    const request = {metric: definition, layer: 'L', order, limit: random.of([1, 5, 7, 100, 2000]), window, ...parent};
    const [first, ...others] = await Promise.all(all.map(({harness}) => harness.metrics.ranking(request, call)));
    const what = `${definition.name} ${definition.rollup} ${order} ${request.limit} by ${step}s`;
    if (model !== undefined) same(t, first, model.ranking(request), `embedded: ${what}`);
    for (const [i, other] of others.entries()) same(t, other, first, `${all[i + 1]?.name}: ${what}`);
    const entity = {layer: 'L', service: 's1', endpoint: 'e0001'};
    const read = await Promise.all(
      all.map(({harness}) =>
        harness.metrics.values({metric: definition, entity, valueFilters: new Map(), window}, call),
      ),
    );
    for (const [i, columns] of read.entries())
      same(t, plain(columns[0]), plain(read[0]?.[0]), `${all[i]?.name}: values, ${what}`);
  }
}

function plain(
  column: {values: Float64Array; present: Uint8Array} | undefined,
): readonly (number | null)[] | undefined {
  return column && Array.from(column.values, (one, i) => (column.present[i] === 1 ? one : null));
}

function same(t: ExecutionContext, actual: unknown, expected: unknown, what: string): void {
  if (isDeepStrictEqual(actual, expected)) return;
  t.deepEqual(actual, expected, what);
  throw new Error(what);
}

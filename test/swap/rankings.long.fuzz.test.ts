import {AssertionError, deepStrictEqual} from 'node:assert';
import test from 'ava';
import fc from 'fast-check';
import {type MetricDefinition, type RankingRequest, STEP_SECONDS, type Step} from '../../core/api/adapter.js';
import {Random} from '../../storage-adapters/conformance/random/random.js';
import type {SampleInput} from '../storage-adapters/support/batches.js';
import {call} from '../storage-adapters/support/calls.js';
import {startOracle} from '../storage-adapters/support/oracle.js';
import {FUZZ_RUNS, holdsFor} from '../support/fuzz.js';
import {testWith} from '../support/programs.js';
import {
  definitionOf,
  endpoint,
  HISTORY_DAYS,
  HISTORY_START,
  type RankingHistory,
  rankingHistory,
  samplesOf,
  shuffled,
} from './ranking-histories.js';
import {type RankingStorage, RankingStorages} from './ranking-storages.js';

/** Histories that are written together, so that bodies and new starts are shared by them. */
const MOST_TOGETHER = 24;
const LONG = FUZZ_RUNS > 2000;
/** About so many histories, twelve a round. */
const HISTORIES = LONG ? FUZZ_RUNS / 10 : 60;
const EFFORT = {runs: Math.ceil(HISTORIES / (MOST_TOGETHER / 2)), milliseconds: LONG ? 3_600_000 : 20_000};
/** Of no more entities, the oracle answers too: it calculates with fractions. */
const FEW = 100;

const round = fc.record({
  histories: fc.array(rankingHistory, {minLength: 1, maxLength: MOST_TOGETHER, size: 'max'}),
  seed: fc.nat(),
});

/** A history that has a metric. */
interface Told {
  readonly history: RankingHistory;
  readonly definition: MetricDefinition;
  readonly samples: readonly SampleInput[];
  /** Where it stands in its round, and what it is, for messages. */
  readonly what: string;
}

testWith(
  test,
  ['clickhouse-server', 'postgres'],
  'any history of tied and nearly tied means is ranked the same by every storage, at any time',
  async t => {
    const storages = await RankingStorages.start(t);
    let number = 0;
    await holdsFor(round, EFFORT, async ({histories, seed}) => {
      const all = await storages.for(histories.length);
      const told = histories.map((history, i): Told => {
        const definition = definitionOf(history, `r${number++}`);
        const what = `history ${i} (${definition.name}, ${history.rollup}, ${history.entities} entities)`;
        return {history, definition, samples: samplesOf(history, definition.name), what};
      });
      const random = new Random(seed);
      await Promise.all(all.map(storage => write(storage, told, new Random(random.below(2 ** 30)))));
      await Promise.all(told.map(one => compare(all, one)));
    });
    t.log(`${number} histories`);
    t.true(number > 0);
  },
);

/** Writes in an order and in bodies of the storage's own, some of it again, and stirs the storage now and then. */
async function write({harness, stir}: RankingStorage, told: readonly Told[], random: Random): Promise<void> {
  await harness.write({metrics: told.map(({definition}) => definition)});
  const mixed = shuffled(
    told.flatMap(({samples}) => samples),
    random,
  );
  const again = told.flatMap(({samples}) =>
    random.once(3) ? shuffled(samples, random).slice(0, random.between(1, samples.length)) : [],
  );
  const bodies = [...cut(mixed, random.between(1, 4)), ...cut(shuffled(again, random), random.between(1, 2))];
  for (const samples of bodies) {
    await harness.write({samples});
    if (random.once(8)) await stir();
  }
}

function cut(samples: readonly SampleInput[], bodies: number): SampleInput[][] {
  const size = Math.ceil(samples.length / bodies);
  return Array.from({length: bodies}, (_, i) => samples.slice(i * size, (i + 1) * size)).filter(
    body => body.length > 0,
  );
}

async function compare(all: readonly RankingStorage[], told: Told): Promise<void> {
  const {history, definition, samples, what} = told;
  const random = new Random(history.seed);
  const oracle = history.entities <= FEW ? await startOracle() : undefined;
  await oracle?.write({metrics: [definition], samples});
  for (const step of ['minute', 'hour', 'day'] as const) {
    const parent = random.once(3) ? {parentService: 's1'} : {};
    for (const order of ['ASC', 'DES'] as const) {
      const limit = random.of([1, 5, 7, 100, 2000]);
      const request: RankingRequest = {metric: definition, layer: 'L', order, limit, window: windowOf(step), ...parent};
      const [first, ...others] = await Promise.all(all.map(({harness}) => harness.metrics.ranking(request, call)));
      const asked = `${what}: ranking ${order} ${limit} by ${step}s${request.parentService ? ' of s1' : ''}`;
      const right = await oracle?.metrics.ranking(request, call);
      if (right !== undefined) same(first, right, `${all[0]?.name}, unlike the oracle: ${asked}`);
      for (const [i, other] of others.entries())
        same(other, first, `${all[i + 1]?.name}, unlike ${all[0]?.name}: ${asked}`);
    }
  }
  const step = random.of(['minute', 'hour', 'day'] as const);
  const entity = endpoint(random.below(history.entities));
  const request = {metric: definition, entity, valueFilters: new Map(), window: windowOf(step)};
  const [first, ...others] = await Promise.all(all.map(({harness}) => harness.metrics.values(request, call)));
  const asked = `${what}: values of ${entity.endpoint} by ${step}s`;
  for (const [i, other] of others.entries())
    same(plain(other[0]), plain(first?.[0]), `${all[i + 1]?.name}, unlike ${all[0]?.name}: ${asked}`);
}

function windowOf(step: Step) {
  return {step, first: HISTORY_START, count: (HISTORY_DAYS * STEP_SECONDS.day) / STEP_SECONDS[step]};
}

function plain(
  column: {values: Float64Array; present: Uint8Array} | undefined,
): readonly (number | null)[] | undefined {
  return column && Array.from(column.values, (one, i) => (column.present[i] === 1 ? one : null));
}

/** AVA would report the first failure alone, and not what fast-check has made of it: the least round that fails, and its seed. */
function same(actual: unknown, expected: unknown, what: string): void {
  try {
    deepStrictEqual(actual, expected);
  } catch (problem) {
    throw problem instanceof AssertionError ? new Error(`${what}\n${problem.message}`) : problem;
  }
}

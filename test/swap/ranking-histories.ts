import fc from 'fast-check';
import {Random} from '../../storage-adapters/conformance/random/random.js';
import {metric, type SampleInput} from '../storage-adapters/support/batches.js';

const DAY = 86_400;
export const HISTORY_DAYS = 2;
/** Unix seconds. */
export const HISTORY_START = DAY * Math.floor(1_700_000_000 / DAY);
const LAST_MINUTE = (HISTORY_DAYS * DAY) / 60 - 1;

const value = fc.oneof(
  {weight: 4, arbitrary: fc.integer({min: -100, max: 100_000})},
  {weight: 4, arbitrary: fc.integer({min: 0, max: 100_000}).map(n => n / 1000)},
  {weight: 2, arbitrary: fc.double({noNaN: true, min: -1e6, max: 1e6})},
  {weight: 1, arbitrary: fc.double({noNaN: true, noDefaultInfinity: true})},
  {weight: 1, arbitrary: fc.constantFrom(2 ** 53, -(2 ** 60), 1e16, -1e16, 1.7e308, -1.6e308, 5e-324, -0)},
);

/** One metric: the values that each entity has in an order of its own, at minutes of two days. */
export const rankingHistory = fc.record({
  rollup: fc.constantFrom<'avg' | 'sum'>('avg', 'avg', 'sum'),
  /** Storages that rank by rounded means look closer at 50 more than they are asked for: only beyond these is any left out. */
  entities: fc.oneof(
    {weight: 40, arbitrary: fc.integer({min: 40, max: 200})},
    {weight: 1, arbitrary: fc.constant(1000)},
  ),
  values: fc.array(value, {minLength: 1, maxLength: 7}),
  minutes: fc.uniqueArray(fc.oneof(fc.nat(LAST_MINUTE), fc.integer({min: 50, max: 70})), {minLength: 7, maxLength: 7}),
  /** Of how many entities in ten one value is the next double. */
  nearly: fc.nat(5),
  seed: fc.nat(),
});
export type RankingHistory = typeof rankingHistory extends fc.Arbitrary<infer Value> ? Value : never;

export function definitionOf({rollup}: RankingHistory, name: string): ReturnType<typeof metric> {
  return metric(name, {scope: 'Endpoint', rollup});
}

export function endpoint(i: number) {
  return {layer: 'L', service: `s${i % 3}`, endpoint: `e${String(i).padStart(4, '0')}`};
}

export function samplesOf({entities, values, minutes, nearly, seed}: RankingHistory, name: string): SampleInput[] {
  const random = new Random(seed);
  return Array.from({length: entities}, (_, i): SampleInput[] => {
    const own = shuffled(values, random);
    if (random.below(10) < nearly) own[0] = nextDouble(own[0] ?? 0);
    const times = shuffled(minutes, random);
    return own.map((one, j) => ({
      metric: name,
      entity: endpoint(i),
      time: HISTORY_START + (times[j] ?? 0) * 60,
      value: one,
    }));
  }).flat();
}

/** Further from zero, but never beyond the finite. */
function nextDouble(value: number): number {
  return Math.max(-Number.MAX_VALUE, Math.min(value * (1 + Number.EPSILON), Number.MAX_VALUE));
}

export function shuffled<Item>(items: readonly Item[], random: Random): Item[] {
  const rest = [...items];
  for (let i = rest.length - 1; i > 0; i--) {
    const j = random.below(i + 1);
    [rest[i], rest[j]] = [rest[j] as Item, rest[i] as Item];
  }
  return rest;
}

import {
  type BucketWindow,
  ENTITY_KEYS,
  type Entity,
  entityOf,
  type MetricBatch,
  type MetricDefinition,
  type RecordInput,
  type Rollup,
  type Scope,
  type Sighting,
  STEP_SECONDS,
  type ValueLabels,
} from '../../../core/api/adapter.js';
import {batch, metric, type SampleInput} from '../data/metrics.js';
import {DAY, MINUTE} from '../data/times.js';
import {Random} from './random.js';

/** Few names, so that they meet often. */
const NAMES = ['a', 'b', '\u{1F600}', '\uFF5E', 'A'];
const P = ['50', '99', ''];
const SCOPES = Object.keys(ENTITY_KEYS) as readonly Scope[];
const RANDOM_ROLLUPS: readonly Rollup[] = ['sum', 'min', 'latest'];

/** Batches of metric records, and windows over them, around the edges of hours and days. */
export class RandomMetrics {
  /** As they were declared last. */
  readonly metrics: MetricDefinition[];
  readonly layer: string;
  readonly #random: Random;
  /** Of what no question is about by itself: declarations, and who was seen. */
  readonly #others = new Random(10);
  readonly #start: number;
  /** Series and minutes, to write each once; undefined when they may be written again. */
  readonly #written: Set<string> | undefined;

  /** `start` is the first of three days, in Unix seconds; `once`: no sample takes the place of another. */
  constructor(random: Random, name: string, start: number, once: boolean) {
    this.#random = random;
    this.#start = start;
    this.#written = once ? new Set() : undefined;
    this.layer = `KIT-${name.toUpperCase()}`;
    const prefix = `kit_${name}`;
    this.metrics = [
      metric(`${prefix}_avg`, {scope: 'ServiceInstance', help: 'the mean', unit: 'ms'}),
      metric(`${prefix}_sum`, {scope: 'Endpoint', rollup: 'sum', type: 'counter'}),
      metric(`${prefix}_min`, {rollup: 'min'}),
      metric(`${prefix}_max`, {rollup: 'max'}),
      metric(`${prefix}_latest`, {rollup: 'latest'}),
      metric(`${prefix}_relation`, {scope: 'ServiceRelation', rollup: 'sum'}),
      metric(`${prefix}_labeled`, {kind: 'labeled', valueLabels: ['p', 'q'], rollup: 'max'}),
      metric(`${prefix}_records`, {kind: 'sampled-record', scope: 'ServiceInstance'}),
    ];
  }

  batch(samples: number): MetricBatch {
    const random = this.#random;
    const values = this.metrics.filter(({kind}) => kind !== 'sampled-record');
    return batch({
      // Only where samples take the place of others too.
      metrics: this.#written === undefined && this.#others.once(2) ? [this.#declareAgain()] : [],
      samples: random.list(samples, () => this.#sample(random.of(values))).filter(sample => this.#isNew(sample)),
      records: random.list(5, () => this.#record()),
      sightings: [...random.list(3, () => this.#sighting()), this.#otherSighting()],
    });
  }

  entity(scope: Scope, random = this.#random): Entity {
    const other = () => random.of(NAMES);
    return entityOf(
      scope,
      ENTITY_KEYS[scope].map(key => (/layer/i.test(key) ? this.layer : other())),
    );
  }

  window(): BucketWindow {
    const step = this.#random.of(['minute', 'hour', 'day'] as const);
    const size = STEP_SECONDS[step];
    const count = this.#random.between(1, {minute: 90, hour: 30, day: 5}[step]);
    const first = Math.floor((this.#time() - this.#random.below(count) * size) / size) * size;
    return {step, first, count};
  }

  filters(): ReadonlyMap<string, readonly string[]> {
    const random = this.#random;
    const some = () => random.list(random.below(3), () => random.of([...P, 'none']));
    return new Map([
      ...(random.once(2) ? [['p', some()] as const] : []),
      ...(random.once(4) ? [['q', some()] as const] : []),
    ]);
  }

  #declareAgain(): MetricDefinition {
    const random = this.#others;
    const index = random.below(this.metrics.length);
    const declared = this.metrics[index] as MetricDefinition;
    const changes: readonly Partial<MetricDefinition>[] = [
      {help: random.of(['', 'help', "it's \u{1F600}"])},
      {unit: random.of(['', 's', 'ms'])},
      {type: random.of(['gauge', 'counter'])},
      // Neither from nor to a mean, whose sums the storages may add up in another order.
      RANDOM_ROLLUPS.includes(declared.rollup) ? {rollup: random.of(RANDOM_ROLLUPS)} : {},
    ];
    const again = {...declared, ...random.of(changes)};
    this.metrics[index] = again;
    return again;
  }

  #minute(): number {
    const random = this.#random;
    if (random.once(3)) return random.of([0, 1, 59, 60, 1439, 1440, 1441, 2879, 2880]);
    return random.once(2) ? random.between(1430, 1510) : random.below(3 * 1440);
  }

  #time(): number {
    return this.#start + this.#minute() * MINUTE;
  }

  #sample({name, scope, kind}: MetricDefinition): SampleInput {
    const labels: ValueLabels = kind === 'labeled' ? {p: this.#random.of(P), q: this.#random.of(P)} : {};
    const value = this.#random.between(-200, 200);
    return {metric: name, entity: this.entity(scope), labels, time: this.#time(), value};
  }

  #isNew(sample: SampleInput): boolean {
    if (this.#written === undefined) return true;
    const {metric: name, entity, labels, time} = sample;
    const key = JSON.stringify([name, entity, labels, time]);
    if (this.#written.has(key)) return false;
    this.#written.add(key);
    return true;
  }

  #record(): RecordInput {
    const random = this.#random;
    return {
      metric: this.metrics.at(-1)?.name ?? '',
      entity: this.entity('ServiceInstance'),
      content: random.of(['select 1', 'SELECT 1', '\u{1F600}', '\uFF5E']),
      time: this.#time() + random.of([0, 1, 59]),
      value: random.between(0, 3),
      ...(random.once(2) && {traceId: random.of(['t1', 't2'])}),
    };
  }

  #sighting(): Sighting {
    const scope = this.#random.of(['ServiceInstance', 'Endpoint', 'EndpointRelation'] as const);
    return {scope, entity: this.entity(scope), time: this.#time() + this.#random.between(-1, 1) * DAY};
  }

  /** Of any scope, on a day of which the other times are. */
  #otherSighting(): Sighting {
    const random = this.#others;
    const scope = random.of(SCOPES);
    const time = this.#start + random.below(3 * 1440) * MINUTE;
    return {scope, entity: this.entity(scope, random), time};
  }
}

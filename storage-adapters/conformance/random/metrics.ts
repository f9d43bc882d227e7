import {
  type BucketWindow,
  ENTITY_KEYS,
  type Entity,
  type MetricBatch,
  type MetricDefinition,
  type RecordInput,
  type Sighting,
  STEP_SECONDS,
  type ValueLabels,
} from '../../../core/api/adapter.js';
import {batch, metric, type Sample} from '../data/metrics.js';
import {DAY, MINUTE} from '../data/times.js';
import type {Random} from './random.js';

/** Few names, so that they meet often. */
const NAMES = ['a', 'b', '\u{1F600}', '\uFF5E', 'A'];
const P = ['50', '99', ''];

/** Batches of metric records, and windows over them, around the edges of hours and days. */
export class RandomMetrics {
  readonly metrics: readonly MetricDefinition[];
  readonly layer: string;
  readonly #random: Random;
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
      metric(`${prefix}_avg`, {scope: 'ServiceInstance'}),
      metric(`${prefix}_sum`, {scope: 'Endpoint', rollup: 'sum'}),
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
      samples: random.list(samples, () => this.#sample(random.of(values))).filter(sample => this.#isNew(sample)),
      records: random.list(5, () => this.#record()),
      sightings: random.list(3, () => this.#sighting()),
    });
  }

  entity(scope: MetricDefinition['scope']): Entity {
    const other = () => this.#random.of(NAMES);
    const entries = ENTITY_KEYS[scope].map(key => [key, /layer/i.test(key) ? this.layer : other()] as const);
    return Object.fromEntries(entries) as unknown as Entity;
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

  #minute(): number {
    const random = this.#random;
    if (random.once(3)) return random.of([0, 1, 59, 60, 1439, 1440, 1441, 2879, 2880]);
    return random.once(2) ? random.between(1430, 1510) : random.below(3 * 1440);
  }

  #time(): number {
    return this.#start + this.#minute() * MINUTE;
  }

  #sample({name, scope, kind}: MetricDefinition): Sample {
    const labels: ValueLabels = kind === 'labeled' ? {p: this.#random.of(P), q: this.#random.of(P)} : {};
    const value = this.#random.between(-200, 200);
    return {metric: name, entity: this.entity(scope), labels, time: this.#time(), value};
  }

  #isNew(sample: Sample): boolean {
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
}

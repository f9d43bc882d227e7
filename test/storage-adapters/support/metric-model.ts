import {
  type BucketWindow,
  compareNames,
  ENTITY_KEYS,
  type Entity,
  type MetricDefinition,
  type Ranked,
  type RankingRequest,
  STEP_SECONDS,
  type ValueLabels,
} from '../../../core/api/adapter.js';
import {type Bucket, meanOfBuckets, rollUp} from '../../../storage-adapters/conformance/oracle/rollups.js';
import type {Sample} from './batches.js';

interface ModelSeries {
  readonly metric: MetricDefinition;
  readonly entity: Entity;
  readonly labels: ValueLabels;
  readonly minutes: Map<number, number>;
}

/** What the contract says, without a thought for speed: every sample in a map. */
export class Model {
  readonly #metrics = new Map<string, MetricDefinition>();
  readonly #series = new Map<string, ModelSeries>();
  /** Service, instance and endpoint names as JSON → first and last minute seen. */
  readonly #seen = new Map<string, {first: number; last: number}>();

  declare(metrics: readonly MetricDefinition[]): void {
    for (const metric of metrics) this.#metrics.set(metric.name, metric);
  }

  write(samples: readonly Sample[]): void {
    for (const {metric: name, entity, labels = {}, time, value} of samples) {
      const metric = this.#metrics.get(name);
      if (metric === undefined) throw new Error(`no metric ${name}`);
      const key = JSON.stringify([name, ENTITY_KEYS[metric.scope].map(part => entity[part]), labels]);
      let series = this.#series.get(key);
      if (series === undefined) {
        series = {metric, entity, labels, minutes: new Map()};
        this.#series.set(key, series);
      }
      const minute = Math.floor(time / 60);
      series.minutes.set(minute, value);
      this.#see([entity.layer, entity.service], minute);
      if (entity.serviceInstance !== undefined)
        this.#see([entity.layer, entity.service, 'i', entity.serviceInstance], minute);
      if (entity.endpoint !== undefined) this.#see([entity.layer, entity.service, 'e', entity.endpoint], minute);
    }
  }

  values(metric: string, entity: Entity, window: BucketWindow): {labels: ValueLabels; values: (number | null)[]}[] {
    return [...this.#series.values()]
      .filter(series => series.metric.name === metric && isSame(series.entity, entity))
      .map(series => ({
        labels: series.labels,
        values: this.#column(series, window),
      }))
      .filter(({values}) => values.some(value => value !== null));
  }

  ranking({metric, layer, parentService, order, limit, window}: RankingRequest): Ranked[] {
    return [...this.#series.values()]
      .filter(({metric: {name}, entity}) => name === metric.name && entity.layer === layer)
      .filter(({entity}) => parentService === undefined || entity.service === parentService)
      .flatMap(series => {
        const buckets = this.#buckets(series, window);
        return buckets.size === 0 ? [] : {entity: series.entity, value: meanOfBuckets([...buckets.values()], true)};
      })
      .sort(
        (a, b) =>
          (order === 'ASC' ? a.value - b.value : b.value - a.value) ||
          compareNames(a.entity.service, b.entity.service) ||
          compareNames(nameOf(a.entity), nameOf(b.entity)),
      )
      .slice(0, limit);
  }

  valueLabels(metric: string, from: number, to: number): string[] {
    const sets = [...this.#series.values()]
      .filter(series => series.metric.name === metric)
      .filter(({minutes}) =>
        [...minutes.keys()].some(minute => minute >= Math.floor(from / 60) && minute <= Math.floor(to / 60)),
      )
      .map(({labels}) => JSON.stringify(labels));
    return [...new Set(sets)].sort();
  }

  instances(layer: string, service: string, from: number, to: number): string[] {
    return [...this.#seen]
      .map(([key, times]) => ({key: JSON.parse(key) as string[], ...times}))
      .filter(({key}) => key[0] === layer && key[1] === service && key[2] === 'i')
      .filter(({first, last}) => last >= Math.floor(from / 60) && first * 60 <= to)
      .map(({key}) => key[3] ?? '')
      .sort(compareNames);
  }

  services(layer: string): string[] {
    return [...this.#seen.keys()]
      .map(key => JSON.parse(key) as string[])
      .filter(key => key.length === 2 && key[0] === layer)
      .map(key => key[1] ?? '')
      .sort(compareNames);
  }

  #column(series: ModelSeries, window: BucketWindow): (number | null)[] {
    const buckets = this.#buckets(series, window);
    return Array.from({length: window.count}, (_, i) => buckets.get(i)?.value ?? null);
  }

  /** Those of a window that have a value, by their number in it. */
  #buckets({metric, minutes}: ModelSeries, {step, first, count}: BucketWindow): Map<number, Bucket> {
    const buckets = new Map<number, number[]>();
    for (const [minute, value] of [...minutes].sort(([a], [b]) => a - b)) {
      const i = Math.floor((minute * 60 - first) / STEP_SECONDS[step]);
      if (i < 0 || i >= count) continue;
      const values = buckets.get(i);
      if (values === undefined) buckets.set(i, [value]);
      else values.push(value);
    }
    const rollup = step === 'minute' ? 'latest' : metric.rollup;
    return new Map([...buckets].map(([i, values]) => [i, rollUp(values, rollup)]));
  }

  #see(names: readonly string[], minute: number): void {
    const key = JSON.stringify(names);
    const seen = this.#seen.get(key);
    if (seen === undefined) this.#seen.set(key, {first: minute, last: minute});
    else Object.assign(seen, {first: Math.min(seen.first, minute), last: Math.max(seen.last, minute)});
  }
}

function isSame(a: Entity, b: Entity): boolean {
  return JSON.stringify(a) === JSON.stringify(b);
}

function nameOf(entity: Entity): string {
  return entity.serviceInstance ?? entity.endpoint ?? entity.service;
}

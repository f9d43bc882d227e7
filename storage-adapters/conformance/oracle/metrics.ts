import {
  type BucketWindow,
  type Call,
  type Column,
  compareNames,
  ENTITY_KEYS,
  type Entity,
  GatewayError,
  type KeptBucket,
  type MetricBatch,
  type MetricDefinition,
  type MetricHistory,
  type MetricReader,
  type MetricWriter,
  type Ranked,
  type RankingRequest,
  type RecordInput,
  type SampledRecord,
  type SampledRecordsRequest,
  type Scope,
  type Series,
  STEP_SECONDS,
  type Step,
  type ValueLabels,
  type ValueLabelsRequest,
  type ValuesRequest,
} from '../../../core/api/adapter.js';
import {OracleDeclarations} from './declarations.js';
import type {OracleMetadata} from './metadata.js';
import {type Bucket, meanOfBuckets, rollUp} from './rollups.js';

export interface OracleSeries extends Series {
  /** Minute → value. */
  readonly minutes: Map<number, number>;
  /** Start → an hour or a day whose minutes are gone. */
  readonly kept: Readonly<Record<'hour' | 'day', Map<number, KeptTerms>>>;
}

/** What makes the value of a bucket: its minutes, or what there is in their place. */
interface KeptTerms {
  readonly terms: readonly number[];
  readonly minutes: number;
}

/** Metrics in memory. Every question is answered by looking at all that is there. */
export class OracleMetrics implements MetricReader, MetricWriter {
  readonly #metadata: OracleMetadata;
  readonly #keepsSums: boolean;
  readonly #declarations = new OracleDeclarations();
  /** Metric → key of a series → the series. */
  readonly #series = new Map<string, Map<string, OracleSeries>>();
  readonly #records = new Map<string, RecordInput>();
  /** Step → series → all of its buckets, each made when it is first asked for behind a write. */
  readonly #rolledUp: Readonly<Record<Step, Map<OracleSeries, ReadonlyMap<number, () => Bucket>>>> = {
    minute: new Map(),
    hour: new Map(),
    day: new Map(),
  };
  /** No samples of before are taken. */
  #border = Number.NEGATIVE_INFINITY;

  constructor(metadata: OracleMetadata, keepsSums: boolean) {
    this.#metadata = metadata;
    this.#keepsSums = keepsSums;
  }

  async catalog(): Promise<readonly MetricDefinition[]> {
    return this.#declarations.catalog;
  }

  async declared(): Promise<readonly MetricDefinition[]> {
    return this.#declarations.catalog;
  }

  async values({metric, entity, valueFilters, window}: ValuesRequest, {signal}: Call): Promise<readonly Column[]> {
    signal.throwIfAborted();
    const wanted = entityKey(metric, entity);
    return this.#of(metric.name)
      .filter(series => entityKey(metric, series.entity) === wanted)
      .filter(({labels}) => [...valueFilters].every(([name, values]) => values.includes(labels[name] ?? '')))
      .map(series => this.#column(series, window))
      .filter(({present}) => present.includes(1));
  }

  async ranking(request: RankingRequest, {signal}: Call): Promise<readonly Ranked[]> {
    signal.throwIfAborted();
    const {metric, layer, parentService, order, limit, window} = request;
    const ranked = this.#of(metric.name)
      .filter(({entity}) => entity.layer === layer && (parentService ?? entity.service) === entity.service)
      .flatMap(series => {
        const buckets = [...this.#buckets(series, window).values()];
        return buckets.length === 0 ? [] : [{entity: series.entity, value: meanOfBuckets(buckets, this.#keepsSums)}];
      });
    ranked.sort((a, b) => signOf(order) * (a.value - b.value) || compareEntities(a.entity, b.entity));
    return ranked.slice(0, limit);
  }

  async sampledRecords(request: SampledRecordsRequest, {signal}: Call): Promise<readonly SampledRecord[]> {
    signal.throwIfAborted();
    const {metric, layer, parentService, order, limit, window} = request;
    const end = window.first + window.count * STEP_SECONDS[window.step];
    return [...this.#records.values()]
      .filter(record => record.metric === metric.name && record.time >= window.first && record.time < end)
      .filter(({entity}) => entity.layer === layer && entity.service === parentService)
      .sort(
        (a, b) =>
          signOf(order) * (a.value - b.value) ||
          compareNames(a.content, b.content) ||
          a.time - b.time ||
          compareTraceIds(a.traceId, b.traceId) ||
          compareEntities(a.entity, b.entity),
      )
      .slice(0, limit)
      .map(({metric: _, ...record}) => record);
  }

  async valueLabels(request: ValueLabelsRequest, {signal}: Call): Promise<readonly ValueLabels[]> {
    signal.throwIfAborted();
    const {metric, entity = {}, from, to} = request;
    const keys = Object.entries(entity) as readonly [keyof Entity, string][];
    const sets = this.#of(metric.name)
      .filter(series => keys.every(([key, value]) => series.entity[key] === value))
      .filter(({minutes}) => [...minutes.keys()].some(minute => minute + 60 > from && minute <= to))
      .map(({labels}) => [labelsKey(labels), labels] as const);
    return [...new Map(sets).values()];
  }

  async write({metrics, sightings, samples, records}: MetricBatch): Promise<void> {
    this.#forgetBuckets();
    this.#declarations.declare(metrics, metric => this.#nextDay(metric));
    for (const {metric} of [...samples.series, ...records]) this.#definition(metric);
    for (const {entity, time} of sightings) this.#metadata.see(entity, time);
    for (const [i, index] of samples.index.entries()) {
      const series = samples.series[index];
      const time = samples.time[i] ?? 0;
      if (series === undefined) throw new GatewayError('internal', `sample ${i} has no series`);
      if (time < this.#border) continue;
      this.#stored(series).minutes.set(time, (samples.value[i] ?? 0) + 0);
      this.#metadata.see(series.entity, time);
    }
    for (const input of records) {
      const record = {...input, value: input.value + 0};
      const {metric, entity, content, time, value, traceId} = record;
      const key = entityKey(this.#definition(metric), entity);
      this.#records.set(JSON.stringify([metric, key, content, time, value, traceId]), record);
      this.#metadata.see(entity, Math.floor(time / 60) * 60);
    }
  }

  /** Entities of a scope with a value of any metric in a window, each once. */
  entitiesWithValues(scope: Scope, window: BucketWindow): readonly Entity[] {
    const found = new Map<string, Entity>();
    for (const metric of this.#declarations.catalog) {
      if (metric.scope !== scope) continue;
      for (const series of this.#of(metric.name)) {
        if (this.#buckets(series, window).size > 0) found.set(entityKey(metric, series.entity), series.entity);
      }
    }
    return [...found.values()];
  }

  /** Takes an hour or a day whose minutes are gone. Of two, that of more minutes stands. */
  keep(series: Series, {step, time, minutes, terms}: KeptBucket): void {
    this.#forgetBuckets();
    const {kept} = this.#stored(series);
    if ((kept[step].get(time)?.minutes ?? 0) < minutes) kept[step].set(time, {terms, minutes});
    if (step === 'hour') this.#border = Math.max(this.#border, time + STEP_SECONDS.hour);
  }

  adopt(history: MetricHistory): void {
    this.#forgetBuckets();
    this.#declarations.adopt(history);
  }

  histories(): readonly MetricHistory[] {
    return this.#declarations.histories();
  }

  allSeries(): readonly OracleSeries[] {
    return [...this.#series.values()].flatMap(all => [...all.values()]);
  }

  allRecords(): readonly RecordInput[] {
    return [...this.#records.values()];
  }

  #definition(name: string): MetricDefinition {
    const found = this.#declarations.catalog.find(metric => metric.name === name);
    if (found === undefined) throw new GatewayError('bad_request', `the metric "${name}" is not declared`);
    return found;
  }

  #stored({metric, entity, labels}: Series): OracleSeries {
    const all = this.#series.get(metric) ?? new Map<string, OracleSeries>();
    this.#series.set(metric, all);
    const key = entityKey(this.#definition(metric), entity) + labelsKey(labels);
    const stored = all.get(key) ?? {
      metric,
      entity,
      labels,
      minutes: new Map(),
      kept: {hour: new Map(), day: new Map()},
    };
    all.set(key, stored);
    return stored;
  }

  #of(metric: string): readonly OracleSeries[] {
    return [...(this.#series.get(metric)?.values() ?? [])];
  }

  #nextDay(metric: string): number {
    const minutes = this.#of(metric).flatMap(({minutes, kept}) => [...minutes.keys(), ...kept.hour.keys()]);
    const newest = minutes.reduce((a, b) => Math.max(a, b), Number.NEGATIVE_INFINITY);
    return (Math.floor(newest / STEP_SECONDS.day) + 1) * STEP_SECONDS.day;
  }

  #column(series: OracleSeries, window: BucketWindow): Column {
    const values = new Float64Array(window.count);
    const present = new Uint8Array(window.count);
    for (const [slot, {value}] of this.#buckets(series, window)) {
      values[slot] = value;
      present[slot] = 1;
    }
    return {labels: series.labels, values, present};
  }

  #buckets(series: OracleSeries, {step, first, count}: BucketWindow): ReadonlyMap<number, Bucket> {
    const size = STEP_SECONDS[step];
    const found = new Map<number, Bucket>();
    for (const [start, bucket] of this.#allBuckets(series, step)) {
      const slot = Math.floor((start - first) / size);
      if (slot >= 0 && slot < count) found.set(slot, bucket());
    }
    return found;
  }

  #allBuckets(series: OracleSeries, step: Step): ReadonlyMap<number, () => Bucket> {
    const known = this.#rolledUp[step].get(series);
    if (known !== undefined) return known;
    const made = new Map<number, () => Bucket>();
    for (const [start, {terms, minutes}] of termsOf(series, step)) {
      const rollup = step === 'minute' ? 'latest' : this.#declarations.rollupAt(series.metric, start);
      made.set(
        start,
        once(() => rollUp(terms, rollup, minutes)),
      );
    }
    this.#rolledUp[step].set(series, made);
    return made;
  }

  #forgetBuckets(): void {
    for (const known of Object.values(this.#rolledUp)) known.clear();
  }
}

function once<Value>(make: () => Value): () => Value {
  let made: Value | undefined;
  return () => {
    made ??= make();
    return made;
  };
}

/** Start → what makes the bucket, in the order of time. Where a bucket was taken back too, the one of more minutes counts. */
function termsOf({minutes, kept}: OracleSeries, step: Step): ReadonlyMap<number, KeptTerms> {
  let all: ReadonlyMap<number, KeptTerms> = new Map(
    [...minutes].map(([minute, value]) => [minute, {terms: [value], minutes: 1}]),
  );
  for (const longer of ['hour', 'day'] as const) {
    if (STEP_SECONDS[longer] > STEP_SECONDS[step]) break;
    const made = new Map<number, KeptTerms>();
    for (const [time, part] of sorted(all)) {
      const start = Math.floor(time / STEP_SECONDS[longer]) * STEP_SECONDS[longer];
      const before = made.get(start) ?? {terms: [], minutes: 0};
      made.set(start, {terms: [...before.terms, ...part.terms], minutes: before.minutes + part.minutes});
    }
    for (const [start, other] of kept[longer]) {
      if (other.minutes > (made.get(start)?.minutes ?? 0)) made.set(start, other);
    }
    all = made;
  }
  return new Map(sorted(all));
}

function sorted<Value>(map: ReadonlyMap<number, Value>): readonly (readonly [number, Value])[] {
  return [...map].sort(([a], [b]) => a - b);
}

function signOf(order: 'ASC' | 'DES'): number {
  return order === 'ASC' ? 1 : -1;
}

/** None comes before any. */
function compareTraceIds(a?: string, b?: string): number {
  return a === undefined || b === undefined ? Number(a !== undefined) - Number(b !== undefined) : compareNames(a, b);
}

function entityKey({scope}: MetricDefinition, entity: Entity): string {
  return JSON.stringify(ENTITY_KEYS[scope].map(key => entity[key]));
}

function labelsKey(labels: ValueLabels): string {
  return JSON.stringify(Object.entries(labels).sort(([a], [b]) => compareNames(a, b)));
}

function compareEntities(a: Entity, b: Entity): number {
  const nameOf = (entity: Entity): string => entity.serviceInstance ?? entity.endpoint ?? '';
  return compareNames(a.service, b.service) || compareNames(nameOf(a), nameOf(b));
}

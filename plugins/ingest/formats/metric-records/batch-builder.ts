import type {MetricBatch, MetricDefinition, RecordInput, Series, Sighting} from '../../../../core/api/plugin.js';

const FIRST_CAPACITY = 1024;

let lastId = 0;

/** Collects a batch, its samples by column. */
export class BatchBuilder {
  /** Tells batches apart without keeping them in memory. */
  readonly id = ++lastId;
  readonly #metrics = new Map<string, MetricDefinition>();
  readonly #observations: Sighting[] = [];
  readonly #records: RecordInput[] = [];
  readonly #series: Series[] = [];
  #index = new Uint32Array(FIRST_CAPACITY);
  #time = new Float64Array(FIRST_CAPACITY);
  #value = new Float64Array(FIRST_CAPACITY);
  #samples = 0;
  #size = 0;

  /** The number of records that were added. */
  get size(): number {
    return this.#size;
  }

  declare(metric: MetricDefinition): void {
    this.#metrics.set(metric.name, metric);
    this.#size++;
  }

  observe(entity: Sighting): void {
    this.#observations.push(entity);
    this.#size++;
  }

  record(record: RecordInput): void {
    this.#records.push(record);
    this.#size++;
  }

  /** Makes a series part of the batch. The number is for `sample`. */
  addSeries(series: Series): number {
    return this.#series.push(series) - 1;
  }

  sample(series: number, time: number, value: number): void {
    const at = this.#samples++;
    if (at === this.#index.length) this.#grow();
    this.#index[at] = series;
    this.#time[at] = time;
    this.#value[at] = value;
    this.#size++;
  }

  build(): MetricBatch {
    return {
      metrics: [...this.#metrics.values()],
      sightings: this.#observations,
      samples: {
        series: this.#series,
        index: this.#index.subarray(0, this.#samples),
        time: this.#time.subarray(0, this.#samples),
        value: this.#value.subarray(0, this.#samples),
      },
      records: this.#records,
    };
  }

  #grow(): void {
    const capacity = this.#index.length * 2;
    const [index, time, value] = [this.#index, this.#time, this.#value];
    this.#index = new Uint32Array(capacity);
    this.#index.set(index);
    this.#time = new Float64Array(capacity);
    this.#time.set(time);
    this.#value = new Float64Array(capacity);
    this.#value.set(value);
  }
}

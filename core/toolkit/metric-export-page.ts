import type {KeptBucket, MetricExport, MetricHistory} from '../api/export.js';
import type {RecordInput, Series, Sighting} from '../api/ingest.js';

/** Series, each once, by what the adapter knows it by. */
class SeriesOnce<Key> {
  readonly all: Series[] = [];
  readonly #places = new Map<Key, number>();

  place(key: Key, series: Series): number {
    const known = this.#places.get(key);
    if (known !== undefined) return known;
    this.#places.set(key, this.all.length);
    return this.all.push(series) - 1;
  }
}

/** A page of an export of metrics in the making. The caller adds the metrics of its values, as often as it likes. */
export class MetricExportPage<Key> {
  readonly #metrics = new Map<string, MetricHistory>();
  readonly #sightings: Sighting[] = [];
  readonly #series = new SeriesOnce<Key>();
  readonly #index: number[] = [];
  readonly #time: number[] = [];
  readonly #value: number[] = [];
  readonly #keptSeries = new SeriesOnce<Key>();
  readonly #kept: KeptBucket[] = [];
  readonly #records: RecordInput[] = [];

  /** How many there are so far. */
  get samples(): number {
    return this.#value.length;
  }

  /** Samples, and hours and days. */
  get values(): number {
    return this.#value.length + this.#kept.length;
  }

  addMetric({definition, rollups}: MetricHistory): void {
    this.#metrics.set(definition.name, {definition, rollups});
  }

  addSightings(sightings: readonly Sighting[]): void {
    this.#sightings.push(...sightings);
  }

  addSample(key: Key, series: Series, time: number, value: number): void {
    this.#index.push(this.#series.place(key, series));
    this.#time.push(time);
    this.#value.push(value);
  }

  addKept(key: Key, series: Series, bucket: Omit<KeptBucket, 'series'>): void {
    this.#kept.push({series: this.#keptSeries.place(key, series), ...bucket});
  }

  addRecord(record: RecordInput): void {
    this.#records.push(record);
  }

  content(): MetricExport {
    return {
      metrics: [...this.#metrics.values()],
      sightings: this.#sightings,
      samples: {
        series: this.#series.all,
        index: Uint32Array.from(this.#index),
        time: Float64Array.from(this.#time),
        value: Float64Array.from(this.#value),
      },
      kept: {series: this.#keptSeries.all, values: this.#kept},
      records: this.#records,
    };
  }
}

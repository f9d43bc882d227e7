import type {
  KeptBucket,
  MetricExport,
  MetricHistory,
  RecordInput,
  Series,
  Sighting,
} from '../../../core/api/adapter.js';
import type {KnownMetric} from '../metrics/catalog.js';
import type {NamedSeries} from './series-names.js';

/** Series, each once. */
class SeriesOnce {
  readonly all: Series[] = [];
  readonly #places = new Map<Series, number>();

  place(series: Series): number {
    const known = this.#places.get(series);
    if (known !== undefined) return known;
    this.#places.set(series, this.all.length);
    return this.all.push(series) - 1;
  }
}

/** A page in the making. The metrics of its values are declared in it. */
export class PostgresExportPage {
  readonly #metrics = new Map<string, MetricHistory>();
  readonly #sightings: Sighting[] = [];
  readonly #series = new SeriesOnce();
  readonly #index: number[] = [];
  readonly #time: number[] = [];
  readonly #value: number[] = [];
  readonly #keptSeries = new SeriesOnce();
  readonly #kept: KeptBucket[] = [];
  readonly #records: RecordInput[] = [];

  addMetric({definition, rollups}: KnownMetric): void {
    this.#metrics.set(definition.name, {definition, rollups});
  }

  addSighting(sighting: Sighting): void {
    this.#sightings.push(sighting);
  }

  addSample({metric, series}: NamedSeries, time: number, value: number): void {
    this.addMetric(metric);
    this.#index.push(this.#series.place(series));
    this.#time.push(time);
    this.#value.push(value);
  }

  addKept({metric, series}: NamedSeries, bucket: Omit<KeptBucket, 'series'>): void {
    this.addMetric(metric);
    this.#kept.push({series: this.#keptSeries.place(series), ...bucket});
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

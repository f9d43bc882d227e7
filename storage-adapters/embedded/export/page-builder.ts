import type {
  KeptBucket,
  MetricExport,
  MetricHistory,
  RecordInput,
  Series,
  Sighting,
} from '../../../core/api/adapter.js';
import {MINUTES_PER_HOUR, SECONDS_PER_HOUR, SECONDS_PER_MINUTE} from '../../../core/toolkit/time.js';
import type {MetricRecord, SeriesRecord} from '../metrics/metric-records.js';

/** The same object for a series each time: writers remember what they have found out about it. */
const described = new WeakMap<SeriesRecord, Series>();

/** Seconds, `to` excluded, and the hour that values are of. */
interface HourWindow {
  readonly hour: number;
  readonly from: number;
  readonly to: number;
}

/** A list of series, each once. */
class SeriesList {
  readonly all: Series[] = [];
  readonly #places = new Map<SeriesRecord, number>();

  place(record: SeriesRecord): number {
    const known = this.#places.get(record);
    if (known !== undefined) return known;
    this.#places.set(record, this.all.length);
    return this.all.push(describe(record)) - 1;
  }
}

/** A page in the making. The metrics of its values are declared in it. */
export class PageBuilder {
  readonly #metrics = new Map<MetricRecord, MetricHistory>();
  readonly #sightings: Sighting[] = [];
  readonly #series = new SeriesList();
  readonly #index: number[] = [];
  readonly #time: number[] = [];
  readonly #value: number[] = [];
  readonly #keptSeries = new SeriesList();
  readonly #kept: KeptBucket[] = [];
  readonly #records: RecordInput[] = [];

  get samples(): number {
    return this.#value.length;
  }

  addMetric(metric: MetricRecord): void {
    const {definition, rollups} = metric;
    if (definition !== undefined && !this.#metrics.has(metric)) this.#metrics.set(metric, {definition, rollups});
  }

  addSightings(sightings: readonly Sighting[]): void {
    this.#sightings.push(...sightings);
  }

  /** Sixty minutes for each series, NaN for no value. */
  addHour(series: readonly SeriesRecord[], values: Float64Array, {hour, from, to}: HourWindow): void {
    const start = hour * SECONDS_PER_HOUR;
    for (const [row, record] of series.entries()) {
      for (let minute = 0; minute < MINUTES_PER_HOUR; minute++) {
        const value = values[row * MINUTES_PER_HOUR + minute] as number;
        const time = start + minute * SECONDS_PER_MINUTE;
        if (Number.isNaN(value) || time < from || time >= to) continue;
        this.#index.push(this.#series.place(record));
        this.#time.push(time);
        this.#value.push(value);
        this.addMetric(record.metric);
      }
    }
  }

  addKept(record: SeriesRecord, bucket: Omit<KeptBucket, 'series'>): void {
    this.addMetric(record.metric);
    this.#kept.push({series: this.#keptSeries.place(record), ...bucket});
  }

  addRecord(metric: MetricRecord, record: RecordInput): void {
    this.addMetric(metric);
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

function describe(record: SeriesRecord): Series {
  const known = described.get(record);
  if (known !== undefined) return known;
  const series = {metric: record.metric.declared.name, entity: record.entity.entity, labels: record.labels};
  described.set(record, series);
  return series;
}

import type {KeptBucket, MetricExport, RecordInput, Series, Sighting} from '../../../core/api/adapter.js';
import {MetricExportPage} from '../../../core/toolkit/metric-export-page.js';
import {MINUTES_PER_HOUR, SECONDS_PER_HOUR, SECONDS_PER_MINUTE} from '../../../core/toolkit/time.js';
import type {MetricRecord, SeriesRecord} from '../metrics/metric-records.js';

/** The same object for a series each time: writers remember what they have found out about it. */
const descriptions = new WeakMap<SeriesRecord, Series>();

/** Seconds, `to` excluded, and the hour that values are of. */
interface HourWindow {
  readonly hour: number;
  readonly from: number;
  readonly to: number;
}

/** A page in the making. The metrics of its values are declared in it. */
export class PageBuilder {
  readonly #page = new MetricExportPage<SeriesRecord>();

  get samples(): number {
    return this.#page.samples;
  }

  addMetric({definition, rollups}: MetricRecord): void {
    if (definition !== undefined) this.#page.addMetric({definition, rollups});
  }

  addSightings(sightings: readonly Sighting[]): void {
    this.#page.addSightings(sightings);
  }

  /** Sixty minutes for each series, NaN for no value. */
  addHour(series: readonly SeriesRecord[], values: Float64Array, {hour, from, to}: HourWindow): void {
    const start = hour * SECONDS_PER_HOUR;
    for (const [row, record] of series.entries()) {
      const before = this.samples;
      const described = describe(record);
      for (let minute = 0; minute < MINUTES_PER_HOUR; minute++) {
        const value = values[row * MINUTES_PER_HOUR + minute] as number;
        const time = start + minute * SECONDS_PER_MINUTE;
        if (!Number.isNaN(value) && time >= from && time < to) this.#page.addSample(record, described, time, value);
      }
      if (this.samples > before) this.addMetric(record.metric);
    }
  }

  addKept(record: SeriesRecord, bucket: Omit<KeptBucket, 'series'>): void {
    this.addMetric(record.metric);
    this.#page.addKept(record, describe(record), bucket);
  }

  addRecord(metric: MetricRecord, record: RecordInput): void {
    this.addMetric(metric);
    this.#page.addRecord(record);
  }

  content(): MetricExport {
    return this.#page.content();
  }
}

function describe(record: SeriesRecord): Series {
  const known = descriptions.get(record);
  if (known !== undefined) return known;
  const series = {metric: record.metric.declared.name, entity: record.entity.entity, labels: record.labels};
  descriptions.set(record, series);
  return series;
}

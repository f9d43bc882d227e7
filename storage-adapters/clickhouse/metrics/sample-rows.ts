import type {Entity, Samples, Scope, Series} from '../../../core/api/adapter.js';
import {MINUTES_PER_HOUR, SECONDS_PER_MINUTE} from '../../../core/toolkit/time.js';
import {RowWriter} from '../client/row-writer.js';
import {serviceId} from '../schema/keys.js';
import type {CatalogEntry} from './catalog.js';
import type {KnownEntities, KnownEntity} from './entities.js';

/** What is the same in all rows of a series. */
export interface EncodedSeries {
  readonly entity: KnownEntity;
  /** The columns metric, service, entity and labels. */
  readonly columns: Buffer;
  /** The columns as a key of maps. */
  readonly key: string;
}

/** Encodes series; callers pass the same objects again, for which the work is done once. */
export class SeriesEncoder {
  readonly #entities: KnownEntities;
  readonly #encoded = new WeakMap<Series, EncodedSeries>();

  constructor(entities: KnownEntities) {
    this.#entities = entities;
  }

  encode(series: Series, {definition: {scope, valueLabels}}: CatalogEntry): EncodedSeries {
    const known = this.#encoded.get(series);
    if (known !== undefined) return known;
    const entity = this.#entities.find(scope, series.entity);
    const row = new RowWriter(128);
    this.columns(row, series.metric, scope, series.entity);
    row.strings(valueLabels.map(label => series.labels[label] ?? ''));
    const columns = row.finish();
    const encoded = {entity, columns, key: columns.toString('latin1')};
    this.#encoded.set(series, encoded);
    return encoded;
  }

  /** The columns that say whose row it is: metric, service, entity. */
  columns(row: RowWriter, metric: string, scope: Scope, entity: Entity): void {
    row.string(metric);
    row.raw(serviceId(entity));
    row.raw(this.#entities.find(scope, entity).id);
  }
}

/** The samples of one series in a group of batches: each minute once, the later value. */
class SeriesSamples {
  readonly series: EncodedSeries;
  readonly minutes: number[] = [];
  readonly values: number[] = [];
  /** Where each minute stands, once they do not ascend any more. */
  #places: Map<number, number> | undefined;

  constructor(series: EncodedSeries) {
    this.series = series;
  }

  put(minute: number, value: number): void {
    if (this.#places === undefined && this.#isNewest(minute)) {
      this.minutes.push(minute);
      this.values.push(value);
      return;
    }
    this.#places ??= new Map(this.minutes.map((each, i) => [each, i]));
    const place = this.#places.get(minute) ?? this.minutes.length;
    this.#places.set(minute, place);
    this.minutes[place] = minute;
    this.values[place] = value;
  }

  #isNewest(minute: number): boolean {
    const last = this.minutes.at(-1);
    return last === undefined || minute > last;
  }
}

/** The samples of a group of batches. */
export class SampleRows {
  readonly #bySeries = new Map<string, SeriesSamples>();

  /** Adds a batch over the earlier ones; `encode` is asked once for each series object. Minutes before `cutOff` are left out and counted. */
  add({series, index, time, value}: Samples, encode: (series: Series) => EncodedSeries, cutOff: number): number {
    const all = series.map(one => {
      const encoded = encode(one);
      let samples = this.#bySeries.get(encoded.key);
      if (samples === undefined) {
        samples = new SeriesSamples(encoded);
        this.#bySeries.set(encoded.key, samples);
      }
      return samples;
    });
    let dropped = 0;
    for (let i = 0; i < value.length; i++) {
      const minute = Math.floor((time[i] as number) / SECONDS_PER_MINUTE);
      if (minute < cutOff) dropped++;
      else all[index[i] as number]?.put(minute, value[i] as number);
    }
    return dropped;
  }

  /** Every series that has samples, with the first and the last minute. */
  *seen(): Iterable<{readonly entity: KnownEntity; readonly first: number; readonly last: number}> {
    for (const {series, minutes} of this.#bySeries.values()) {
      let first = Number.POSITIVE_INFINITY;
      let last = Number.NEGATIVE_INFINITY;
      for (const minute of minutes) {
        first = Math.min(first, minute);
        last = Math.max(last, minute);
      }
      if (minutes.length > 0) yield {entity: series.entity, first, last};
    }
  }

  /** Functions that write the rows, a series each, and tell how many. */
  *writers(version: bigint): Iterable<(rows: RowWriter) => number> {
    for (const {series, minutes, values} of this.#bySeries.values()) {
      yield rows => {
        for (let i = 0; i < minutes.length; i++) {
          const minute = minutes[i] as number;
          rows.raw(series.columns);
          rows.int32(Math.floor(minute / MINUTES_PER_HOUR));
          rows.int32(minute);
          // Adding zero takes the sign from -0.
          rows.float64((values[i] as number) + 0);
          rows.uint64(version);
        }
        return minutes.length;
      };
    }
  }
}

import {MINUTES_PER_HOUR} from '../../../../core/toolkit/time.js';
import type {Database} from '../../disk/database.js';
import type {Checkpoint} from '../../threads/operations.js';
import type {ReaderOperations} from '../../threads/reader-protocol.js';
import type {HourReader} from './hour-reader.js';
import type {NewestReader} from './newest-reader.js';

/** Finds which groups of series have a value in a range of minutes: newest hour first, until every group was found. */
export class PresenceReader {
  readonly #hours: HourReader;
  readonly #newest: NewestReader;
  readonly #compacted;

  constructor(database: Database, hours: HourReader, newest: NewestReader) {
    this.#hours = hours;
    this.#newest = newest;
    this.#compacted = database
      .prepare<[number, number], number>('SELECT series FROM minutes WHERE metric = ? AND hour = ?')
      .pluck();
  }

  read(request: ReaderOperations['present']['request'], checkpoint: Checkpoint): Uint8Array {
    const {metric, series, groups, from, to} = request;
    const groupOf = new Map<number, number>();
    for (const [i, id] of series.entries()) groupOf.set(id, groups[i] ?? 0);
    const present = new Uint8Array(groups.reduce((size, group) => Math.max(size, group + 1), 0));
    let missing = new Set(groups).size;

    const found = (ids: Iterable<number>) => {
      for (const id of ids) {
        const group = groupOf.get(id);
        if (group === undefined || present[group] === 1) continue;
        present[group] = 1;
        missing--;
      }
    };

    const first = Math.floor(from / MINUTES_PER_HOUR);
    let hour = this.#newest.ofMetric(metric, Math.floor(to / MINUTES_PER_HOUR) + 1, 'minute');
    while (missing > 0 && hour >= first) {
      checkpoint();
      const start = hour * MINUTES_PER_HOUR;
      const end = start + MINUTES_PER_HOUR;
      const whole = from <= start && to >= end - 1;
      if (whole) found(this.#compacted.all(metric, hour));
      if (missing > 0 && (!whole || this.#hours.firstUnmerged(metric, start, end) !== undefined)) {
        found(this.#inMinutes(metric, hour, series, from, to));
      }
      hour = this.#newest.ofMetric(metric, hour, 'minute');
    }
    return present;
  }

  *#inMinutes(metric: number, hour: number, series: Int32Array, from: number, to: number): Iterable<number> {
    const matrix = new Float64Array(series.length * MINUTES_PER_HOUR);
    this.#hours.read(metric, hour, series, matrix);
    const start = hour * MINUTES_PER_HOUR;
    const low = Math.max(0, from - start);
    const high = Math.min(MINUTES_PER_HOUR, to - start + 1);
    for (const [i, id] of series.entries()) {
      for (let minute = low; minute < high; minute++) {
        if (Number.isNaN(matrix[i * MINUTES_PER_HOUR + minute])) continue;
        yield id;
        break;
      }
    }
  }
}

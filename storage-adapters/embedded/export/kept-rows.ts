import {HOURS_PER_DAY} from '../../../core/toolkit/time.js';
import type {Database} from '../disk/database.js';
import {Partials} from '../metrics/tables/partial-reader.js';
import type {Checkpoint} from '../threads/operations.js';
import type {KeptRows, KeptRowsRequest} from '../threads/reader-protocol.js';
import {DAYS_PER_ROW, decodePartials} from '../values/partial-blob.js';

const ROWS = 500;

const WIDTHS = {hours: HOURS_PER_DAY, days: DAYS_PER_ROW} as const;

type Row = [row: number, series: number, data: Buffer];

/** Reads the rows of hours or days of a metric as they are stored, the latest first. */
export class KeptRowReader {
  readonly #rows;

  constructor(database: Database) {
    const select = (table: string, key: string) =>
      database
        .prepare<[number, number, number], Row>(
          `SELECT ${key}, series, data FROM ${table} WHERE metric = ? AND (${key}, series) < (?, ?)
           ORDER BY ${key} DESC, series DESC LIMIT ${ROWS}`,
        )
        .raw();
    this.#rows = {hours: select('hours', 'day'), days: select('days', 'stretch')};
  }

  /** `before` bounds the buckets; the answer has none of no minutes. */
  read({table, metric, row, series, before}: KeptRowsRequest, checkpoint: Checkpoint): KeptRows {
    const width = WIDTHS[table];
    const found = this.#rows[table].all(metric, row, series);
    const ids: number[] = [];
    const buckets: number[] = [];
    const minutes: number[] = [];
    const terms: (readonly number[])[] = [];
    for (const [first, id, data] of found) {
      checkpoint();
      const partials = new Partials(width);
      decodePartials(data, width, partials, 0);
      for (let i = 0; i < width; i++) {
        const bucket = first * width + i;
        const count = partials.counts[i] ?? 0;
        if (count === 0 || bucket >= before) continue;
        ids.push(id);
        buckets.push(bucket);
        minutes.push(count);
        terms.push([partials.values[i] ?? 0, ...(partials.remainders.get(i) ?? [])]);
      }
    }
    const last = found.at(-1);
    return {
      series: Int32Array.from(ids),
      bucket: Int32Array.from(buckets),
      minutes: Int32Array.from(minutes),
      terms,
      last: last === undefined ? null : {row: last[0], series: last[1]},
    };
  }
}

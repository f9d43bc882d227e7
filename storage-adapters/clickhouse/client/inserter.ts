import {forEachYielding} from '../../../core/toolkit/yielder.js';
import type {ClickHouseInstruments} from '../instruments.js';
import type {ClickHouseClient} from './client.js';
import {RowWriter} from './row-writer.js';
import type {Sql} from './sql.js';

/** Rows that are stored together, as far as batches can be told apart, and that may wait. */
export const ROWS_TOGETHER = 200_000;
export const ROWS_WAITING = 2_000_000;

const MEGABYTE = 2 ** 20;
/** What goes into one INSERT. */
const INSERT_BYTES = 16 * MEGABYTE;

/** Puts rows into one table. */
export class ClickHouseInserter {
  readonly #client: ClickHouseClient;
  readonly #instruments: ClickHouseInstruments;
  readonly #table: string;
  readonly #into: Sql;

  /** `into` is the table with the columns in the order in which rows have them. */
  constructor(client: ClickHouseClient, instruments: ClickHouseInstruments, table: string, into: Sql) {
    this.#client = client;
    this.#instruments = instruments;
    this.#table = table;
    this.#into = into;
  }

  /** Writes all rows, in as few inserts as their size allows. Each writer writes some, and tells how many. */
  async insert(writers: Iterable<(rows: RowWriter) => number>): Promise<void> {
    let rows = new RowWriter();
    let count = 0;
    await forEachYielding(writers, write => {
      count += write(rows);
      if (rows.length < INSERT_BYTES) return;
      const full = rows;
      rows = new RowWriter();
      return this.send(full);
    });
    await this.send(rows);
    if (count > 0) this.#instruments.insertedRows.with({table: this.#table}).add(count);
  }

  async send(rows: RowWriter): Promise<void> {
    if (rows.length > 0) await this.#client.insert(this.#into, rows.finish());
  }
}

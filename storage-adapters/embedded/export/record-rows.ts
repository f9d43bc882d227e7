import type {Database} from '../disk/database.js';
import type {RecordPage, RecordPlace} from '../threads/reader-protocol.js';

const ROWS = 2000;

type Row = [
  service: number,
  time: number,
  digest: Buffer,
  entity: number,
  value: number,
  content: string,
  trace: string | null,
];

/** Reads the sampled records of a metric in the order of their key. */
export class RecordRowReader {
  readonly #rows;

  constructor(database: Database) {
    this.#rows = database
      .prepare<[number, number, number, Buffer, number, number], Row>(
        `SELECT service, time, digest, entity, value, content, trace FROM records
         WHERE metric = ? AND (service, time, digest) > (?, ?, ?) AND time >= ? AND time < ?
         ORDER BY service, time, digest LIMIT ${ROWS}`,
      )
      .raw();
  }

  read(metric: number, {service, time, digest}: RecordPlace, from: number, to: number): RecordPage {
    const rows = this.#rows.all(metric, service, time, Buffer.from(digest, 'hex'), from, to);
    const last = rows.at(-1);
    return {
      records: rows.map(([service, time, , entity, value, content, traceId]) => {
        return {metric, service, entity, time, value, content, traceId};
      }),
      last: last === undefined ? null : {service: last[0], time: last[1], digest: last[2].toString('hex')},
    };
  }
}

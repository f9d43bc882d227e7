import {compareNames} from '../../../../core/api/adapter.js';
import type {Database} from '../../disk/database.js';
import type {Checkpoint} from '../../threads/operations.js';
import type {RecordsRequest} from '../../threads/reader-protocol.js';
import type {StoredRecord} from '../../threads/writer-protocol.js';
import {TopList} from './top-list.js';

const ROWS_BETWEEN_CHECKS = 512;

type Row = [number, number, number, string, string | null];

/** Reads the sampled records of one service. */
export class RecordReader {
  readonly #select;
  readonly #names;

  constructor(database: Database) {
    this.#names = database.prepare<[number], string>('SELECT names FROM entities WHERE id = ?').pluck();
    this.#select = database
      .prepare<[number, number, number, number], Row>(
        'SELECT entity, time, value, content, trace FROM records WHERE metric = ? AND service = ? AND time BETWEEN ? AND ?',
      )
      .raw();
  }

  read(
    {metric, service, from, to, descending, limit}: RecordsRequest,
    checkpoint: Checkpoint,
  ): readonly StoredRecord[] {
    const top = new TopList<StoredRecord>(limit, (a, b) => {
      const byValue = descending ? b.value - a.value : a.value - b.value;
      return (
        byValue ||
        compareNames(a.content, b.content) ||
        a.time - b.time ||
        compareTraceIds(a.traceId, b.traceId) ||
        (a.entity === b.entity ? 0 : compareNames(this.#nameOf(a.entity), this.#nameOf(b.entity)))
      );
    });
    let rows = 0;
    for (const [entity, time, value, content, traceId] of this.#select.iterate(metric, service, from, to)) {
      if (++rows % ROWS_BETWEEN_CHECKS === 0) checkpoint();
      top.add({metric, service, entity, time, value, content, traceId});
    }
    return top.finish();
  }

  /** Entities of one service differ in their last name alone. */
  #nameOf(entity: number): string {
    const names = JSON.parse(this.#names.get(entity) ?? '[]') as readonly string[];
    return names.at(-1) ?? '';
  }
}

/** None comes before any. */
function compareTraceIds(a: string | null, b: string | null): number {
  return a === null || b === null ? Number(a !== null) - Number(b !== null) : compareNames(a, b);
}

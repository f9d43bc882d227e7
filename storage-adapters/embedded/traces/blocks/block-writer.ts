import type {TraceModelName} from '../../../../core/toolkit/traces/model.js';
import type {Database} from '../../disk/database.js';
import {encodeColumn} from '../index/column.js';
import {PostingPacker} from '../index/posting-pack.js';
import type {BlockContent} from './block-builder.js';
import {DURATIONS, ROWS, STARTS, TOMBSTONES, TRACES} from './block-store.js';

export type Columns = Omit<BlockContent, 'postings'>;

/** Those of a block while some are added: a bit per row. */
interface Tombstones {
  readonly id: number;
  readonly first: number;
  readonly last: number;
  readonly bits: Uint8Array;
  added: number;
}

/** Writes blocks and marks in them what was removed, inside a transaction of the caller. */
export class BlockWriter {
  readonly #begin;
  readonly #publish;
  readonly #column;
  readonly #posting;
  readonly #blockOf;
  readonly #bits;
  readonly #countRemoved;
  readonly #supersede;

  constructor(database: Database, model: TraceModelName) {
    this.#begin = database.prepare(
      `INSERT INTO ${model}_blocks (state, first, last, spans, units, dead, start, "end") VALUES (0, 0, 0, 0, 0, 0, 0, 0)`,
    );
    this.#publish = database.prepare(
      `UPDATE ${model}_blocks SET state = 1, first = ?, last = ?, spans = ?, units = ?, start = ?, "end" = ? WHERE id = ?`,
    );
    this.#column = database.prepare(`INSERT OR REPLACE INTO ${model}_columns (block, name, data) VALUES (?, ?, ?)`);
    this.#posting = database.prepare(
      `INSERT INTO ${model}_postings (block, attribute, value, first, data) VALUES (?, ?, ?, ?, ?)`,
    );
    this.#blockOf = database.prepare<[number], {id: number; first: number; last: number}>(
      `SELECT id, first, last FROM ${model}_blocks WHERE state = 1 AND first <= ? ORDER BY first DESC LIMIT 1`,
    );
    this.#bits = database
      .prepare<[number], Buffer>(`SELECT data FROM ${model}_columns WHERE block = ? AND name = ${TOMBSTONES}`)
      .pluck();
    this.#supersede = database.prepare(`UPDATE ${model}_blocks SET state = 0 WHERE id = ?`);
    this.#countRemoved = database.prepare(
      `UPDATE ${model}_blocks SET dead = dead + ?, state = state AND dead + ? < units WHERE id = ?`,
    );
  }

  /** Reserves the id of a block that nobody sees yet. */
  begin(): number {
    return Number(this.#begin.run().lastInsertRowid);
  }

  /** Takes the postings of a block in the order of the table. */
  postings(block: number): PostingPacker {
    return new PostingPacker((attribute, value, first, data) => {
      this.#posting.run(block, attribute, value, first, data);
    });
  }

  /** Shows a block whose postings have been written. */
  publish(block: number, first: number, last: number, {starts, durations, traces, rows}: Columns): void {
    this.#column.run(block, STARTS, encodeColumn(starts));
    this.#column.run(block, DURATIONS, encodeColumn(durations));
    this.#column.run(block, TRACES, encodeColumn(traces));
    this.#column.run(block, ROWS, encodeColumn(rows));
    const fragments = countDistinct(rows, first, last);
    this.#publish.run(first, last, starts.length, fragments, starts[0], starts[starts.length - 1], block);
  }

  /** From now on the block does not count. */
  supersede(block: number): void {
    this.#supersede.run(block);
  }

  write(content: BlockContent): void {
    const {rows} = content;
    if (rows.length === 0) return;
    const block = this.begin();
    const postings = this.postings(block);
    for (const [attribute, values] of content.postings) {
      for (const {value, ordinals} of values) postings.add(attribute, value, ordinals);
    }
    postings.flush();
    let first = Number.POSITIVE_INFINITY;
    let last = 0;
    for (const row of rows) {
      first = Math.min(first, row);
      last = Math.max(last, row);
    }
    this.publish(block, first, last, content);
  }

  /** Takes fragments out of the index that were in it until now. A block of which nothing is left goes. */
  markRemoved(rows: readonly number[]): void {
    let open: Tombstones | undefined;
    for (const row of [...rows].sort((a, b) => a - b)) {
      if (open === undefined || row > open.last) {
        if (open !== undefined) this.#write(open);
        open = this.#openTombstones(row);
      }
      // A row that no block has, or has no more.
      if (open === undefined || row > open.last) continue;
      const offset = row - open.first;
      open.bits[offset >> 3] = (open.bits[offset >> 3] ?? 0) | (1 << (offset & 7));
      open.added++;
    }
    if (open !== undefined) this.#write(open);
  }

  #openTombstones(row: number): Tombstones | undefined {
    const block = this.#blockOf.get(row);
    if (block === undefined) return undefined;
    const bits = new Uint8Array((block.last - block.first + 8) >> 3);
    bits.set(this.#bits.get(block.id) ?? []);
    return {...block, bits, added: 0};
  }

  #write({id, bits, added}: Tombstones): void {
    if (added === 0) return;
    this.#column.run(id, TOMBSTONES, bits);
    this.#countRemoved.run(added, added, id);
  }
}

/** All are from `first` to `last`. */
function countDistinct(rows: Float64Array, first: number, last: number): number {
  const span = last - first + 1;
  // Those of blocks that were merged may be far apart.
  if (span > rows.length * 8) return new Set(rows).size;
  const seen = new Uint8Array(span);
  let count = 0;
  for (const row of rows) {
    if (seen[row - first] === 0) count++;
    seen[row - first] = 1;
  }
  return count;
}

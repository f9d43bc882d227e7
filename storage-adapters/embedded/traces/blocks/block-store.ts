import type {TraceModelName} from '../../../../core/toolkit/traces/model.js';
import type {Database} from '../../disk/database.js';
import {BlockColumn} from '../index/column.js';
import {PackReader} from '../index/pack-reader.js';
import {PACKED} from '../index/posting-pack.js';
import {decodePostings, firstPosting, type Ordinals} from '../index/postings.js';

/** What the columns of a block hold; TOMBSTONES is no column but a bit per row, counted from the block's first. */
export const STARTS = 1;
export const DURATIONS = 2;
export const TRACES = 3;
export const ROWS = 4;
export const TOMBSTONES = 5;

export interface IndexBlock {
  readonly id: number;
  /** The rows of its fragments lie between these. */
  readonly first: number;
  readonly last: number;
  readonly spans: number;
  readonly fragments: number;
  /** How many of its fragments have been replaced or removed. */
  readonly removed: number;
  /** The starts of its first and its last span. */
  readonly start: number;
  readonly end: number;
}

const NOTHING = new Uint8Array(0);
const FIELDS = 'id, first, last, spans, units AS fragments, dead AS removed, start, "end"';

/** Reads blocks. Of a block that is listed everything else is there, within the same transaction. */
export class BlockStore {
  readonly #between;
  readonly #all;
  readonly #newest;
  readonly #mostlyRemoved;
  readonly #column;
  readonly #posting;
  readonly #firsts;
  readonly #values;

  readonly model: TraceModelName;

  constructor(database: Database, model: TraceModelName) {
    this.model = model;
    this.#between = database.prepare<[number, number], IndexBlock>(
      `SELECT ${FIELDS} FROM ${model}_blocks WHERE state = 1 AND "end" >= ? AND start < ?`,
    );
    this.#all = database.prepare<[], IndexBlock>(
      `SELECT ${FIELDS} FROM ${model}_blocks WHERE state = 1 ORDER BY first`,
    );
    this.#newest = database.prepare<[], number | null>(`SELECT max(id) FROM ${model}_blocks WHERE state = 1`).pluck();
    this.#mostlyRemoved = database.prepare<[], IndexBlock>(
      `SELECT ${FIELDS} FROM ${model}_blocks WHERE state = 1 AND dead * 2 > units LIMIT 1`,
    );
    this.#column = database
      .prepare<[number, number], Buffer>(`SELECT data FROM ${model}_columns WHERE block = ? AND name = ?`)
      .pluck();
    // The row with the value is the one that begins with it, or the last that begins before it; a neighbour's long
    // postings are not read.
    this.#posting = database
      .prepare<[string, number, string, string], [number, Buffer | null]>(
        `SELECT first, CASE WHEN first = ${PACKED} OR value = ? THEN data END FROM ${model}_postings
         WHERE block = ? AND attribute = ? AND value <= ? ORDER BY value DESC LIMIT 1`,
      )
      .raw();
    this.#firsts = database
      .prepare<[number, string], [string, number, Buffer | null]>(
        `SELECT value, first, CASE first WHEN ${PACKED} THEN data END FROM ${model}_postings
         WHERE block = ? AND attribute = ?`,
      )
      .raw();
    this.#values = database
      .prepare<[number, string], [string, number, Buffer]>(
        `SELECT value, first, data FROM ${model}_postings WHERE block = ? AND attribute = ?`,
      )
      .raw();
  }

  /** The blocks that have spans in [from, to). */
  between(from: number, to: number): readonly IndexBlock[] {
    return this.#between.all(from, to);
  }

  /** All blocks, in the order of their rows. */
  all(): readonly IndexBlock[] {
    return this.#all.all();
  }

  /** The id of the block that was made last; 0 when there is none. */
  newest(): number {
    return this.#newest.get() ?? 0;
  }

  /** A block of which less than half is left, when there is one. */
  mostlyRemoved(): IndexBlock | undefined {
    return this.#mostlyRemoved.get();
  }

  column(block: number, name: number): BlockColumn {
    return new BlockColumn(this.#column.get(block, name) ?? new Uint8Array(1));
  }

  tombstones(block: number): Uint8Array {
    return this.#column.get(block, TOMBSTONES) ?? new Uint8Array(0);
  }

  /** The spans that have the value. */
  posting(block: number, attribute: string, value: string): Ordinals {
    return decodePostings(this.encoded(block, attribute, value));
  }

  encoded(block: number, attribute: string, value: string): Uint8Array {
    const [first, data] = this.#posting.get(value, block, attribute, value) ?? [];
    if (data == null) return NOTHING;
    if (first !== PACKED) return data;
    const reader = new PackReader(data);
    return reader.find(Buffer.from(value)) ? reader.data : NOTHING;
  }

  /** The values of an attribute, each with the first ordinal that has it. */
  *firsts(block: number, attribute: string): IterableIterator<[string, number]> {
    for (const [value, first, pack] of this.#firsts.iterate(block, attribute)) {
      if (pack === null) yield [value, first];
      else for (const reader = new PackReader(pack); reader.next(); ) yield [reader.value, firstPosting(reader.data)];
    }
  }

  /** The values of an attribute, each with its encoded postings. */
  *values(block: number, attribute: string): IterableIterator<[string, Buffer]> {
    for (const [value, first, data] of this.#values.iterate(block, attribute)) {
      if (first !== PACKED) yield [value, data];
      else for (const reader = new PackReader(data); reader.next(); ) yield [reader.value, reader.data];
    }
  }
}

export function isRemoved(bits: Uint8Array, offset: number): boolean {
  return ((bits[offset >> 3] ?? 0) & (1 << (offset & 7))) !== 0;
}

import type {TraceModelName} from '../../../../core/toolkit/traces/model.js';
import type {Database} from '../../disk/database.js';
import {PackReader} from './pack-reader.js';
import {PACKED} from './posting-pack.js';
import {decodePostings, type Ordinals} from './postings.js';

const ROWS_PER_PAGE = 32;

export interface Posting {
  readonly attribute: string;
  readonly value: string;
  ordinals(): Ordinals;
}

type Row = readonly [attribute: string, value: string, first: number, data: Buffer];

/**
 * Walks through the postings of a block in the order of the table: code points of the attribute, then of the value. It
 * reads a page at a time, because no statement may stay open while others write.
 */
export class PostingCursor {
  readonly #page: (attribute: string, value: string) => readonly Row[];
  #rows: readonly Row[];
  #at = 0;
  #pack: PackReader | undefined;
  #current: Posting | undefined;

  constructor(page: (attribute: string, value: string) => readonly Row[], first: readonly Row[]) {
    this.#page = page;
    this.#rows = first;
    this.#open();
  }

  get current(): Posting | undefined {
    return this.#current;
  }

  advance(): void {
    const row = this.#rows[this.#at];
    if (row === undefined) return;
    if (this.#pack?.next() === true) {
      this.#current = posting(row[0], this.#pack.value, this.#pack.data);
      return;
    }
    if (++this.#at === this.#rows.length) {
      this.#rows = this.#page(row[0], row[1]);
      this.#at = 0;
    }
    this.#open();
  }

  /** Goes to the first value of the row. */
  #open(): void {
    this.#pack = undefined;
    this.#current = undefined;
    const row = this.#rows[this.#at];
    if (row === undefined) return;
    const [attribute, value, first, data] = row;
    if (first !== PACKED) {
      this.#current = posting(attribute, value, data);
      return;
    }
    this.#pack = new PackReader(data);
    this.advance();
  }
}

function posting(attribute: string, value: string, blob: Uint8Array): Posting {
  return {attribute, value, ordinals: () => decodePostings(blob)};
}

/** Opens cursors on the postings of one model. */
export function postingCursors(database: Database, model: TraceModelName): (block: number) => PostingCursor {
  const first = database
    .prepare<[number], Row>(
      `SELECT attribute, value, first, data FROM ${model}_postings WHERE block = ?
       ORDER BY attribute, value LIMIT ${ROWS_PER_PAGE}`,
    )
    .raw();
  const next = database
    .prepare<[number, string, string], Row>(
      `SELECT attribute, value, first, data FROM ${model}_postings WHERE block = ? AND (attribute, value) > (?, ?)
       ORDER BY attribute, value LIMIT ${ROWS_PER_PAGE}`,
    )
    .raw();
  return block => new PostingCursor((attribute, value) => next.all(block, attribute, value), first.all(block));
}

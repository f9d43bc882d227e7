import type {Database} from '../disk/database.js';
import type {KindName} from './kind.js';
import {decodePostings, type Ordinals} from './postings.js';

const ROWS_PER_PAGE = 128;

export interface PostingRow {
  readonly attribute: string;
  readonly value: string;
  ordinals(): Ordinals;
}

type Row = [string, string, Buffer];

/**
 * Walks through the postings of a block in the order of the table: code points of the attribute, then of the value. It
 * reads a page at a time, because no statement may stay open while others write.
 */
export class PostingCursor {
  readonly #page: (attribute: string, value: string) => readonly Row[];
  #rows: readonly Row[];
  #at = 0;

  constructor(page: (attribute: string, value: string) => readonly Row[], first: readonly Row[]) {
    this.#page = page;
    this.#rows = first;
  }

  get current(): PostingRow | undefined {
    const row = this.#rows[this.#at];
    if (row === undefined) return undefined;
    const [attribute, value, blob] = row;
    return {attribute, value, ordinals: () => decodePostings(blob)};
  }

  advance(): void {
    const row = this.#rows[this.#at++];
    if (row === undefined || this.#at < this.#rows.length) return;
    this.#rows = this.#page(row[0], row[1]);
    this.#at = 0;
  }
}

/** Opens cursors on the postings of one kind. */
export function postingCursors(database: Database, kind: KindName): (block: number) => PostingCursor {
  const first = database
    .prepare<[number], Row>(
      `SELECT attribute, value, data FROM ${kind}_postings WHERE block = ? ORDER BY attribute, value LIMIT ${ROWS_PER_PAGE}`,
    )
    .raw();
  const next = database
    .prepare<[number, string, string], Row>(
      `SELECT attribute, value, data FROM ${kind}_postings WHERE block = ? AND (attribute, value) > (?, ?)
       ORDER BY attribute, value LIMIT ${ROWS_PER_PAGE}`,
    )
    .raw();
  return block => new PostingCursor((attribute, value) => next.all(block, attribute, value), first.all(block));
}

import {compareNames} from '../../../../core/api/adapter.js';
import type {TraceModelName} from '../../../../core/toolkit/traces/model.js';
import type {Database} from '../../disk/database.js';
import {PackReader} from './pack-reader.js';
import {PACKED} from './posting-pack.js';

const ROWS_PER_PAGE = 32;
const NOTHING = Buffer.alloc(0);

type Row = readonly [attribute: string, value: Buffer, first: number, data: Buffer];
type Page = (attribute: string, value: string) => readonly Row[];

/**
 * Walks through the postings of a block in the order of the table: code points of the attribute, then of the value. It
 * reads a page at a time, because no statement may stay open while others write. Nothing is made of a value: it is told
 * where it stands.
 */
export class PostingCursor {
  readonly #page: Page;
  #rows: readonly Row[];
  #at = 0;
  #pack: PackReader | undefined;
  isAtEnd = false;
  attribute = '';
  /** The value in UTF-8 lies in `text`. */
  text: Buffer = NOTHING;
  valueAt = 0;
  valueEnd = 0;
  /** And its encoded ordinals in `data`. */
  data: Buffer = NOTHING;
  dataAt = 0;
  dataEnd = 0;

  constructor(page: Page, first: readonly Row[]) {
    this.#page = page;
    this.#rows = first;
    this.#open();
  }

  advance(): void {
    if (this.#pack?.next() === true) {
      this.#read(this.#pack);
      return;
    }
    const row = this.#rows[this.#at];
    if (row === undefined) return;
    if (++this.#at === this.#rows.length) {
      this.#rows = this.#page(row[0], row[1].toString());
      this.#at = 0;
    }
    this.#open();
  }

  /** Less than 0 where the term comes before that of another, 0 where it is the same. */
  compare(other: PostingCursor): number {
    if (this.attribute !== other.attribute) return compareNames(this.attribute, other.attribute);
    const [length, otherLength] = [this.valueEnd - this.valueAt, other.valueEnd - other.valueAt];
    // Bytes of UTF-8 are in the order of the code points.
    for (let at = 0; at < length && at < otherLength; at++) {
      const difference = (this.text[this.valueAt + at] as number) - (other.text[other.valueAt + at] as number);
      if (difference !== 0) return difference;
    }
    return length - otherLength;
  }

  /** Goes to the first value of the row. */
  #open(): void {
    this.#pack = undefined;
    const row = this.#rows[this.#at];
    if (row === undefined) {
      this.isAtEnd = true;
      return;
    }
    const [attribute, value, first, data] = row;
    this.attribute = attribute;
    if (first === PACKED) {
      this.#pack = new PackReader(data);
      this.advance();
      return;
    }
    this.text = value;
    this.valueAt = 0;
    this.valueEnd = value.length;
    this.data = data;
    this.dataAt = 0;
    this.dataEnd = data.length;
  }

  #read({pack, valueAt, valueEnd, dataAt, dataEnd}: PackReader): void {
    this.text = pack;
    this.valueAt = valueAt;
    this.valueEnd = valueEnd;
    this.data = pack;
    this.dataAt = dataAt;
    this.dataEnd = dataEnd;
  }
}

/** Opens cursors on the postings of one model. */
export function postingCursors(database: Database, model: TraceModelName): (block: number) => PostingCursor {
  const fields = 'attribute, CAST(value AS BLOB), first, data';
  const order = `ORDER BY attribute, value LIMIT ${ROWS_PER_PAGE}`;
  const first = database
    .prepare<[number], Row>(`SELECT ${fields} FROM ${model}_postings WHERE block = ? ${order}`)
    .raw();
  const next = database
    .prepare<[number, string, string], Row>(
      `SELECT ${fields} FROM ${model}_postings WHERE block = ? AND (attribute, value) > (?, ?) ${order}`,
    )
    .raw();
  return block => new PostingCursor((attribute, value) => next.all(block, attribute, value), first.all(block));
}

/** Thrown inside when a row goes on in a chunk that has not come yet. */
const INCOMPLETE = Symbol('incomplete');

/**
 * What every statement selects first. The server writes an error that it meets in the middle of an answer after the
 * rows, as text and with the status of success; text never begins with this byte.
 */
export const ROW = 1;

/** The columns of the row that is being decoded, in the order of the statement. */
export interface RowColumns {
  uint8(): number;
  int32(): number;
  /** An integer that must be exact in a double. */
  int64(): number;
  uint64(): bigint;
  float64(): number;
  bytes(size: number): Buffer;
  string(): string;
  /** The bytes of a text. */
  blob(): Buffer;
  strings(): string[];
  int32s(): number[];
  float64s(): number[];
  /** An array of whatever `read` reads. */
  list<Item>(read: () => Item): Item[];
}

/** Decodes rows in the format RowBinary while they come in. */
export class RowReader<T> {
  readonly #decode: (row: RowColumns) => T;
  readonly #row = new Cursor();
  #waiting: Buffer[] = [];
  #waitingBytes = 0;
  /** What was in place of a row: an error of the server. */
  #failure: Buffer | undefined;

  constructor(decode: (row: RowColumns) => T) {
    this.#decode = decode;
  }

  /**
   * Decodes the rows that are complete. A row that spans many chunks is looked at again only when the bytes have
   * doubled, so that a large one is not copied with each chunk.
   */
  push(chunk: Buffer, rows: T[]): void {
    this.#waiting.push(chunk);
    this.#waitingBytes += chunk.length;
    if (this.#waitingBytes >= this.#row.left) this.#decodeAll(rows);
  }

  /** Decodes what is left; the error that the server wrote after the rows, if there is one. */
  end(rows: T[]): string | undefined {
    this.#decodeAll(rows);
    if (this.#failure !== undefined) return this.#failure.toString('utf8');
    return this.#row.left === 0 ? undefined : 'the answer ends in the middle of a row';
  }

  #decodeAll(rows: T[]): void {
    const row = this.#row;
    row.append(this.#waiting);
    this.#waiting = [];
    this.#waitingBytes = 0;
    if (this.#failure !== undefined) this.#failure = row.rest();
    while (row.left > 0 && this.#failure === undefined) {
      const start = row.position;
      try {
        if (row.uint8() === ROW) rows.push(this.#decode(row));
        else this.#failure = row.back(start).rest();
      } catch (error) {
        if (error !== INCOMPLETE) throw error;
        row.back(start);
        return;
      }
    }
  }
}

class Cursor implements RowColumns {
  #bytes: Buffer = Buffer.alloc(0);
  position = 0;

  get left(): number {
    return this.#bytes.length - this.position;
  }

  append(chunks: readonly Buffer[]): void {
    const [only] = chunks;
    this.#bytes =
      this.left === 0 && only !== undefined && chunks.length === 1 ? only : Buffer.concat([this.rest(), ...chunks]);
    this.position = 0;
  }

  back(position: number): this {
    this.position = position;
    return this;
  }

  rest(): Buffer {
    return this.#bytes.subarray(this.position);
  }

  uint8(): number {
    return this.#bytes[this.#take(1)] as number;
  }

  int32(): number {
    return this.#bytes.readInt32LE(this.#take(4));
  }

  int64(): number {
    const from = this.#take(8);
    return this.#bytes.readInt32LE(from + 4) * 0x1_0000_0000 + this.#bytes.readUInt32LE(from);
  }

  uint64(): bigint {
    return this.#bytes.readBigUInt64LE(this.#take(8));
  }

  float64(): number {
    return this.#bytes.readDoubleLE(this.#take(8));
  }

  bytes(size: number): Buffer {
    const from = this.#take(size);
    return this.#bytes.subarray(from, from + size);
  }

  string(): string {
    const size = this.#varint();
    const from = this.#take(size);
    return this.#bytes.toString('utf8', from, from + size);
  }

  blob(): Buffer {
    return this.bytes(this.#varint());
  }

  strings(): string[] {
    const texts: string[] = [];
    for (let count = this.#varint(); count > 0; count--) texts.push(this.string());
    return texts;
  }

  int32s(): number[] {
    return this.list(() => this.int32());
  }

  float64s(): number[] {
    return this.list(() => this.float64());
  }

  list<Item>(read: () => Item): Item[] {
    const items: Item[] = [];
    for (let count = this.#varint(); count > 0; count--) items.push(read());
    return items;
  }

  #varint(): number {
    let value = 0;
    for (let factor = 1; ; factor *= 0x80) {
      const byte = this.uint8();
      value += (byte & 0x7f) * factor;
      if (byte < 0x80) return value;
    }
  }

  /** Where the next `size` bytes begin. */
  #take(size: number): number {
    const from = this.position;
    if (from + size > this.#bytes.length) throw INCOMPLETE;
    this.position = from + size;
    return from;
  }
}

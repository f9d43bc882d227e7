import {formatValue} from '../../diagnostics/exposition/value.js';

/** How many bytes become one piece of a body. */
export const PIECE = 131_072;
/** A value in its longest form, and the end of the line. */
const LONGEST_VALUE = 32;
const END_OF_LINE = 0x0a;

/** Writes lines of the page into pieces of the body, so that no line is a text or a buffer of its own. */
export class PieceWriter {
  #piece = Buffer.allocUnsafeSlow(PIECE);
  #length = 0;
  #full: Buffer[] = [];

  /** A line with its value; the bytes before that are those of `text` between two positions. */
  line(text: Buffer, begin: number, end: number, value: number): void {
    this.#makeRoom(end - begin + LONGEST_VALUE);
    const piece = this.#piece;
    text.copy(piece, this.#length, begin, end);
    let at = this.#length + end - begin;
    // Character by character: for so few, a call of `write` takes longer.
    const written = formatValue(value);
    for (let index = 0; index < written.length; index++) piece[at++] = written.charCodeAt(index);
    piece[at++] = END_OF_LINE;
    this.#length = at;
  }

  text(text: string): void {
    this.#makeRoom(text.length * 3);
    this.#length += this.#piece.write(text, this.#length);
  }

  /** The pieces that have become full since the last time. */
  takeFull(): readonly Buffer[] {
    const full = this.#full;
    this.#full = [];
    return full;
  }

  /** What is left at the end. */
  takeRest(): readonly Buffer[] {
    this.#close();
    return this.takeFull();
  }

  #makeRoom(bytes: number): void {
    if (this.#length + bytes <= this.#piece.length) return;
    this.#close();
    this.#piece = Buffer.allocUnsafeSlow(Math.max(PIECE, bytes));
  }

  #close(): void {
    if (this.#length === 0) return;
    this.#full.push(this.#piece.subarray(0, this.#length));
    this.#piece = this.#piece.subarray(this.#length);
    this.#length = 0;
  }
}

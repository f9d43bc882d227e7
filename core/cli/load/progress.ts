import {SingleBar} from 'cli-progress';
import {redactText} from '../../config/redact.js';
import type {LoadInput} from './input.js';

const CLEAR_LINE = '\r\u001b[K';

/** A bar on a terminal, by stored bytes; nothing elsewhere. Lines for standard error go through it, to stay above it. */
export class Progress {
  readonly #bar: SingleBar | undefined;

  /** `unit`: what is counted, beside the bytes. */
  constructor(inputs: readonly LoadInput[], unit = 'records') {
    if (!process.stderr.isTTY) return;
    const sizes = inputs.map(({bytes}) => bytes);
    const total = sizes.reduce<number>((sum, size) => sum + (size ?? 0), 0);
    // Without the size of every input there is no share to show, only what was done.
    const format = sizes.includes(undefined)
      ? `{records} ${unit} | {duration_formatted}`
      : `{bar} {percentage}% | {records} ${unit} | {eta_formatted} left`;
    this.#bar = new SingleBar({stream: process.stderr, format, hideCursor: true, clearOnComplete: true});
    this.#bar.start(Math.max(total, 1), 0, {records: 0});
  }

  /** So many stored bytes more were read, and so many records are stored by now. */
  read(bytes: number, records: number): void {
    this.#bar?.increment(bytes, {records});
  }

  /** The bar comes back below the line when it is drawn next. */
  line(text: string): void {
    process.stderr.write(`${this.#bar === undefined ? '' : CLEAR_LINE}${redactText(text)}\n`);
  }

  stop(): void {
    this.#bar?.stop();
  }
}

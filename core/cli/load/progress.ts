import {MultiBar, type SingleBar} from 'cli-progress';
import type {Source} from './source.js';

/** A bar on a terminal, by stored bytes; nothing elsewhere. Lines for standard error go through it, to stay above it. */
export class Progress {
  readonly #bars: MultiBar | undefined;
  readonly #bar: SingleBar | undefined;

  constructor(sources: readonly Source[]) {
    if (!process.stderr.isTTY) return;
    const sizes = sources.map(({bytes}) => bytes);
    const total = sizes.reduce<number>((sum, size) => sum + (size ?? 0), 0);
    // Without the size of every source there is no share to show, only what was done.
    const format = sizes.includes(undefined)
      ? '{records} records | {duration_formatted}'
      : '{bar} {percentage}% | {records} records | {eta_formatted} left';
    this.#bars = new MultiBar({stream: process.stderr, format, hideCursor: true, clearOnComplete: true});
    this.#bar = this.#bars.create(Math.max(total, 1), 0, {records: 0});
  }

  /** So many stored bytes more were read, and so many records are stored by now. */
  read(bytes: number, records: number): void {
    this.#bar?.increment(bytes, {records});
  }

  line(text: string): void {
    if (this.#bars === undefined) process.stderr.write(`${text}\n`);
    else this.#bars.log(`${text}\n`);
  }

  stop(): void {
    this.#bars?.stop();
  }
}

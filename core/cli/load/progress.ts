import {MultiBar, type SingleBar} from 'cli-progress';

/** A bar on a terminal, by stored bytes; nothing elsewhere. Lines for standard error go through it, to stay above it. */
export class Progress {
  readonly #bars: MultiBar | undefined;
  readonly #bar: SingleBar | undefined;
  #records = 0;

  /** `total`: stored bytes of all sources; 0 when any is not known, and the bar then only counts. */
  constructor(total: number) {
    if (!process.stderr.isTTY) return;
    const format =
      total > 0
        ? '{bar} {percentage}% | {records} records | {eta_formatted} left'
        : '{records} records | {duration_formatted}';
    this.#bars = new MultiBar({stream: process.stderr, format, hideCursor: true, clearOnComplete: true});
    this.#bar = this.#bars.create(Math.max(total, 1), 0, {records: 0});
  }

  read(bytes: number): void {
    this.#bar?.increment(bytes, {records: this.#records});
  }

  stored(records: number): void {
    this.#records += records;
  }

  line(text: string): void {
    if (this.#bars === undefined) process.stderr.write(`${text}\n`);
    else this.#bars.log(`${text}\n`);
  }

  stop(): void {
    this.#bars?.stop();
  }
}

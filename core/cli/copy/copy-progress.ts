import {SingleBar} from 'cli-progress';
import type {CopyState} from '../../copy/checkpoint.js';
import type {CopyKind, CopyPage} from '../../copy/kind.js';
import {MS_PER_SECOND} from '../../toolkit/time.js';

/** Of the bar, which is drawn by time: a storage does not tell how much it holds. */
const STEPS = 1000;

interface Bounds {
  readonly from?: number;
  readonly to?: number;
}

/**
 * A bar for each kind on a terminal, by how far back in time the copy has come; nothing elsewhere. Where the storage does not
 * tell from when its data is, there is only what was done.
 */
export class CopyProgress {
  readonly #window: Bounds;
  #bar: SingleBar | undefined;
  #kind: CopyKind | undefined;
  #step = 0;
  #units = 0;
  #begun = 0;

  constructor(window: Bounds) {
    this.#window = window;
  }

  page(kind: CopyKind, {units, position}: CopyPage, extent: CopyState['extent']): void {
    if (!process.stderr.isTTY) return;
    if (kind !== this.#kind) this.#begin(kind, extent !== null);
    this.#units += units;
    const [first, last] = this.#bounds(extent);
    if (position !== undefined && last > first) {
      const share = (last - position) / (last - first);
      this.#step = Math.max(this.#step, Math.min(STEPS, Math.round(share * STEPS)));
    }
    const seconds = Math.max(1, performance.now() - this.#begun) / MS_PER_SECOND;
    this.#bar?.update(this.#step, {units: this.#units, rate: Math.round(this.#units / seconds)});
  }

  stop(): void {
    this.#bar?.stop();
    this.#bar = undefined;
    this.#kind = undefined;
  }

  #begin(kind: CopyKind, isBounded: boolean): void {
    this.stop();
    const format = `${kind.title} ${isBounded ? '{bar} {percentage}% | ' : '| '}{units} done | {rate}/s | {duration_formatted}`;
    this.#bar = new SingleBar({stream: process.stderr, format, hideCursor: true, clearOnComplete: true});
    this.#bar.start(STEPS, 0, {units: 0, rate: 0});
    [this.#kind, this.#step, this.#units, this.#begun] = [kind, 0, 0, performance.now()];
  }

  #bounds(extent: CopyState['extent']): readonly [first: number, last: number] {
    const [first, last] = extent ?? [0, 0];
    const {from = first, to = last} = this.#window;
    return [Math.max(first, from), Math.min(last, to)];
  }
}

import {type BucketWindow, STEP_SECONDS, type Step} from '../../../core/api/adapter.js';
import type {Expired} from '../threads/protocol.js';
import {inSlices} from '../threads/slice.js';
import {Accumulator, MINUTES_PER_HOUR} from '../values/accumulator.js';
import {HourBlock} from './hour-block.js';

const HOUR_SECONDS = 3600;
/** The part of the budget for the cells of hours without minutes: enough for some days where minutes last for hours. */
const CELL_SHARE = 0.2;
/** Between two looks at the clock. */
const CELLS_PER_STEP = 1024;

/**
 * The latest hours of every series, in memory on the serving thread: what recent queries are answered from.
 *
 * From the hour `minutesFrom` on the head knows every minute value there is, from `cellsFrom` on every hour value; an hour
 * without a block then has no data. Both borders move back as the filler reads older hours and forward as the budget
 * makes the oldest go.
 */
export class Head {
  readonly #limits: {readonly minutes: number; readonly cells: number};
  readonly #prepare: (series: number, hour: number, cell: Accumulator) => void;
  readonly #blocks = new Map<number, HourBlock>();
  readonly #cell = new Accumulator();
  minutesFrom = Number.NEGATIVE_INFINITY;
  cellsFrom = Number.NEGATIVE_INFINITY;
  /** The hour before `minutesFrom` that is being read from the disk; takes new samples already. */
  #filling: HourBlock | undefined;
  #hoursExpired = Number.NEGATIVE_INFINITY;
  /** The newest hour before the borders that was written since `takeMissed`. */
  #missed = Number.NEGATIVE_INFINITY;

  /** `prepare` resets the accumulator with the rollup that a series has in an hour. */
  constructor(budget: number, prepare: (series: number, hour: number, cell: Accumulator) => void) {
    this.#limits = {minutes: budget * (1 - CELL_SHARE), cells: budget * CELL_SHARE};
    this.#prepare = prepare;
  }

  /** Whether a window can be answered from here. */
  covers({first, step}: BucketWindow): boolean {
    return this.coversFrom(first, step);
  }

  coversFrom(seconds: number, step: Step): boolean {
    const hour = Math.floor(seconds / HOUR_SECONDS);
    if (step === 'minute') return hour >= this.minutesFrom;
    // Days outlive the hours of which the head would make them.
    return hour >= this.cellsFrom && (step === 'hour' || hour >= this.#hoursExpired);
  }

  block(hour: number): HourBlock | undefined {
    return this.#blocks.get(hour);
  }

  /** The blocks of a window's hours, oldest first. */
  blocksOf({first, count, step}: BucketWindow): readonly HourBlock[] {
    const from = Math.floor(first / HOUR_SECONDS);
    const to = Math.ceil((first + count * STEP_SECONDS[step]) / HOUR_SECONDS);
    if (to - from > this.#blocks.size) return this.#oldestFirst().filter(({hour}) => hour >= from && hour < to);
    const blocks: HourBlock[] = [];
    for (let hour = from; hour < to; hour++) {
      const block = this.#blocks.get(hour);
      if (block !== undefined) blocks.push(block);
    }
    return blocks;
  }

  /** The blocks of the hours [first, last], newest first. */
  blocksBetween(first: number, last: number): readonly HourBlock[] {
    return this.#oldestFirst()
      .filter(({hour}) => hour >= first && hour <= last)
      .reverse();
  }

  get bytes(): number {
    return this.#bytesOf('minutes') + this.#bytesOf('cells');
  }

  /** Forgets everything before `hour`, as when the disk has not been read yet. */
  reset(hour: number): void {
    this.#blocks.clear();
    this.#filling = undefined;
    this.minutesFrom = hour;
    this.cellsFrom = hour;
  }

  /** Takes an acknowledged sample. */
  put(series: number, minute: number, value: number): void {
    const hour = Math.floor(minute / MINUTES_PER_HOUR);
    const slot = minute - hour * MINUTES_PER_HOUR;
    if (hour >= this.minutesFrom) {
      let block = this.#blocks.get(hour);
      if (block === undefined) {
        block = new HourBlock(hour);
        this.#blocks.set(hour, block);
      }
      block.put(series, slot, value);
      return;
    }
    if (this.#filling?.hour === hour) this.#filling.put(series, slot, value);
    else this.#missed = Math.max(this.#missed, hour);
    if (hour >= this.cellsFrom) this.dropCells(hour + 1);
  }

  get hasMissed(): boolean {
    return this.#missed !== Number.NEGATIVE_INFINITY;
  }

  /** The newest hour that was written and not kept since the last call; -Infinity for none. */
  takeMissed(): number {
    const missed = this.#missed;
    this.#missed = Number.NEGATIVE_INFINITY;
    return missed;
  }

  beginFill(hour: number): HourBlock {
    this.#filling = new HourBlock(hour);
    return this.#filling;
  }

  /** The filled block becomes the oldest with minutes, or is thrown away. */
  endFill(keep: boolean): void {
    const block = this.#filling;
    this.#filling = undefined;
    if (block === undefined || !keep) return;
    this.#blocks.set(block.hour, block);
    this.minutesFrom = block.hour;
    this.cellsFrom = Math.min(this.cellsFrom, block.hour);
  }

  /** Adds blocks of cells for the hours from `hour` on that had none. An hour with minutes makes its own. */
  addCells(hour: number, blocks: readonly HourBlock[]): void {
    for (const block of blocks) if (!this.#blocks.has(block.hour)) this.#blocks.set(block.hour, block);
    this.cellsFrom = hour;
  }

  /** Nothing older exists on the disk. */
  complete(step: 'minute' | 'hour'): void {
    if (step === 'minute') this.minutesFrom = Number.NEGATIVE_INFINITY;
    else this.cellsFrom = Number.NEGATIVE_INFINITY;
  }

  dropCells(before: number): void {
    for (const [hour, block] of this.#blocks) {
      if (hour < before && !block.hasMinutes) this.#blocks.delete(hour);
    }
    this.cellsFrom = Math.max(this.cellsFrom, before);
  }

  /** Forgets what has expired on the disk. */
  expire({minutes, hours}: Expired): void {
    for (const block of this.#oldestFirst()) {
      if (block.hour < minutes) this.#dropMinutes(block);
      if (block.hour < hours) this.#blocks.delete(block.hour);
    }
    this.#hoursExpired = hours;
  }

  /** Room for one more hour of minutes, or a few more of cells, of this size. */
  hasRoom(kind: 'minutes' | 'cells', bytes: number): boolean {
    return this.#bytesOf(kind) + bytes <= this.#limits[kind];
  }

  /**
   * Drops the oldest minutes, then the oldest cells, until the budget holds. The cells that are left of minutes are made
   * before, and other events have their turn meanwhile: an hour may have hundreds of thousands of series.
   */
  async evict(): Promise<void> {
    for (const block of this.#excess('minutes')) {
      await inSlices(block.size, (from, to) => this.#makeCells(block, from, to), CELLS_PER_STEP);
      if (this.#blocks.get(block.hour) === block) this.#dropMinutes(block);
    }
    for (const block of this.#excess('cells')) this.dropCells(block.hour + 1);
  }

  /** The oldest blocks, which the budget has no room for. */
  #excess(kind: 'minutes' | 'cells'): readonly HourBlock[] {
    let excess = this.#bytesOf(kind) - this.#limits[kind];
    if (excess <= 0) return [];
    return this.#oldestFirst()
      .filter(({hasMinutes}) => hasMinutes === (kind === 'minutes'))
      .filter(({bytes}) => {
        const isExcess = excess > 0;
        excess -= bytes;
        return isExcess;
      });
  }

  #makeCells(block: HourBlock, from: number, to: number): void {
    if (block.hasMinutes)
      block.makeCells(from, to, this.#cell, series => this.#prepare(series, block.hour, this.#cell));
  }

  #dropMinutes(block: HourBlock): void {
    if (!block.hasMinutes) return;
    block.dropMinutes(this.#cell, series => this.#prepare(series, block.hour, this.#cell));
    this.minutesFrom = Math.max(this.minutesFrom, block.hour + 1);
  }

  #bytesOf(kind: 'minutes' | 'cells'): number {
    let bytes = kind === 'minutes' ? (this.#filling?.bytes ?? 0) : 0;
    for (const block of this.#blocks.values()) if (block.hasMinutes === (kind === 'minutes')) bytes += block.bytes;
    return bytes;
  }

  #oldestFirst(): readonly HourBlock[] {
    return [...this.#blocks.values()].sort((a, b) => a.hour - b.hour);
  }
}

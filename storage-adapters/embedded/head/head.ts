import {type BucketWindow, STEP_SECONDS, type Step} from '../../../core/api/adapter.js';
import {MINUTES_PER_HOUR, SECONDS_PER_HOUR} from '../../../core/toolkit/time.js';
import {forEachRange} from '../threads/ranges.js';
import type {RetentionCutOffs} from '../threads/writer-protocol.js';
import {Accumulator} from '../values/accumulator.js';
import {HourBlock} from './hour-block.js';

/**
 * The part of the budget for the partial aggregates of hours without minutes: enough for some days where minutes last
 * for hours.
 */
const PARTIAL_SHARE = 0.2;
/** Between two looks at the clock. */
const PARTIALS_PER_STEP = 1024;
const NOTHING_EXPIRED: RetentionCutOffs = {
  minutes: Number.NEGATIVE_INFINITY,
  hours: Number.NEGATIVE_INFINITY,
  daysAlone: Number.NEGATIVE_INFINITY,
};

/**
 * The latest hours of every series, in memory on the serving thread: what recent queries are answered from.
 *
 * From the hour `minutesFrom` on the head knows every minute value there is, from `partialsFrom` on every hour value;
 * an hour without a block then has no data. Both bounds move back as the filler reads older hours and forward as the
 * budget makes the oldest go.
 */
export class Head {
  readonly #limits: {readonly minutes: number; readonly partials: number};
  readonly #prepare: (series: number, hour: number, partial: Accumulator) => void;
  readonly #blocks = new Map<number, HourBlock>();
  readonly #partial = new Accumulator();
  minutesFrom = Number.NEGATIVE_INFINITY;
  partialsFrom = Number.NEGATIVE_INFINITY;
  /** The hour before `minutesFrom` that is being read from the disk; takes new samples already. */
  #filling: HourBlock | undefined;
  /** What was expired last, which nothing that is still being read of it brings back. */
  #cutOffs: RetentionCutOffs = NOTHING_EXPIRED;
  /** The newest hour before these bounds that was written since `takeMissed`. */
  #missed = Number.NEGATIVE_INFINITY;

  /** `prepare` resets the accumulator with the rollup that a series has in an hour. */
  constructor(budget: number, prepare: (series: number, hour: number, partial: Accumulator) => void) {
    this.#limits = {minutes: budget * (1 - PARTIAL_SHARE), partials: budget * PARTIAL_SHARE};
    this.#prepare = prepare;
  }

  /** Whether a window can be answered from here. */
  covers({first, step}: BucketWindow): boolean {
    return this.coversFrom(first, step);
  }

  coversFrom(seconds: number, step: Step): boolean {
    const hour = Math.floor(seconds / SECONDS_PER_HOUR);
    if (step === 'minute') return hour >= this.minutesFrom;
    // Days outlive the hours of which the head would make them.
    return hour >= this.partialsFrom && (step === 'hour' || hour >= this.#cutOffs.daysAlone);
  }

  block(hour: number): HourBlock | undefined {
    return this.#blocks.get(hour);
  }

  /** The blocks of a window's hours, oldest first. */
  blocksOf({first, count, step}: BucketWindow): readonly HourBlock[] {
    const from = Math.floor(first / SECONDS_PER_HOUR);
    const to = Math.ceil((first + count * STEP_SECONDS[step]) / SECONDS_PER_HOUR);
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
    return this.#bytesOf('minutes') + this.#bytesOf('partials');
  }

  /** Forgets everything before `hour`, as when the disk has not been read yet. */
  reset(hour: number): void {
    this.#blocks.clear();
    this.#filling = undefined;
    this.minutesFrom = hour;
    this.partialsFrom = hour;
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
    if (hour >= this.partialsFrom) this.dropPartials(hour + 1);
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
    if (block === undefined || !keep || block.hour < this.#cutOffs.minutes) return;
    this.#blocks.set(block.hour, block);
    this.minutesFrom = block.hour;
    this.partialsFrom = Math.min(this.partialsFrom, block.hour);
  }

  /** Adds blocks of partial aggregates for the hours from `hour` on that had none. An hour with minutes makes its own. */
  addPartials(hour: number, blocks: readonly HourBlock[]): void {
    for (const block of blocks) {
      if (block.hour >= this.#cutOffs.hours && !this.#blocks.has(block.hour)) this.#blocks.set(block.hour, block);
    }
    this.partialsFrom = hour;
  }

  /** Nothing older exists on the disk. */
  complete(step: 'minute' | 'hour'): void {
    if (step === 'minute') this.minutesFrom = Number.NEGATIVE_INFINITY;
    else this.partialsFrom = Number.NEGATIVE_INFINITY;
  }

  dropPartials(before: number): void {
    for (const [hour, block] of this.#blocks) {
      if (hour < before && !block.hasMinutes) this.#blocks.delete(hour);
    }
    this.partialsFrom = Math.max(this.partialsFrom, before);
  }

  /** Forgets what has expired on the disk. */
  expire(cutOffs: RetentionCutOffs): void {
    const {minutes, hours} = cutOffs;
    for (const block of this.#oldestFirst()) {
      if (block.hour < minutes) this.#dropMinutes(block);
      if (block.hour < hours) this.#blocks.delete(block.hour);
    }
    this.#cutOffs = cutOffs;
  }

  /** Forgets what is before `hour`, where the disk has got other hours and days; also what is being read of it now. */
  forget(hour: number): void {
    for (const block of this.#oldestFirst()) if (block.hour < hour) this.#blocks.delete(block.hour);
    this.minutesFrom = Math.max(this.minutesFrom, hour);
    this.partialsFrom = Math.max(this.partialsFrom, hour);
    this.#missed = Math.max(this.#missed, hour - 1);
  }

  /** Room for one more hour of minutes, or a few more of partial aggregates, of this size. */
  hasRoom(kind: 'minutes' | 'partials', bytes: number): boolean {
    return this.#bytesOf(kind) + bytes <= this.#limits[kind];
  }

  /**
   * Drops the oldest minutes, then the oldest partial aggregates, until the budget holds. The partial aggregates that
   * are left of minutes are made before, and other events have their turn meanwhile: an hour may have hundreds of
   * thousands of series.
   */
  async evict(): Promise<void> {
    for (const block of this.#excess('minutes')) {
      await forEachRange(block.size, (from, to) => this.#makePartials(block, from, to), PARTIALS_PER_STEP);
      if (this.#blocks.get(block.hour) === block) this.#dropMinutes(block);
    }
    for (const block of this.#excess('partials')) this.dropPartials(block.hour + 1);
  }

  /** The oldest blocks, which the budget has no room for. */
  #excess(kind: 'minutes' | 'partials'): readonly HourBlock[] {
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

  #makePartials(block: HourBlock, from: number, to: number): void {
    if (block.hasMinutes)
      block.makePartials(from, to, this.#partial, series => this.#prepare(series, block.hour, this.#partial));
  }

  #dropMinutes(block: HourBlock): void {
    if (!block.hasMinutes) return;
    block.dropMinutes(this.#partial, series => this.#prepare(series, block.hour, this.#partial));
    this.minutesFrom = Math.max(this.minutesFrom, block.hour + 1);
  }

  #bytesOf(kind: 'minutes' | 'partials'): number {
    let bytes = kind === 'minutes' ? (this.#filling?.bytes ?? 0) : 0;
    for (const block of this.#blocks.values()) if (block.hasMinutes === (kind === 'minutes')) bytes += block.bytes;
    return bytes;
  }

  #oldestFirst(): readonly HourBlock[] {
    return [...this.#blocks.values()].sort((a, b) => a.hour - b.hour);
  }
}

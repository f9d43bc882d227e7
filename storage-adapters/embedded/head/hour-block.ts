import {MINUTES_PER_HOUR} from '../../../core/toolkit/time.js';
import {type Accumulator, NO_REMAINDER, type Remainder} from '../values/accumulator.js';

const SLOTS_PER_PAGE = 64;
const PAGE = SLOTS_PER_PAGE * MINUTES_PER_HOUR;
/** In place of the number of minutes: the partial aggregate has to be made from the minutes again. */
const STALE = 255;
const NO_SLOT = -1;

/** A total in the making. */
interface MinuteSink {
  addMinutes(values: Float64Array, from: number, to: number): void;
}

/** A mean of buckets in the making. */
interface BucketSink {
  add(total: number, minutes: number): void;
}

/**
 * One hour of every series that has values in it: minutes in pages of typed arrays (NaN is no value), and beside them
 * each series' partial aggregate (see `Accumulator`), made when it is first asked for. The minutes can be dropped and
 * the partial aggregates stay.
 */
export class HourBlock {
  readonly hour: number;
  #slots = new Int32Array(0);
  #series = new Int32Array(0);
  #pages: Float64Array[] | undefined = [];
  #values = new Float64Array(0);
  #counts = new Uint8Array(0);
  /** The first double that the value of each slot has left out, from when one has; further ones beside it. */
  #remainders: Float64Array | undefined;
  readonly #further = new Map<number, Remainder>();
  #size = 0;

  constructor(hour: number) {
    this.hour = hour;
  }

  /** A block without minutes. */
  static ofPartials(hour: number): HourBlock {
    const block = new HourBlock(hour);
    block.#pages = undefined;
    return block;
  }

  get bytes(): number {
    const pages = (this.#pages?.length ?? 0) * PAGE * 8;
    return pages + this.#slots.length * 4 + this.#series.length * 13 + (this.#remainders?.length ?? 0) * 8;
  }

  get hasMinutes(): boolean {
    return this.#pages !== undefined;
  }

  put(series: number, minute: number, value: number): void {
    const slot = this.#slotFor(series);
    const page = this.#pages?.[Math.floor(slot / SLOTS_PER_PAGE)];
    if (page === undefined) return;
    page[(slot % SLOTS_PER_PAGE) * MINUTES_PER_HOUR + minute] = value;
    this.#counts[slot] = STALE;
  }

  /** Adds 60 minutes that were read from the disk; what was put since stands. */
  fill(series: number, minutes: Float64Array, from: number): void {
    const slot = this.#slotFor(series);
    const page = this.#pages?.[Math.floor(slot / SLOTS_PER_PAGE)];
    if (page === undefined) return;
    const to = (slot % SLOTS_PER_PAGE) * MINUTES_PER_HOUR;
    for (let i = 0; i < MINUTES_PER_HOUR; i++) {
      if (Number.isNaN(page[to + i])) page[to + i] = minutes[from + i] as number;
    }
    this.#counts[slot] = STALE;
  }

  /** Sets a partial aggregate that was read from the disk, in a block without minutes. */
  fillPartial(series: number, value: number, count: number, remainder: Remainder): void {
    this.#keepPartial(this.#slotFor(series), value, count, remainder);
  }

  /** Copies the minutes [from, to) of a series to `at`, and marks those that have a value. Returns their number. */
  copy(series: number, from: number, to: number, values: Float64Array, present: Uint8Array, at: number): number {
    const slot = this.#slot(series);
    if (slot === NO_SLOT || this.#pages === undefined) return 0;
    const page = this.#pages[Math.floor(slot / SLOTS_PER_PAGE)] as Float64Array;
    const base = (slot % SLOTS_PER_PAGE) * MINUTES_PER_HOUR;
    let found = 0;
    for (let minute = from; minute < to; minute++) {
      const value = page[base + minute] as number;
      if (Number.isNaN(value)) continue;
      values[at + minute - from] = value;
      present[at + minute - from] = 1;
      found++;
    }
    return found;
  }

  /** Adds the minutes [from, to) of a series to `total`. */
  addMinutes(series: number, from: number, to: number, total: MinuteSink): void {
    const slot = this.#slot(series);
    if (slot === NO_SLOT || this.#pages === undefined) return;
    const page = this.#pages[Math.floor(slot / SLOTS_PER_PAGE)] as Float64Array;
    const base = (slot % SLOTS_PER_PAGE) * MINUTES_PER_HOUR;
    total.addMinutes(page, base + from, base + to);
  }

  /** Makes `partial` the partial aggregate of a series: reset with its rollup, and filled. False when there is none. */
  readPartial(series: number, partial: Accumulator): boolean {
    const slot = this.#slot(series);
    if (slot === NO_SLOT) return false;
    if (this.#counts[slot] === STALE) {
      this.addMinutes(series, 0, MINUTES_PER_HOUR, partial);
      this.#keepPartial(slot, partial.value, partial.count, partial.remainder);
    } else {
      partial.addPartial(this.#values[slot] as number, this.#counts[slot] as number, this.#remainder(slot));
    }
    return partial.count > 0;
  }

  /**
   * Adds the hour of a series to `mean` as its value, or the total and the number of minutes where the value is their mean.
   * `partial` is reset with the rollup. Adds nothing when there is no value.
   */
  addValueTo(series: number, partial: Accumulator, isMean: boolean, mean: BucketSink): void {
    const slot = this.#slot(series);
    if (slot === NO_SLOT) return;
    if (this.#counts[slot] === STALE) this.readPartial(series, partial);
    const count = this.#counts[slot] as number;
    if (count > 0) mean.add(this.#values[slot] as number, isMean ? count : 1);
  }

  /** Its series are in the slots [0, size). */
  get size(): number {
    return this.#size;
  }

  /**
   * Makes the partial aggregates of the slots [from, to) that have none. `prepare` resets the accumulator with the
   * rollup of a series.
   */
  makePartials(from: number, to: number, partial: Accumulator, prepare: (series: number) => void): void {
    for (let slot = from; slot < to; slot++) {
      if (this.#counts[slot] !== STALE) continue;
      const series = this.#series[slot] as number;
      prepare(series);
      this.readPartial(series, partial);
    }
  }

  /** Frees the minutes, and makes the partial aggregates that they are still needed for. */
  dropMinutes(partial: Accumulator, prepare: (series: number) => void): void {
    this.makePartials(0, this.#size, partial, prepare);
    this.#pages = undefined;
  }

  #keepPartial(slot: number, value: number, count: number, remainder: Remainder): void {
    this.#values[slot] = value;
    this.#counts[slot] = count;
    const [first = 0, ...further] = remainder;
    if (first !== 0) this.#remainders ??= new Float64Array(this.#series.length);
    if (this.#remainders !== undefined) this.#remainders[slot] = first;
    if (further.length > 0) this.#further.set(slot, further);
    else if (this.#further.size > 0) this.#further.delete(slot);
  }

  #remainder(slot: number): Remainder {
    const first = this.#remainders?.[slot] ?? 0;
    return first === 0 ? NO_REMAINDER : [first, ...(this.#further.get(slot) ?? NO_REMAINDER)];
  }

  #slot(series: number): number {
    return (this.#slots[series] ?? 0) - 1;
  }

  #slotFor(series: number): number {
    const known = this.#slot(series);
    if (known !== NO_SLOT) return known;
    if (series >= this.#slots.length) this.#slots = grown(this.#slots, series + 1);
    const slot = this.#size++;
    this.#slots[series] = slot + 1;
    if (slot >= this.#series.length) {
      this.#series = grown(this.#series, slot + 1);
      this.#values = grown(this.#values, slot + 1);
      this.#counts = grown(this.#counts, slot + 1);
      if (this.#remainders !== undefined) this.#remainders = grown(this.#remainders, slot + 1);
    }
    this.#series[slot] = series;
    if (this.#pages !== undefined && slot % SLOTS_PER_PAGE === 0) {
      this.#pages.push(new Float64Array(PAGE).fill(Number.NaN));
    }
    return slot;
  }
}

/** A longer copy, with room to grow further. */
function grown<Column extends Int32Array | Float64Array | Uint8Array>(column: Column, length: number): Column {
  const longer = new (column.constructor as new (length: number) => Column)(Math.ceil(length * 1.25) + 16);
  longer.set(column);
  return longer;
}

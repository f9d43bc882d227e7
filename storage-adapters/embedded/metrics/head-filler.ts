import {setTimeout as sleep} from 'node:timers/promises';
import type {Logger} from '../../../core/api/adapter.js';
import {HOURS_PER_DAY, MINUTES_PER_HOUR} from '../../../core/toolkit/time.js';
import type {Head} from '../head/head.js';
import {HourBlock} from '../head/hour-block.js';
import type {ReaderPool} from '../threads/reader-pool.js';
import {NO_REMAINDER} from '../values/accumulator.js';
import type {EmbeddedCatalog} from './catalog.js';
import type {MetricRecord} from './metric-records.js';

/** How long to wait after older hours were written, so that a load of old data is not read back while it runs. */
const QUIET_FOR = 1_000;
const RETRY = 5_000;
const SERIES_PER_READ = 4096;

/**
 * Reads older hours into the head while its budget has room, newest first: minutes, then the partial aggregates of
 * still older hours.
 */
export class HeadFiller {
  readonly #head: Head;
  readonly #catalog: EmbeddedCatalog;
  readonly #readers: ReaderPool;
  readonly #log: Logger;
  readonly #floor: () => number;
  readonly #stop = new AbortController();
  #running: Promise<void> | undefined;
  #again = false;

  /** Hours before `floor` are more than their minutes, so that these are not read. */
  constructor(head: Head, catalog: EmbeddedCatalog, readers: ReaderPool, log: Logger, floor: () => number) {
    this.#floor = floor;
    this.#head = head;
    this.#catalog = catalog;
    this.#readers = readers;
    this.#log = log;
  }

  start(): void {
    this.#running ??= this.#run().finally(() => {
      this.#running = undefined;
    });
  }

  /** Older hours were written: what can be kept of them is read once nothing more comes. */
  async refill(): Promise<void> {
    if (this.#again) return;
    this.#again = true;
    await sleep(QUIET_FOR, undefined, {ref: false, signal: this.#stop.signal}).catch(() => undefined);
    this.#again = false;
    if (!this.#stop.signal.aborted) this.start();
  }

  /** Resolves when nothing is being read. */
  async settled(): Promise<void> {
    await this.#running;
  }

  async stop(): Promise<void> {
    this.#stop.abort();
    await this.#running;
  }

  async #run(): Promise<void> {
    while (!this.#stop.signal.aborted) {
      try {
        if (await this.#fillMinutes()) continue;
        if (await this.#fillPartials()) continue;
        return;
      } catch (error) {
        this.#head.endFill(false);
        if (this.#stop.signal.aborted) return;
        this.#log.warn('reading recent hours into memory failed', {err: error});
        await sleep(RETRY, undefined, {ref: false, signal: this.#stop.signal}).catch(() => undefined);
      }
    }
  }

  /** Reads one more hour; false when there is no more, or no room. */
  async #fillMinutes(): Promise<boolean> {
    const before = this.#head.minutesFrom;
    if (!Number.isFinite(before) || !this.#head.hasRoom('minutes', this.#expectedBytes())) return false;
    this.#head.takeMissed();
    const hour = await this.#readers.call('newestHour', {before, step: 'minute'});
    if (hour === null) {
      if (this.#head.takeMissed() === Number.NEGATIVE_INFINITY) this.#head.complete('minute');
      return true;
    }
    if (hour < this.#floor()) return false;
    const block = this.#head.beginFill(hour);
    for (const metric of this.#catalog.metrics.all()) {
      for (const series of partsOf(metric)) await this.#readMinutes(metric, series, block);
    }
    // A younger hour that was written meanwhile, or eviction, would leave a hole between this hour and the rest.
    const missed = this.#head.takeMissed();
    this.#head.endFill(missed <= hour && this.#head.minutesFrom === before);
    return true;
  }

  async #readMinutes(metric: MetricRecord, series: Int32Array, block: HourBlock): Promise<void> {
    const first = block.hour * MINUTES_PER_HOUR;
    const {id, rollups} = metric;
    const window = {metric: id, series, rollups, step: 'minute', first, count: MINUTES_PER_HOUR} as const;
    const {values} = await this.#readers.call('values', window, this.#stop.signal);
    for (const [i, one] of series.entries()) {
      if (hasValue(values, i * MINUTES_PER_HOUR)) block.fill(one, values, i * MINUTES_PER_HOUR);
    }
  }

  /** Reads one more day of partial aggregates; false when there is no more, or no room. */
  async #fillPartials(): Promise<boolean> {
    const before = this.#head.partialsFrom;
    if (!Number.isFinite(before) || !this.#head.hasRoom('partials', this.#catalog.seriesCount * 17 * HOURS_PER_DAY))
      return false;
    this.#head.takeMissed();
    const hour = await this.#readers.call('newestHour', {before, step: 'hour'});
    if (hour === null) {
      if (this.#head.takeMissed() === Number.NEGATIVE_INFINITY) this.#head.complete('hour');
      return true;
    }
    const first = Math.floor(hour / HOURS_PER_DAY) * HOURS_PER_DAY;
    const blocks = new Map<number, HourBlock>();
    for (const metric of this.#catalog.metrics.all()) {
      for (const series of partsOf(metric)) await this.#readPartials(metric, series, first, before, blocks);
    }
    if (this.#head.takeMissed() < first && this.#head.partialsFrom === before) {
      this.#head.addPartials(first, [...blocks.values()]);
    }
    return true;
  }

  async #readPartials(
    metric: MetricRecord,
    series: Int32Array,
    first: number,
    before: number,
    blocks: Map<number, HourBlock>,
  ): Promise<void> {
    const {id, rollups} = metric;
    const window = {metric: id, series, rollups, step: 'hour', first, count: HOURS_PER_DAY} as const;
    const {values, counts, remainders} = await this.#readers.call('partials', window, this.#stop.signal);
    for (const [i, count] of counts.entries()) {
      const hour = first + (i % HOURS_PER_DAY);
      if (count === 0 || hour >= before) continue;
      let block = blocks.get(hour);
      if (block === undefined) {
        block = HourBlock.ofPartials(hour);
        blocks.set(hour, block);
      }
      const one = series[Math.floor(i / HOURS_PER_DAY)] ?? 0;
      block.fillPartial(one, values[i] ?? Number.NaN, count, remainders.get(i) ?? NO_REMAINDER);
    }
  }

  /** Every series with a full hour: more than most hours take. */
  #expectedBytes(): number {
    return this.#catalog.seriesCount * (MINUTES_PER_HOUR * 8 + 17);
  }
}

/** The ids of a metric's series, ascending, in parts that are read and taken over within a few milliseconds. */
function* partsOf({series}: MetricRecord): Iterable<Int32Array> {
  const ids = Int32Array.from(series, ({id}) => id).sort();
  for (let from = 0; from < ids.length; from += SERIES_PER_READ) yield ids.slice(from, from + SERIES_PER_READ);
}

function hasValue(values: Float64Array, from: number): boolean {
  for (let i = from; i < from + MINUTES_PER_HOUR; i++) if (!Number.isNaN(values[i])) return true;
  return false;
}

import {performance} from 'node:perf_hooks';
import {MINUTES_PER_HOUR, MS_PER_HOUR, MS_PER_MINUTE} from '../../../../core/toolkit/time.js';
import type {Database} from '../../disk/database.js';
import {HourReader} from '../tables/hour-reader.js';
import type {KnownMetrics} from '../tables/known-metrics.js';
import {CompactionTables} from './compaction-tables.js';
import {HourCompaction} from './hour-compaction.js';

/** An hour is compacted when it has been over for this long and nothing was written to it for a while. */
const CLOSED_FOR = 2 * MS_PER_MINUTE;
const QUIET_FOR = 2_000;
const SERIES_PER_COMPACTION = 2048;

/** Compacts closed hours in small steps, oldest first. */
export class EmbeddedCompactionJob {
  readonly #tables: CompactionTables;
  readonly #known: KnownMetrics;
  /** Metric → hour with unmerged rows → when it was last written, by the clock of `performance`. */
  readonly #unmerged = new Map<number, Map<number, number>>();
  #compaction: HourCompaction | undefined;
  /** The series of the compaction's hour that come after it. */
  #rest: readonly number[] = [];
  compactionTime = 0;
  compactedHours = 0;

  constructor(database: Database, known: KnownMetrics) {
    this.#tables = new CompactionTables(database);
    this.#known = known;
    this.#findUnmergedHours(new HourReader(database));
  }

  /** New unmerged rows: a compaction of the same hour has to begin anew. */
  touched(metric: number, hour: number): void {
    let hours = this.#unmerged.get(metric);
    if (hours === undefined) {
      hours = new Map();
      this.#unmerged.set(metric, hours);
    }
    hours.set(hour, performance.now());
    if (this.#compaction?.metric === metric && this.#compaction.hour === hour) this.#compaction = undefined;
  }

  /** Does one step at the time `now`; false when nothing is due. With `flush`, hours count as quiet at once. */
  step(now: number, flush: boolean): boolean {
    const start = performance.now();
    this.#compaction ??= this.#begin(now, start, flush);
    if (this.#compaction === undefined) return false;
    if (this.#compaction.step()) this.#finish(this.#compaction);
    this.compactionTime += performance.now() - start;
    return true;
  }

  /** The oldest hour that still has unmerged rows; Infinity when none has. */
  oldestUnmerged(): number {
    let oldest = Number.POSITIVE_INFINITY;
    for (const hours of this.#unmerged.values()) for (const hour of hours.keys()) oldest = Math.min(oldest, hour);
    return oldest;
  }

  /** Milliseconds since when the compaction that waits longest has been due, at the time `now`; 0 when none is. */
  lag(now: number): number {
    const clock = performance.now();
    let longest = 0;
    for (const hours of this.#unmerged.values()) {
      for (const [hour, written] of hours) {
        const closed = now - CLOSED_FOR - (hour + 1) * MS_PER_HOUR;
        longest = Math.max(longest, Math.min(closed, clock - written - QUIET_FOR));
      }
    }
    return longest;
  }

  #finish(compaction: HourCompaction): void {
    this.#compaction = this.#next(compaction.metric, compaction.hour);
    if (this.#compaction !== undefined) return;
    this.#unmerged.get(compaction.metric)?.delete(compaction.hour);
    this.compactedHours++;
  }

  #begin(now: number, clock: number, flush: boolean): HourCompaction | undefined {
    const closed = Math.floor((now - CLOSED_FOR) / MS_PER_HOUR);
    let oldest: {metric: number; hour: number} | undefined;
    for (const [metric, hours] of this.#unmerged) {
      for (const [hour, written] of hours) {
        if (hour >= closed || (!flush && clock - written < QUIET_FOR)) continue;
        if (oldest === undefined || hour < oldest.hour) oldest = {metric, hour};
      }
    }
    if (oldest === undefined) return undefined;
    this.#rest = this.#known.series(oldest.metric);
    return this.#next(oldest.metric, oldest.hour);
  }

  #next(metric: number, hour: number): HourCompaction | undefined {
    if (this.#rest.length === 0) return undefined;
    const series = Int32Array.from(this.#rest.slice(0, SERIES_PER_COMPACTION));
    this.#rest = this.#rest.slice(SERIES_PER_COMPACTION);
    return new HourCompaction(this.#tables, metric, hour, series, this.#known.rollups(metric));
  }

  #findUnmergedHours(reader: HourReader): void {
    const end = Number.MAX_SAFE_INTEGER;
    for (const metric of this.#known.metrics()) {
      let minute = reader.firstUnmerged(metric, -end, end);
      while (minute !== undefined) {
        const hour = Math.floor(minute / MINUTES_PER_HOUR);
        this.touched(metric, hour);
        minute = reader.firstUnmerged(metric, (hour + 1) * MINUTES_PER_HOUR, end);
      }
    }
  }
}

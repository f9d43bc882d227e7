import {performance} from 'node:perf_hooks';
import type {Database} from '../../disk/database.js';
import type {Retention} from '../../retention/job.js';
import {MINUTES_PER_HOUR} from '../../values/accumulator.js';
import {HourReader} from '../tables/hour-reader.js';
import type {KnownMetrics} from '../tables/known-metrics.js';
import {FoldTables} from './compaction-tables.js';
import {Fold} from './hour-compaction.js';

const HOUR = 3_600_000;
/** An hour is folded when it has been over for this long and nothing was written to it for a while. */
const CLOSED_FOR = 120_000;
const QUIET_FOR = 2_000;
const SERIES_PER_FOLD = 2048;

/** Folds and removes in small steps, oldest first. */
export class Maintenance {
  readonly #tables: FoldTables;
  readonly #known: KnownMetrics;
  readonly #retention: Retention;
  /** Metric → hour with hot rows → when it was last written, by the clock of `performance`. */
  readonly #hot = new Map<number, Map<number, number>>();
  #fold: Fold | undefined;
  /** The series of the fold's hour that come after it. */
  #rest: readonly number[] = [];
  foldTime = 0;
  foldedHours = 0;

  constructor(database: Database, known: KnownMetrics, retention: Retention) {
    this.#tables = new FoldTables(database);
    this.#known = known;
    this.#retention = retention;
    this.#findHotHours(new HourReader(database));
  }

  /** New hot rows: a fold of the same hour has to begin anew. */
  touched(metric: number, hour: number): void {
    let hours = this.#hot.get(metric);
    if (hours === undefined) {
      hours = new Map();
      this.#hot.set(metric, hours);
    }
    hours.set(hour, performance.now());
    if (this.#fold?.metric === metric && this.#fold.hour === hour) this.#fold = undefined;
  }

  /** Does one step; false when nothing is due. Retention goes by the time that is `believed`. With `hurry`, hours count as quiet at once. */
  step(now: number, believed: number, hurry: boolean): boolean {
    const start = performance.now();
    this.#fold ??= this.#begin(now, start, hurry);
    if (this.#fold === undefined) return this.#retention.step(believed, this.#oldestHot());
    if (this.#fold.step()) this.#finish(this.#fold);
    this.foldTime += performance.now() - start;
    return true;
  }

  #finish(fold: Fold): void {
    this.#fold = this.#next(fold.metric, fold.hour);
    if (this.#fold !== undefined) return;
    this.#hot.get(fold.metric)?.delete(fold.hour);
    this.foldedHours++;
  }

  #begin(now: number, clock: number, hurry: boolean): Fold | undefined {
    const closed = Math.floor((now - CLOSED_FOR) / HOUR);
    let oldest: {metric: number; hour: number} | undefined;
    for (const [metric, hours] of this.#hot) {
      for (const [hour, written] of hours) {
        if (hour >= closed || (!hurry && clock - written < QUIET_FOR)) continue;
        if (oldest === undefined || hour < oldest.hour) oldest = {metric, hour};
      }
    }
    if (oldest === undefined) return undefined;
    this.#rest = this.#known.series(oldest.metric);
    return this.#next(oldest.metric, oldest.hour);
  }

  #next(metric: number, hour: number): Fold | undefined {
    if (this.#rest.length === 0) return undefined;
    const series = Int32Array.from(this.#rest.slice(0, SERIES_PER_FOLD));
    this.#rest = this.#rest.slice(SERIES_PER_FOLD);
    return new Fold(this.#tables, metric, hour, series, this.#known.rollups(metric));
  }

  #oldestHot(): number {
    let oldest = Number.POSITIVE_INFINITY;
    for (const hours of this.#hot.values()) for (const hour of hours.keys()) oldest = Math.min(oldest, hour);
    return oldest;
  }

  #findHotHours(reader: HourReader): void {
    const end = Number.MAX_SAFE_INTEGER;
    for (const metric of this.#known.metrics()) {
      let minute = reader.firstHot(metric, -end, end);
      while (minute !== undefined) {
        const hour = Math.floor(minute / MINUTES_PER_HOUR);
        this.touched(metric, hour);
        minute = reader.firstHot(metric, (hour + 1) * MINUTES_PER_HOUR, end);
      }
    }
  }
}

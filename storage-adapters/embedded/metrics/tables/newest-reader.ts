import {HOURS_PER_DAY, MINUTES_PER_HOUR} from '../../../../core/toolkit/time.js';
import type {Database} from '../../disk/database.js';

/** Tells which hours have data at all, so that gaps are skipped rather than read. */
export class NewestReader {
  readonly #metrics;
  readonly #unmerged;
  readonly #minutes;
  readonly #hours;

  constructor(database: Database) {
    this.#metrics = database.prepare<[], number>('SELECT id FROM metrics').pluck();
    const newest = (sql: string) => database.prepare<[number, number], number>(sql).pluck();
    this.#unmerged = newest('SELECT minute FROM hot WHERE metric = ? AND minute < ? ORDER BY minute DESC LIMIT 1');
    this.#minutes = newest('SELECT hour FROM minutes WHERE metric = ? AND hour < ? ORDER BY hour DESC LIMIT 1');
    this.#hours = newest('SELECT day FROM hours WHERE metric = ? AND day < ? ORDER BY day DESC LIMIT 1');
  }

  /**
   * The newest hour before `before` that has minute values. With `hour`, hours whose minutes have expired count too,
   * as the last hour of their day.
   */
  hourBefore(before: number, step: 'minute' | 'hour'): number | null {
    let newest = Number.NEGATIVE_INFINITY;
    for (const metric of this.#metrics.all()) newest = Math.max(newest, this.ofMetric(metric, before, step));
    return Number.isFinite(newest) ? newest : null;
  }

  ofMetric(metric: number, before: number, step: 'minute' | 'hour'): number {
    const limit = Math.min(before, Number.MAX_SAFE_INTEGER / MINUTES_PER_HOUR);
    const unmerged = this.#unmerged.get(metric, limit * MINUTES_PER_HOUR);
    const hour = this.#minutes.get(metric, limit);
    const day = step === 'hour' ? this.#hours.get(metric, Math.ceil(limit / HOURS_PER_DAY)) : undefined;
    return Math.max(
      unmerged === undefined ? Number.NEGATIVE_INFINITY : Math.floor(unmerged / MINUTES_PER_HOUR),
      hour ?? Number.NEGATIVE_INFINITY,
      day === undefined ? Number.NEGATIVE_INFINITY : Math.min(limit - 1, day * HOURS_PER_DAY + HOURS_PER_DAY - 1),
    );
  }
}

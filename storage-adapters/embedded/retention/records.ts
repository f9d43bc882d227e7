import type {Database} from '../disk/database.js';
import type {KnownMetrics} from '../metrics/tables/known-metrics.js';

const ROWS_PER_STEP = 256;
/** Seconds that the cut-off moves between two sweeps. */
const SWEEP_EVERY = 60;

/** Removes old sampled records. They are kept by service, so a sweep visits each service of each metric in turn. */
export class RecordRetention {
  readonly #known: KnownMetrics;
  readonly #nextService;
  readonly #delete;
  /** What is left of the sweep that goes on: the metrics to come, and the last service that was swept of the first. */
  #metrics: number[] = [];
  #service = -1;
  #cutOff = Number.NEGATIVE_INFINITY;
  #removed = 0;

  constructor(database: Database, known: KnownMetrics) {
    this.#known = known;
    this.#nextService = database
      .prepare<[number, number], number>(
        'SELECT service FROM records WHERE metric = ? AND service > ? ORDER BY service LIMIT 1',
      )
      .pluck();
    this.#delete = database.prepare<[number, number, number]>(
      `DELETE FROM records WHERE metric = ? AND service = ? AND time < ? LIMIT ${ROWS_PER_STEP}`,
    );
  }

  /** Removes some records of before `cutOff` (Unix seconds); false when nothing is due. */
  step(cutOff: number): boolean {
    const metric = this.#metrics[0];
    if (metric === undefined) return this.#begin(cutOff);
    const service = this.#nextService.get(metric, this.#service);
    if (service === undefined) {
      this.#metrics.shift();
      this.#service = -1;
    } else {
      const {changes} = this.#delete.run(metric, service, this.#cutOff);
      this.#removed += changes;
      if (changes < ROWS_PER_STEP) this.#service = service;
    }
    return true;
  }

  /** How many records were removed since it was last asked. */
  takeRemoved(): number {
    const removed = this.#removed;
    this.#removed = 0;
    return removed;
  }

  #begin(cutOff: number): boolean {
    // The cut-off goes back with the clock.
    if (!Number.isFinite(cutOff) || Math.abs(cutOff - this.#cutOff) < SWEEP_EVERY) return false;
    this.#cutOff = cutOff;
    this.#metrics = [...this.#known.metrics()];
    return true;
  }
}

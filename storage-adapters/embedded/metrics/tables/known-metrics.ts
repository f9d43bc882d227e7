import type {RollupHistory} from '../../../../core/api/adapter.js';

/** What the writing thread knows of metrics and series by their ids. */
export class KnownMetrics {
  readonly #metricOf: number[] = [];
  readonly #series = new Map<number, number[]>();
  readonly #rollups = new Map<number, RollupHistory>();

  setRollups(metric: number, rollups: RollupHistory): void {
    this.#rollups.set(metric, rollups);
  }

  addSeries(id: number, metric: number): void {
    if (this.#metricOf[id] !== undefined) return;
    this.#metricOf[id] = metric;
    let list = this.#series.get(metric);
    if (list === undefined) {
      list = [];
      this.#series.set(metric, list);
    }
    const last = list[list.length - 1];
    list.push(id);
    // Ids come in order except after a failed write.
    if (last !== undefined && last > id) list.sort((a, b) => a - b);
  }

  metricOf(series: number): number {
    return this.#metricOf[series] as number;
  }

  metrics(): Iterable<number> {
    return this.#rollups.keys();
  }

  rollups(metric: number): RollupHistory {
    return this.#rollups.get(metric) ?? [];
  }

  /** Ascending. */
  series(metric: number): readonly number[] {
    return this.#series.get(metric) ?? [];
  }
}

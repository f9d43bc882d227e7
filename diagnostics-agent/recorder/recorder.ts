import {RecordedSegment} from './recorded-segment.js';
import {ScrapeRow} from './scrape-row.js';
import {SeriesTable} from './series-table.js';

/** The samples of one scrape of one endpoint. */
export interface RecordedRow {
  /** Milliseconds since 1970. */
  readonly time: number;
  readonly series: Int32Array;
  readonly values: Float64Array;
}

/** A scrape that is being read. Nothing of it is kept before `commit`. */
export interface Recording {
  /** The number of what series have in common, see `SeriesTable`. */
  familySuffix(bytes: Uint8Array, length: number): number;
  /** `series`: suffix number and prefix, as `length` bytes. Of a series that comes twice, the last value stands. */
  add(series: Uint8Array, length: number, value: number): void;
  /** Gives how many samples were kept and how many were replaced. */
  commit(time: number): {readonly samples: number; readonly repeated: number};
}

interface RecordedEndpoint {
  /** Oldest first. */
  readonly segments: RecordedSegment[];
  /** Whether the newest row is what the endpoint shows now: its last scrape worked, and gave samples. */
  isCurrent: boolean;
}

/**
 * Samples of the last hours in memory that is bounded. The oldest rows go first. The newest row of each endpoint stays
 * whatever the budget is, so that "latest" is always there: an endpoint so large that this alone exceeds the budget
 * shows in `memory`.
 */
export class Recorder {
  readonly table = new SeriesTable();
  readonly budget: number;
  readonly #endpoints: readonly RecordedEndpoint[];
  readonly #row = new ScrapeRow();
  #segmentMemory = 0;
  #evicted = 0;

  /** `budget` in bytes. */
  constructor(budget: number, endpoints: number) {
    this.budget = budget;
    this.#endpoints = Array.from({length: endpoints}, () => ({segments: [], isCurrent: false}));
  }

  /** Allocated bytes. */
  get memory(): number {
    return this.table.memory + this.#row.memory + this.#segmentMemory;
  }

  /** Samples that were given up for newer ones, since the start. */
  get evicted(): number {
    return this.#evicted;
  }

  get samples(): number {
    let count = 0;
    for (const {segments} of this.#endpoints) for (const one of segments) count += one.rows * one.series.length;
    return count;
  }

  /** Begins a scrape. One at a time: what another one has not committed is lost. */
  begin(endpoint: number): Recording {
    const {table} = this;
    const row = this.#row;
    row.reset();
    // Pages keep their order: most often the next series is the one that came next the last time.
    const expected = this.#endpoint(endpoint).segments.at(-1)?.series;
    return {
      familySuffix: (bytes, length) => table.familySuffix(bytes, length),
      add: (series, length, value) => row.add(table.find(series, length, expected?.[row.length]), value),
      commit: time => {
        this.#commit(endpoint, time);
        return {samples: row.length, repeated: row.repeated};
      },
    };
  }

  /** The endpoint's last scrape failed: what it had stays in windows. */
  fail(endpoint: number): void {
    this.#endpoint(endpoint).isCurrent = false;
    this.table.compact();
  }

  /** The newest row of each endpoint whose last scrape worked. */
  *latest(): Generator<RecordedRow> {
    for (const {segments, isCurrent} of this.#endpoints) {
      const segment = segments.at(-1);
      if (isCurrent && segment !== undefined) yield rowOf(segment, segment.rows - 1);
    }
  }

  /** The rows from `start` to `end`, both included, in milliseconds; oldest first within an endpoint. */
  *window(start: number, end: number): Generator<RecordedRow> {
    for (const {segments} of this.#endpoints) {
      for (const segment of segments) {
        if (segment.timeOf(0) > end || segment.timeOf(segment.rows - 1) < start) continue;
        for (let row = 0; row < segment.rows; row++) {
          const time = segment.timeOf(row);
          if (time >= start && time <= end) yield rowOf(segment, row);
        }
      }
    }
  }

  #endpoint(index: number): RecordedEndpoint {
    const endpoint = this.#endpoints[index];
    if (endpoint === undefined) throw new Error(`BUG: there is no endpoint ${index}`);
    return endpoint;
  }

  #commit(index: number, time: number): void {
    const endpoint = this.#endpoint(index);
    const {series, values} = this.#row;
    endpoint.isCurrent = series.length > 0;
    if (series.length === 0) return;
    let segment = endpoint.segments.at(-1);
    if (segment === undefined || segment.isFull || !segment.hasSeries(series)) {
      segment = new RecordedSegment(series, this.budget);
      for (const number of series) this.table.retain(number);
      endpoint.segments.push(segment);
      this.#segmentMemory += segment.memory;
    }
    segment.add(time, values);
    this.#shrink();
  }

  #shrink(): void {
    let oldest = this.#oldest();
    while (oldest !== undefined && this.memory > this.budget) {
      const segment = oldest.segments.shift();
      if (segment === undefined) break;
      for (const number of segment.series) this.table.release(number);
      this.#segmentMemory -= segment.memory;
      this.#evicted += segment.rows * segment.series.length;
      this.table.compact();
      oldest = this.#oldest();
    }
    this.table.compact();
  }

  /** The endpoint with the oldest segment, of those that have one to give. */
  #oldest(): RecordedEndpoint | undefined {
    let found: RecordedEndpoint | undefined;
    for (const endpoint of this.#endpoints) {
      if (endpoint.segments.length < 2) continue;
      const time = endpoint.segments[0]?.timeOf(0) ?? 0;
      if (found === undefined || time < (found.segments[0]?.timeOf(0) ?? 0)) found = endpoint;
    }
    return found;
  }
}

function rowOf(segment: RecordedSegment, row: number): RecordedRow {
  return {time: segment.timeOf(row), series: segment.series, values: segment.valuesOf(row)};
}

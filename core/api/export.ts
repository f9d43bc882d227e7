import type {Call} from './call.js';
import type {RollupHistory} from './declarations.js';
import type {RecordInput, Samples, Series, Sighting} from './ingest.js';
import type {MetricDefinition} from './metrics.js';

/**
 * Everything that a storage holds, to be taken into another one: what no query asks for, such as relations, spans without a
 * time and hours whose minutes have gone, is here too.
 *
 * An export comes in pages. Each says in `resume`, a text that only the reader understands, how to go on behind it, also in
 * another process and after a restart, until the data behind it changes its place. What is stored when an export begins and is
 * not removed meanwhile is in it at least once. What is written meanwhile may be in it or not, and what is on two pages is the
 * same or newer on the later one asked for: the writers take both, because to write again is harmless.
 *
 * Pages come newest first as far as the storage can tell, so that a copy is of use before it is complete. Their size is the
 * reader's choice, some tens of thousands of values or some thousand spans; an empty page is allowed.
 */
export interface ExportRequest {
  /** The `resume` of a page of an export with the same window: goes on behind that page. */
  readonly after?: string;
  /** Unix seconds, included. Left out, there is no bound. */
  readonly from?: number;
  /** Unix seconds, excluded. Left out, there is no bound. */
  readonly to?: number;
}

export interface ExportPage<Content> {
  readonly content: Content;
  readonly resume: string;
}

/** `export.compat.v1`, `export.native.v1` and `export.otlp.v1`. Rejects with `signal.reason` when cancelled. */
export interface TraceExporter<Fragment> {
  /**
   * Spans or segments with every member, those of a trace together on one page. A trace belongs to a window when its
   * earliest span does; one without any time belongs to the export without bounds alone.
   */
  pages(request: ExportRequest, call: Call): AsyncIterable<ExportPage<readonly Fragment[]>>;
}

/** A metric with the rollups that it has had. */
export interface MetricHistory {
  readonly definition: MetricDefinition;
  readonly rollups: RollupHistory;
}

/** An hour or a day of a series that can no longer be made of its minutes, because those have been removed. */
export interface KeptBucket {
  /** Into `KeptBuckets.series`. */
  readonly series: number;
  readonly step: 'hour' | 'day';
  /** The start in Unix seconds, divisible by the step. */
  readonly time: number;
  /** How many minutes it was made of, at least 1. */
  readonly minutes: number;
  /**
   * By the rollup that counts for it: of `avg` and `sum` doubles whose true sum is that of the minutes, as exact as the storage
   * has kept it; of the others the value alone.
   */
  readonly terms: readonly number[];
}

export interface KeptBuckets {
  readonly series: readonly Series[];
  readonly values: readonly KeptBucket[];
}

/** A page of metrics. Declarations come before what is of them, and entities in the minutes of their first and last sight. */
export interface MetricExport {
  readonly metrics: readonly MetricHistory[];
  readonly sightings: readonly Sighting[];
  readonly samples: Samples;
  readonly kept: KeptBuckets;
  readonly records: readonly RecordInput[];
}

/** `export.metrics.v1`. Rejects with `signal.reason` when cancelled. */
export interface MetricExporter {
  /**
   * A window bounds samples, records by their second, and hours and days by their start. Declarations and entities are whole in
   * every export: an entity has no other time than that of its sight.
   */
  pages(request: ExportRequest, call: Call): AsyncIterable<ExportPage<MetricExport>>;
}

/** `ingest.history.v1`: takes the pages of an export, with what a `MetricWriter` has no place for. */
export interface HistoryWriter {
  /**
   * Stores a page. Resolves when all of it is visible to readers and survives the death of the process. A page that failed may
   * be stored in part, and sending it again completes it; one that is sent again changes nothing.
   *
   * A metric that the storage does not have gets its rollups as they were. One that it has keeps its own, unless these are
   * a single rollup, the one that counted last in the page: then it gets those of the page. So whoever copies sends the
   * declarations before any value of a day for which an earlier rollup counts. Conflicts are refused as by `MetricWriter`.
   *
   * Hours and days are read as if they were made here from minutes that were removed since. So no more samples are taken of
   * minutes before the end of the latest such hour, whatever series they are of: samples are sent before the hours and days.
   * Where the storage has the same bucket, the one of more minutes stands.
   */
  write(page: MetricExport, call: Call): Promise<void>;
}

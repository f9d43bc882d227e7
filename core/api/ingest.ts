import type {Call} from './call.js';
import type {Entity, MetricDefinition, Scope, ValueLabels} from './metrics.js';

/**
 * Writing. A writer stores what a decoder has already checked: names and values are well-formed, every sample's metric
 * is declared with a fitting scope and kind, times are from 0 to `LATEST_TIME` and floored (minutes for samples and
 * sightings, seconds for records). So an adapter keeps every time of that range; what it would keep as another time it refuses
 * with the whole batch. What only the storage can know, a conflict with a declaration that another caller made in between, it
 * refuses itself.
 */

/**
 * The last second that samples, sightings and sampled records may have, the end of the year 5999 (UTC), in Unix seconds.
 * One bound for all storages, so that none takes what another refuses: minutes up to here, and the ends of their days,
 * fit 32 bits with a sign.
 */
export const LATEST_TIME = 127_174_492_799;

/** One series. A caller may pass the same object in later batches, so an adapter may cache by its identity. */
export interface Series {
  readonly metric: string;
  /** Complete for the scope of the metric, and without other keys. */
  readonly entity: Entity;
  /** One value for each value label of the metric; empty for a common metric. */
  readonly labels: ValueLabels;
}

/**
 * Samples by column: sample `i` has the value `value[i]` in the minute `time[i]` of the series `series[index[i]]`.
 * The same series and minute may occur again, and a series may occur as two objects: the later sample stands.
 */
export interface Samples {
  readonly series: readonly Series[];
  readonly index: Uint32Array;
  /** The start of the minute in Unix seconds. */
  readonly time: Float64Array;
  readonly value: Float64Array;
}

/** An entity that was seen without a value. A relation makes both its ends known. */
export interface Sighting {
  readonly scope: Scope;
  readonly entity: Entity;
  /** The start of the minute in Unix seconds. */
  readonly time: number;
}

export interface RecordInput {
  readonly metric: string;
  readonly entity: Entity;
  readonly content: string;
  /** Unix seconds. */
  readonly time: number;
  readonly value: number;
  readonly traceId?: string;
}

export interface MetricBatch {
  /** New or repeated declarations; they hold before everything else in the batch. */
  readonly metrics: readonly MetricDefinition[];
  readonly sightings: readonly Sighting[];
  readonly samples: Samples;
  readonly records: readonly RecordInput[];
}

/** `ingest.metrics.v1`. */
export interface MetricWriter {
  /** The metrics declared so far, by name: the state against which a decoder checks. */
  declared(call: Call): Promise<readonly MetricDefinition[]>;

  /**
   * Stores the whole batch or nothing of it. Resolves when it is visible to readers and survives the death of the
   * process. Batches of one caller are applied in the order of the calls; a batch sent again changes nothing: samples
   * overwrite themselves, a record that is the same in every field is the same row. On a distributed engine a batch
   * that failed may be stored in part, and sending it again completes it.
   *
   * A sample or record makes its entity known, seen at that minute; so does a sighting. An instance or endpoint makes
   * its service known; a relation makes both its ends known.
   *
   * Repeating a declaration may change `type`, `help`, `unit` and `rollup`. Another `rollup` counts for the UTC days after
   * the newest that has values of the metric; earlier days and their hours keep theirs, also for samples that come late.
   * So no hour or day is ever made in two ways. With another scope, kind or other value labels it is refused:
   * `bad_request`, naming the metric. `conflictBetween`, `isSameDeclaration` and `withRollup` say the same in code.
   *
   * The writer does not keep or change the arrays of the batch after it has resolved; the caller does not change them
   * before. Cancelling after the call has begun does not undo it.
   */
  write(batch: MetricBatch, call: Call): Promise<void>;
}

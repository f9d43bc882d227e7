import type {MetricDefinition, RollupHistory, Scope} from '../../../core/api/adapter.js';
import type {Retention} from '../../../core/toolkit/retention.js';
import type {ClockState} from '../../../core/toolkit/retention-clock.js';
import type {TraceModelName} from '../../../core/toolkit/traces/model.js';
import type {Finding} from '../disk/finding.js';
import type {JoinedBytes} from './bodies.js';

/**
 * What the serving thread and the writing thread say to each other. Ids of metrics, entities and series are given out by
 * the serving thread; `hour`, `minute` and the like count from the epoch.
 */

export interface DeclaredMetric {
  readonly id: number;
  readonly definition: MetricDefinition;
  readonly rollups: RollupHistory;
}

/** `names` are the values of the keys of the scope, in their order. The times are minutes; null when never seen. */
export interface StoredEntity {
  readonly id: number;
  readonly scope: Scope;
  readonly names: readonly string[];
  readonly first: number | null;
  readonly last: number | null;
}

export interface StoredSeries {
  readonly id: number;
  readonly metric: number;
  readonly entity: number;
  readonly labels: readonly string[];
}

export interface StoredRecord {
  readonly metric: number;
  readonly service: number;
  readonly entity: number;
  readonly time: number;
  readonly value: number;
  readonly content: string;
  readonly traceId: string | null;
}

/** Sample `i`: the value `value[i]` in the minute `minute[i]` of the series with the id `series[i]`. */
export interface SampleColumns {
  readonly series: Int32Array;
  readonly minute: Int32Array;
  readonly value: Float64Array;
}

/**
 * Some of the entities and series of a batch that the database may not know yet, and of what was seen; by column, because
 * to copy columns between threads costs a fraction of copying objects. `names` and `labels` are arrays as JSON.
 */
export interface BatchPart {
  readonly entities: {readonly id: Int32Array; readonly scope: readonly Scope[]; readonly names: readonly string[]};
  readonly series: {
    readonly id: Int32Array;
    readonly metric: Int32Array;
    readonly entity: Int32Array;
    readonly labels: readonly string[];
  };
  readonly seen: {readonly id: Int32Array; readonly first: Float64Array; readonly last: Float64Array};
}

/** The data of a batch. Its parts are handed over before, one by one: copying a large batch at once takes long. */
export interface StoredBatch {
  readonly metrics: readonly DeclaredMetric[];
  /** Under what its parts were handed over. */
  readonly number: number;
  readonly samples: SampleColumns;
  readonly records: readonly StoredRecord[];
}

/** Fragment `i` has the body `i`, and is of the trace `traceIds[i]`. */
export interface TextPart {
  readonly traceIds: readonly string[];
  readonly bodies: readonly string[];
}

/** Encoded spans of OTLP, as `EncodedOtlpSpans`. */
export interface SpanPart {
  readonly bytes: Uint8Array;
  readonly spans: Uint32Array;
  /** Four pieces of each: its resource and the schema URL of that, its scope and the schema URL of that. */
  readonly origins: JoinedBytes;
}

export type TracePart = TextPart | SpanPart;

/** A batch whose other parts, so many, were handed over before under its number. */
export interface TraceBatch {
  readonly number: number;
  readonly model: TraceModelName;
  readonly before: number;
  readonly last: TracePart;
}

export interface StoredTraces {
  /** The time of the commit. */
  readonly seconds: number;
  /** Spans of traces that ended before their retention: they are removed with what else has expired. */
  readonly late: number;
}

export interface Opened {
  readonly metrics: readonly DeclaredMetric[];
  readonly entities: readonly StoredEntity[];
  readonly series: readonly StoredSeries[];
  /** The newest hour with values, for each metric that has any. */
  readonly newestHours: ReadonlyMap<number, number>;
  /** As it was kept by the last gateway. */
  readonly clock: ClockState | undefined;
}

/** Hours and days whose minutes are gone: of series `series[i]` the bucket `bucket[i]`, of so many minutes (see `KeptBucket`). */
export interface KeptColumns {
  /** 1 for a day, 0 for an hour. */
  readonly isDay: Uint8Array;
  readonly series: Int32Array;
  readonly bucket: Int32Array;
  readonly minutes: Int32Array;
  readonly terms: readonly (readonly number[])[];
}

/** Hours: minutes before `minutes` are taken no more, and days before `days` may stand without their hours. */
export interface KeptBorders {
  readonly minutes: number;
  readonly days: number;
}

/** The hours before which values have been removed; -Infinity when none were. */
export interface RetentionCutOffs {
  readonly minutes: number;
  readonly hours: number;
  /** Before it days may stand without their hours, also where hours have not been removed. */
  readonly daysAlone: number;
}

/** What retention removes; of minutes a row is an hour of a series, of hours a day, of days a stretch of 32 days. */
export type RemovedKind = 'minutes' | 'hours' | 'days' | 'records' | 'traces';

/** Rows that were older than `before` (Unix seconds). */
export interface Removed {
  readonly kind: RemovedKind;
  readonly rows: number;
  readonly before: number;
}

export interface MaintenanceReport {
  readonly fileBytes: number;
  readonly freeBytes: number;
  /** Of the file system that the file is on: its size, and what is left of it for this user. */
  readonly disk: {readonly bytes: number; readonly free: number};
  /** Milliseconds since when the compaction that waits longest has been due. */
  readonly compactionLag: number;
  readonly cutOffs: RetentionCutOffs;
  /** Milliseconds spent since the last report. */
  readonly compactionTime: number;
  readonly compactedHours: number;
  readonly traceTimes: {readonly merge: number; readonly pack: number};
  /** Since the last report. */
  readonly removed: readonly Removed[];
  /** Why the last step failed, when it did. */
  readonly problem: string | undefined;
}

export interface OpenRequest {
  readonly path: string;
  readonly durability: 'process' | 'power';
  readonly retention: Retention;
  /** A thread before this one had the folder open, and others still have. */
  readonly isAgain?: boolean;
  /** The largest size of the database in pages, for tests of a full disk. */
  readonly maxPages?: number;
  /** How many fragments of a kind there are before any is packed; for tests. */
  readonly packFrom?: number;
}

/** Compaction goes by `now`, the time of the clock (milliseconds), retention by the time that is believed. */
export interface MaintenanceRequest {
  readonly now: number;
  readonly believed: ClockState;
  readonly wait: boolean;
}

export type WriterOperations = {
  readonly open: {
    readonly request: OpenRequest;
    readonly reply: Opened & {readonly findings: readonly Finding[]; readonly isNew: boolean};
  };
  /** Keeps a part of a batch until that is written. */
  readonly prepare: {
    readonly request: {readonly number: number; readonly part: BatchPart};
    readonly reply: null;
  };
  /** The columns come back, so that the serving thread needs no copy. `seconds` is the time of the shared commit. */
  readonly write: {
    readonly request: StoredBatch;
    readonly reply: SampleColumns & {readonly seconds: number};
  };
  readonly prepareTraces: {
    readonly request: {readonly number: number; readonly part: TracePart};
    readonly reply: null;
  };
  readonly writeTraces: {readonly request: TraceBatch; readonly reply: StoredTraces};
  /** Stores hours and days, and from then on takes no samples of before them. */
  readonly keep: {readonly request: KeptColumns; readonly reply: RetentionCutOffs};
  /** Makes what is due run; `wait` holds the answer until nothing is left to do. */
  readonly maintain: {readonly request: MaintenanceRequest; readonly reply: MaintenanceReport};
  /** Writes a row, to see whether writing works. */
  readonly probe: {readonly request: null; readonly reply: null};
  readonly close: {readonly request: null; readonly reply: null};
};

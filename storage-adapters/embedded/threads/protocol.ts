import type {MetricDefinition, RollupHistory, Scope, Step, TraceSearchRequest} from '../../../core/api/adapter.js';
import type {ClockState} from '../../../core/toolkit/retention-clock.js';
import type {TraceModelName} from '../../../core/toolkit/traces/model.js';
import type {Retention} from '../config.js';
import type {ValuesRequest} from '../traces/search/listing.js';
import type {StoredTrace} from '../traces/search/loader.js';
import type {SearchPage} from '../traces/search/search.js';
import type {Remainder} from '../values/accumulator.js';

/**
 * What the serving thread and the workers say to each other: one table of operations per kind of worker. Ids of
 * metrics, entities and series are given out by the serving thread; `hour`, `minute` and the like count from the epoch.
 */
export type Operations = Readonly<Record<string, {readonly request: unknown; readonly reply: unknown}>>;

export interface StoredMetric {
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
  readonly metrics: readonly StoredMetric[];
  /** Under what its parts were handed over. */
  readonly number: number;
  readonly samples: SampleColumns;
  readonly records: readonly StoredRecord[];
}

/** Fragment `i` is `bodies[i]`, of the trace `traceIds[i]`. */
export interface TraceBatch {
  readonly model: TraceModelName;
  readonly traceIds: readonly string[];
  readonly bodies: readonly string[];
}

export interface StoredTraces {
  /** The time of the commit. */
  readonly seconds: number;
  /** Spans of traces that ended before their retention: they are removed with what else has expired. */
  readonly late: number;
}

export interface Opened {
  readonly metrics: readonly StoredMetric[];
  readonly entities: readonly StoredEntity[];
  readonly series: readonly StoredSeries[];
  /** The newest hour with values, for each metric that has any. */
  readonly newestHours: ReadonlyMap<number, number>;
  /** As it was kept by the last gateway. */
  readonly clock: ClockState | undefined;
}

/** Something about the files of the folder that an operator should know. */
export interface Finding {
  readonly text: string;
  /** Data has been lost or cannot be read. */
  readonly isLoss: boolean;
}

/** The hours before which values have been removed; -Infinity when none were. */
export interface Expired {
  readonly minutes: number;
  readonly hours: number;
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
  readonly expired: Expired;
  /** Milliseconds spent since the last report. */
  readonly foldTime: number;
  readonly foldedHours: number;
  readonly mergeTime: number;
  /** Since the last report. */
  readonly removed: readonly Removed[];
  /** Why the last step failed, when it did. */
  readonly problem?: string;
}

export interface OpenRequest {
  readonly path: string;
  readonly durability: 'process' | 'power';
  readonly retention: Retention;
  /** A thread before this one had the folder open, and others still have. */
  readonly isAgain?: boolean;
  /** The largest size of the database in pages, for tests of a full disk. */
  readonly maxPages?: number;
}

/** Folding goes by `now`, the time of the clock (milliseconds), retention by the time that is believed. */
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
  readonly writeTraces: {readonly request: TraceBatch; readonly reply: StoredTraces};
  /** Makes what is due run; `wait` holds the answer until nothing is left to do. */
  readonly maintain: {readonly request: MaintenanceRequest; readonly reply: MaintenanceReport};
  /** Writes a row, to see whether writing works. */
  readonly probe: {readonly request: null; readonly reply: null};
  readonly close: {readonly request: null; readonly reply: null};
};

/** Series of one metric, ascending by id, over consecutive buckets; `first` counts buckets from the epoch. */
export interface SeriesWindow {
  readonly metric: number;
  readonly series: Int32Array;
  readonly rollups: RollupHistory;
  readonly step: Step;
  readonly first: number;
  readonly count: number;
}

export interface RecordsRequest {
  readonly metric: number;
  readonly service: number;
  readonly from: number;
  readonly to: number;
  readonly descending: boolean;
  readonly limit: number;
}

export type ReaderOperations = {
  readonly open: {readonly request: {readonly path: string}; readonly reply: null};
  /** Row by row; NaN where a bucket has no value. */
  readonly values: {readonly request: SeriesWindow; readonly reply: {readonly values: Float64Array}};
  /** For each series the mean of the buckets that have a value; NaN for none. */
  readonly means: {readonly request: SeriesWindow; readonly reply: {readonly means: Float64Array}};
  /** Hours before they are finished: see `Accumulator`. */
  readonly cells: {
    readonly request: SeriesWindow;
    readonly reply: {
      readonly values: Float64Array;
      readonly counts: Uint16Array;
      readonly remainders: ReadonlyMap<number, Remainder>;
    };
  };
  /** Which of the groups have a series with a value in a minute of [from, to]. `groups` gives each series its group. */
  readonly present: {
    readonly request: {
      readonly metric: number;
      readonly series: Int32Array;
      readonly groups: Int32Array;
      readonly from: number;
      readonly to: number;
    };
    readonly reply: {readonly present: Uint8Array};
  };
  readonly records: {readonly request: RecordsRequest; readonly reply: readonly StoredRecord[]};
  /** The newest hour before `before` that has minute values (`minute`) or may have hour values (`hour`). */
  readonly newestHour: {
    readonly request: {readonly before: number; readonly step: 'minute' | 'hour'};
    readonly reply: number | null;
  };
  /** Null when nothing is stored under the id. */
  readonly trace: {
    readonly request: {readonly model: TraceModelName; readonly id: string};
    readonly reply: StoredTrace | null;
  };
  /** The first page of a search, whose number the serving thread has given out. */
  readonly search: {
    readonly request: {readonly model: TraceModelName; readonly number: number; readonly search: TraceSearchRequest};
    readonly reply: SearchPage;
  };
  readonly nextPage: {readonly request: {readonly number: number}; readonly reply: SearchPage};
  readonly endSearch: {readonly request: {readonly number: number}; readonly reply: null};
  readonly attributeValues: {
    readonly request: ValuesRequest & {readonly model: TraceModelName};
    readonly reply: readonly string[];
  };
  readonly close: {readonly request: null; readonly reply: null};
};

import type {OtlpFilter, OtlpSearchRequest, RollupHistory, Step} from '../../../core/api/adapter.js';
import type {TraceModelName} from '../../../core/toolkit/traces/model.js';
import type {Remainder} from '../values/accumulator.js';
import type {Body, JoinedBodies} from './bodies.js';
import type {StoredRecord} from './writer-protocol.js';

/** What the serving thread and the reading threads say to each other, in ids that the serving thread has given out. */

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

/** A trace: `parts` are the bodies of its fragments. */
export interface EncodedTrace {
  readonly id: string;
  readonly parts: readonly JoinedBodies[];
  /** There where not all of its fragments are; `root` is the body of a fragment with the root alone,
   * times are of the model's kind. */
  readonly summary?: {readonly start: unknown; readonly end: unknown; readonly root: Body};
}

/** Large traces have their fragments taken apart, and their parts as `TraceReader.traceInOrder` gives them. */
export interface OrderedTrace extends EncodedTrace {
  readonly isInOrder: boolean;
}

export interface SearchPage {
  readonly traces: readonly EncodedTrace[];
  readonly complete: boolean;
}

/** Asks for the values of an attribute in a window of microseconds, `to` excluded. */
export interface IndexListingRequest {
  /** As the index names it. */
  readonly attribute: string;
  readonly filter: OtlpFilter;
  readonly from: number;
  readonly to: number;
  readonly limit: number;
}

/** A page of an export of traces: those with numbers below `before`, in a window of microseconds, the last first. */
export interface TracePageRequest {
  readonly model: TraceModelName;
  readonly before: number;
  readonly from?: number;
  readonly to?: number;
}

export interface TracePage {
  readonly traces: readonly EncodedTrace[];
  /** The number of the last trace that was looked at. */
  readonly last: number;
  /** There was none. */
  readonly isEnd: boolean;
}

/** Rows of a metric in the table, of before this row and series; of their buckets those before `before`. */
export interface KeptRowsRequest {
  readonly table: 'hours' | 'days';
  readonly metric: number;
  readonly row: number;
  readonly series: number;
  readonly before: number;
}

/** Bucket `i` counts from the epoch. */
export interface KeptRows {
  readonly series: Int32Array;
  readonly bucket: Int32Array;
  readonly minutes: Int32Array;
  readonly terms: readonly (readonly number[])[];
  /** The last row that was read; null when there was none. */
  readonly last: {readonly row: number; readonly series: number} | null;
}

/** The key of a record behind its metric; the digest in hexadecimal digits. */
export interface RecordPlace {
  readonly service: number;
  readonly time: number;
  readonly digest: string;
}

export interface RecordPage {
  readonly records: readonly StoredRecord[];
  readonly last: RecordPlace | null;
}

export type ReaderOperations = {
  readonly open: {readonly request: {readonly path: string}; readonly reply: null};
  /** Row by row; NaN where a bucket has no value. */
  readonly values: {readonly request: SeriesWindow; readonly reply: {readonly values: Float64Array}};
  /** For each series the mean of the buckets that have a value; NaN for none. */
  readonly means: {readonly request: SeriesWindow; readonly reply: {readonly means: Float64Array}};
  /** Hours before they are finished: see `Accumulator`. */
  readonly partials: {
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
    readonly reply: EncodedTrace | null;
  };
  readonly traceInOrder: {
    readonly request: {readonly model: TraceModelName; readonly id: string};
    readonly reply: OrderedTrace | null;
  };
  /** The first page of a search, whose number the serving thread has given out. */
  readonly search: {
    readonly request: {readonly model: TraceModelName; readonly number: number; readonly search: OtlpSearchRequest};
    readonly reply: SearchPage;
  };
  readonly nextPage: {readonly request: {readonly number: number}; readonly reply: SearchPage};
  readonly endSearch: {readonly request: {readonly number: number}; readonly reply: null};
  readonly attributeValues: {
    readonly request: IndexListingRequest & {readonly model: TraceModelName};
    readonly reply: readonly string[];
  };
  readonly tracePage: {readonly request: TracePageRequest; readonly reply: TracePage};
  readonly keptRows: {readonly request: KeptRowsRequest; readonly reply: KeptRows};
  /** Records of a metric behind a place, in the seconds from `from` to before `to`. */
  readonly recordPage: {
    readonly request: {
      readonly metric: number;
      readonly place: RecordPlace;
      readonly from: number;
      readonly to: number;
    };
    readonly reply: RecordPage;
  };
  readonly close: {readonly request: null; readonly reply: null};
};

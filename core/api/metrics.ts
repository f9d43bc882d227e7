import type {Call} from './call.js';

/**
 * Metrics that belong to entities: what is stored, and the narrow reads from which a query language is evaluated.
 *
 * The gateway's plugins evaluate; adapters only read. Whatever is marked *exact* below must be answered exactly as
 * described by every adapter, because the plugin does not look again: that is what makes the same query give the same
 * answer on every backend. Readers never see HTTP or query text.
 *
 * Times are whole Unix seconds (UTC). Values are IEEE 754 doubles and always finite: writers refuse NaN and infinities.
 * -0 is 0: a writer stores it so, and no reader hands out -0.
 *
 * Sums and means are a matter of the values alone, and not of the order in which these were written, sent again, merged or
 * moved: a sum is the double nearest to the true sum, of what is beyond all doubles the largest of its sign.
 * `core/toolkit/exact-sum.ts` and `exact-mean.ts` calculate so.
 */

/** What a metric is about. A relation has a source (the plain keys of `Entity`) and a destination (the `dest…` keys). */
export type Scope =
  | 'Service'
  | 'ServiceInstance'
  | 'Endpoint'
  | 'ServiceRelation'
  | 'ServiceInstanceRelation'
  | 'EndpointRelation';

/**
 * - `common`: one value per entity and minute.
 * - `labeled`: values told apart by the labels that `valueLabels` names, for example one per percentile `p`.
 * - `sampled-record`: single events with a text and a value, for example slow statements. Not bucketed.
 */
export type MetricKind = 'common' | 'labeled' | 'sampled-record';

/**
 * How minute values become hour and day values, over the minutes that have a value. `avg` is the sum divided by the number
 * of minutes, in doubles; where no double holds the sum, the double nearest to the mean. A day is made of its minutes.
 */
export type Rollup = 'avg' | 'sum' | 'min' | 'max' | 'latest';

export interface MetricDefinition {
  /** Matches `[A-Za-z_][A-Za-z0-9_]*`; unique in the catalog. */
  readonly name: string;
  readonly scope: Scope;
  readonly kind: MetricKind;
  /** A metric type of the exposition formats, `gauge` by default. Shown to clients, without effect here. */
  readonly type: string;
  readonly help: string;
  readonly unit: string;
  readonly rollup: Rollup;
  /** Names of the value labels of a `labeled` metric, in declaration order; empty for the other kinds. */
  readonly valueLabels: readonly string[];
}

/** The keys of one entity. Which of them are there follows from the scope: see `ENTITY_KEYS`. */
export interface Entity {
  readonly layer: string;
  readonly service: string;
  readonly serviceInstance?: string;
  readonly endpoint?: string;
  readonly destLayer?: string;
  readonly destService?: string;
  readonly destServiceInstance?: string;
  readonly destEndpoint?: string;
}

/** The keys that an entity of each scope has, all of them required, in the order in which entities compare. */
export const ENTITY_KEYS: Readonly<Record<Scope, readonly (keyof Entity)[]>> = {
  Service: ['layer', 'service'],
  ServiceInstance: ['layer', 'service', 'serviceInstance'],
  Endpoint: ['layer', 'service', 'endpoint'],
  ServiceRelation: ['layer', 'service', 'destLayer', 'destService'],
  ServiceInstanceRelation: ['layer', 'service', 'serviceInstance', 'destLayer', 'destService', 'destServiceInstance'],
  EndpointRelation: ['layer', 'service', 'endpoint', 'destLayer', 'destService', 'destEndpoint'],
};

export type Step = 'minute' | 'hour' | 'day';

/** The length of each step in seconds. Buckets are aligned to the Unix epoch, so a day is a UTC day. */
export const STEP_SECONDS: Readonly<Record<Step, number>> = {minute: 60, hour: 3600, day: 86_400};

/**
 * `count` consecutive buckets of one step. `first` is the start of the first bucket and divisible by the step; bucket
 * `i` starts at `first + i × STEP_SECONDS[step]`. `count` is at least 1. Buckets may lie in the future: they are empty.
 */
export interface BucketWindow {
  readonly step: Step;
  readonly first: number;
  readonly count: number;
}

export type ValueLabels = Readonly<Record<string, string>>;

/** One series over a window, one slot per bucket. The caller owns both arrays and may write to them. */
export interface Column {
  /** Value labels only, for example `{p: '50'}`; empty for a common metric. */
  readonly labels: ValueLabels;
  /** What a slot holds where `present` is 0 is unspecified. */
  readonly values: Float64Array;
  /** 1 where the bucket has a value, else 0. */
  readonly present: Uint8Array;
}

export interface ValuesRequest {
  readonly metric: MetricDefinition;
  /** Complete for the scope of the metric. */
  readonly entity: Entity;
  /**
   * Value label → the values wanted. A series passes when, for each key here, its label has one of the values; a key
   * with an empty list lets nothing pass. Always empty for a common metric.
   */
  readonly valueFilters: ReadonlyMap<string, readonly string[]>;
  readonly window: BucketWindow;
}

/** `ASC`: smallest first. `DES`: largest first. */
export type Order = 'ASC' | 'DES';

export interface RankingRequest {
  /** A `common` metric of the scope Service, ServiceInstance or Endpoint. */
  readonly metric: MetricDefinition;
  readonly layer: string;
  /** Restricts the entities to those of this service. */
  readonly parentService?: string;
  readonly order: Order;
  /** At least 1. */
  readonly limit: number;
  readonly window: BucketWindow;
}

export interface Ranked {
  readonly entity: Entity;
  /**
   * The double nearest to the true mean of the buckets of the window that have a value. There an hour or a day by `avg`
   * counts as its sum divided by its number of minutes before that is rounded, so that means that are equal are tied. Where
   * others write the hours and days, and store their rounded means alone, these are what is ranked by.
   */
  readonly value: number;
}

export interface SampledRecordsRequest {
  /** A `sampled-record` metric. */
  readonly metric: MetricDefinition;
  readonly layer: string;
  readonly parentService: string;
  readonly order: Order;
  /** At least 1. */
  readonly limit: number;
  /** Records count by their second: from the start of the first bucket to the last second of the last bucket. */
  readonly window: BucketWindow;
}

export interface SampledRecord {
  readonly entity: Entity;
  readonly content: string;
  readonly time: number;
  readonly value: number;
  readonly traceId?: string;
}

export interface ValueLabelsRequest {
  /** A `labeled` metric. */
  readonly metric: MetricDefinition;
  /** Only series of entities that have every value given here. */
  readonly entity?: Partial<Entity>;
  /**
   * Only series with a value in a minute of which a second lies in [from, to]: the minutes in which `from` and `to` lie
   * count, wherever in them these are. Unix seconds.
   */
  readonly from: number;
  readonly to: number;
}

/** `metrics.query.v1`. Every method may be called concurrently, and rejects with `signal.reason` when cancelled. */
export interface MetricReader {
  /**
   * All metrics, by name. Called often, so an adapter keeps it in memory; a metric that a writer has acknowledged is
   * in the next answer. The same array may be returned again as long as nothing has changed, and callers do cache by
   * its identity: never change an array that was handed out. What another process has declared in the same storage may come
   * some moments later, but not where the caller asks for what is `current`, which is done when a query names a metric that is
   * not in an answer: that is worth a question to the storage.
   */
  catalog(call: Call, current?: boolean): Promise<readonly MetricDefinition[]>;

  /**
   * Exact. The series of one entity over a window, those with at least one value in it, in any order. An entity that
   * does not exist has no series. Hour and day values are the metric's `rollup` of the minute values in the bucket; of
   * several that a metric has had, the one that counts for the day (see `MetricWriter.write`).
   */
  values(request: ValuesRequest, call: Call): Promise<readonly Column[]>;

  /**
   * Exact. Entities with at least one value in the window, by their mean, cut to `limit`. Equal means are ordered by
   * service, then by instance or endpoint name, ascending in code points, for both orders.
   */
  ranking(request: RankingRequest, call: Call): Promise<readonly Ranked[]>;

  /**
   * Exact. Records of the entities of one service by value, cut to `limit`. Equal values are ordered by content, then
   * time, then trace id (none first), then instance or endpoint name, ascending, for both orders. Equal contents are not
   * merged.
   */
  sampledRecords(request: SampledRecordsRequest, call: Call): Promise<readonly SampledRecord[]>;

  /**
   * Exact. The distinct label sets of a labeled metric, in any order. An adapter that has lost minute values to
   * retention answers from what it still has.
   */
  valueLabels(request: ValueLabelsRequest, call: Call): Promise<readonly ValueLabels[]>;
}

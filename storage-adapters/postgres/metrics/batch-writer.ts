import {
  GatewayError,
  type KeptBuckets,
  LATEST_TIME,
  type MetricBatch,
  type Samples,
  undeclared,
} from '../../../core/api/adapter.js';
import {SECONDS_PER_MINUTE} from '../../../core/toolkit/time.js';
import type {Transaction} from '../client/database.js';
import {numbers} from '../client/sql.js';
import type {KnownMetric, PostgresCatalogState} from './catalog.js';
import {arrange, LAST_MINUTE} from './day-samples.js';
import {idIn, type PostgresDictionary, type Resolved} from './dictionary.js';
import type {PostgresEntityRecord} from './entity-record.js';
import {borderOf, writeKept} from './kept-rows.js';
import {type ResolvedRecord, writeRecords} from './record-rows.js';
import {writeDay} from './sample-rows.js';

/** Bounds the memory and the pause that arranging takes. */
const SAMPLES_PER_CHUNK = 20_000;

export interface MinuteRange {
  first: number;
  last: number;
}

export interface Written {
  readonly resolved: Resolved;
  /** Samples whose minutes have expired. */
  readonly dropped: number;
  /** What the database knows now of when entities were seen. */
  readonly seen: ReadonlyMap<PostgresEntityRecord, MinuteRange>;
}

/** Writes what a batch has beside its declarations, inside a transaction that holds the lock of the writers. */
export class PostgresBatchWriter {
  readonly #transaction: Transaction;
  readonly #dictionary: PostgresDictionary;
  readonly #catalog: PostgresCatalogState;
  readonly #partitions: Set<string>;
  readonly #seen = new Map<PostgresEntityRecord, MinuteRange>();

  constructor(
    transaction: Transaction,
    dictionary: PostgresDictionary,
    catalog: PostgresCatalogState,
    partitions: Set<string>,
  ) {
    this.#transaction = transaction;
    this.#dictionary = dictionary;
    this.#catalog = catalog;
    this.#partitions = partitions;
  }

  /** Samples of minutes before `cutoff` are dropped. */
  async write({sightings, samples, records}: MetricBatch, cutoff: number): Promise<Written> {
    const series = samples.series.map(one => this.#dictionary.series(one, this.#metric(one.metric)));
    const observed = sightings.map(({scope, entity, time}) => ({entity: this.#dictionary.entity(scope, entity), time}));
    const recorded = records.map(input => {
      const {id, definition} = this.#metric(input.metric);
      return {input, metric: id, entity: this.#dictionary.entity(definition.scope, input.entity)};
    });

    const {kept, spans} = withoutExpired(samples, cutoff);
    const used = series.filter((_, i) => spans[i] !== undefined);
    const entities = [...observed, ...recorded].map(({entity}) => entity);
    const resolved = await this.#dictionary.resolve(this.#transaction, entities, used);
    const idOf = (entity: PostgresEntityRecord): number => idIn(resolved.entities, entity);

    const ids = Int32Array.from(series, one => one.id ?? resolved.series.get(one) ?? 0);
    for (let from = 0; from < kept.value.length; from += SAMPLES_PER_CHUNK) {
      const to = Math.min(from + SAMPLES_PER_CHUNK, kept.value.length);
      for (const day of arrange(kept, ids, from, to)) await writeDay(this.#transaction, day, this.#partitions);
    }
    await writeRecords(
      this.#transaction,
      recorded.map((one): ResolvedRecord => ({...one, entityId: idOf(one.entity)})),
      this.#partitions,
    );

    series.forEach(({entity}, i) => {
      const span = spans[i];
      if (span !== undefined) this.#see(entity, span.first, span.last);
    });
    for (const {entity, time} of observed) this.#seeAt(entity, time);
    for (const {input, entity} of recorded) this.#seeAt(entity, input.time);
    await this.#writeSeen(idOf);
    return {resolved, dropped: samples.value.length - kept.value.length, seen: this.#seen};
  }

  /** Writes hours and days whose minutes are gone; gives the minute from which on samples are still taken. */
  async writeKept({series, values}: KeptBuckets): Promise<{readonly resolved: Resolved; readonly border: number}> {
    const records = series.map(one => this.#dictionary.series(one, this.#metric(one.metric)));
    const resolved = await this.#dictionary.resolve(this.#transaction, [], records);
    const buckets = values.flatMap(bucket => {
      const [record, one] = [records[bucket.series], series[bucket.series]];
      if (record === undefined || one === undefined) return [];
      return [{bucket, series: idIn(resolved.series, record), metric: this.#metric(one.metric)}];
    });
    await writeKept(this.#transaction, buckets, this.#partitions);
    return {resolved, border: await borderOf(this.#transaction, buckets)};
  }

  #metric(
    name: string,
  ): KnownMetric & {readonly scope: KnownMetric['definition']['scope']; readonly valueLabels: readonly string[]} {
    const known = this.#catalog.byName.get(name);
    if (known === undefined) throw undeclared(name);
    return {...known, scope: known.definition.scope, valueLabels: known.definition.valueLabels};
  }

  #seeAt(entity: PostgresEntityRecord, time: number): void {
    const minute = minuteOf(time);
    this.#see(entity, minute, minute);
  }

  #see(entity: PostgresEntityRecord, first: number, last: number): void {
    for (const known of entity.seenWith) {
      if (first >= known.first && last <= known.last) continue;
      const span = this.#seen.get(known);
      if (span === undefined) {
        this.#seen.set(known, {first, last});
      } else {
        span.first = Math.min(span.first, first);
        span.last = Math.max(span.last, last);
      }
    }
  }

  async #writeSeen(idOf: (entity: PostgresEntityRecord) => number): Promise<void> {
    if (this.#seen.size === 0) return;
    // In the order of ids, so that rows are visited in the order in which they lie.
    const rows = [...this.#seen].map(([entity, span]) => ({id: idOf(entity), ...span})).sort((a, b) => a.id - b.id);
    await this.#transaction.query(
      `UPDATE entities e SET first_seen = least(e.first_seen, s.first), last_seen = greatest(e.last_seen, s.last)
       FROM unnest($1::int[], $2::int[], $3::int[]) AS s (id, first, last)
       WHERE e.id = s.id AND (e.first_seen IS NULL OR s.first < e.first_seen OR s.last > e.last_seen)`,
      [numbers(rows.map(({id}) => id)), numbers(rows.map(({first}) => first)), numbers(rows.map(({last}) => last))],
    );
  }
}

/** The samples that have not expired, and for each series the minutes of its first and last among them. */
function withoutExpired(
  samples: Samples,
  cutoff: number,
): {kept: Samples; spans: readonly (MinuteRange | undefined)[]} {
  const spans: (MinuteRange | undefined)[] = new Array(samples.series.length).fill(undefined);
  let expired = 0;
  for (let i = 0; i < samples.value.length; i++) {
    const minute = minuteOf(samples.time[i] ?? 0);
    if (minute < cutoff) {
      expired++;
      continue;
    }
    const at = samples.index[i] ?? 0;
    const span = spans[at];
    if (span === undefined) spans[at] = {first: minute, last: minute};
    else if (minute < span.first) span.first = minute;
    else if (minute > span.last) span.last = minute;
  }
  if (expired === 0) return {kept: samples, spans};
  const stays = (i: number): boolean => minuteOf(samples.time[i] ?? 0) >= cutoff;
  const {series, index, time, value} = samples;
  const kept = {
    series,
    index: index.filter((_, i) => stays(i)),
    time: time.filter((_, i) => stays(i)),
    value: value.filter((_, i) => stays(i)),
  };
  return {kept, spans};
}

function minuteOf(time: number): number {
  const minute = Math.floor(time / SECONDS_PER_MINUTE);
  if (Math.abs(minute) <= LAST_MINUTE) return minute;
  throw new GatewayError(
    'bad_request',
    `the time ${time} is too far from now: the postgres storage keeps up to ${LATEST_TIME} seconds from 1970`,
  );
}

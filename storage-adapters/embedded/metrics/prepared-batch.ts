import {
  GatewayError,
  LATEST_TIME,
  type MetricBatch,
  type MetricHistory,
  type Series,
} from '../../../core/api/adapter.js';
import {MINUTES_PER_HOUR, SECONDS_PER_MINUTE} from '../../../core/toolkit/time.js';
import {forEachRange} from '../threads/ranges.js';
import type {BatchPart, SampleColumns, StoredBatch, StoredRecord} from '../threads/writer-protocol.js';
import type {EmbeddedCatalog} from './catalog.js';
import type {EntityRecord} from './entities.js';
import {labelsKey, type MetricRecord, type SeriesRecord} from './metric-records.js';

/** No decoder passes a later one; times are kept as 32-bit minutes, and one that does not fit would become another. */
const LAST_MINUTE = Math.floor(LATEST_TIME / SECONDS_PER_MINUTE);

/** What a page of an export has beside a batch. */
export interface BatchHistory {
  readonly histories: readonly MetricHistory[];
  /** Series of hours and days whose minutes are gone, with the latest such hour. */
  readonly kept: readonly {readonly series: Series; readonly hour: number}[];
}

export const NO_HISTORY: BatchHistory = {histories: [], kept: []};

/** Copied to the writing thread at once. */
const ROWS_PER_PART = 500;

/** Between two looks at the clock where each row may be new: to make one costs some ten times as much as a sample. */
const NEW_ROWS = 256;

/**
 * A batch in terms of ids, on its way to the database: what to send, and what to change here once it is stored. Batches are
 * prepared one after another, so that the records themselves tell what this one has listed: sets of hundreds of thousands
 * of objects would cost more than all else. To list something twice would do no harm.
 */
export class PreparedBatch {
  static #numbers = 0;
  readonly number = ++PreparedBatch.#numbers;
  readonly #catalog: EmbeddedCatalog;
  readonly #metrics = new Map<MetricRecord, MetricRecord['declared']>();
  readonly #entities: EntityRecord[] = [];
  readonly #series: SeriesRecord[] = [];
  /** Row `i` of the three: who was seen, and in which minutes first and last. */
  readonly #seen: EntityRecord[] = [];
  readonly #first: number[] = [];
  readonly #last: number[] = [];
  readonly #records: StoredRecord[] = [];
  #samples: SampleColumns = {series: new Int32Array(0), minute: new Int32Array(0), value: new Float64Array(0)};
  /** Samples whose minutes have expired already. */
  dropped = 0;

  private constructor(catalog: EmbeddedCatalog) {
    this.#catalog = catalog;
  }

  /** Rejects with `bad_request` when a declaration is refused. Samples before the hour `minutesCutOff` are dropped. */
  static async from(
    batch: MetricBatch,
    catalog: EmbeddedCatalog,
    minutesCutOff: number,
    {histories, kept}: BatchHistory = NO_HISTORY,
  ): Promise<PreparedBatch> {
    const prepared = new PreparedBatch(catalog);
    catalog.metrics.check(batch.metrics);
    for (const definition of batch.metrics) {
      const {record, isNew} = catalog.metrics.declare(definition);
      if (isNew) prepared.#addMetric(record);
    }
    for (const {definition, rollups} of histories) {
      const record = catalog.metrics.get(definition.name);
      if (record?.adopt(rollups)) prepared.#addMetric(record);
    }
    try {
      await prepared.#addSamples(batch, minutesCutOff);
      for (const {series, hour} of kept) prepared.#addKept(catalog.seriesOf(series), hour);
      await forEachRange(
        batch.sightings.length,
        (from, to) => prepared.#addSightings(batch.sightings.slice(from, to)),
        NEW_ROWS,
      );
      await forEachRange(
        batch.records.length,
        (from, to) => {
          for (const record of batch.records.slice(from, to)) prepared.#addRecord(record);
        },
        NEW_ROWS,
      );
    } catch (error) {
      prepared.fail();
      throw error;
    }
    return prepared;
  }

  /** Calls `work` for all that the database may not know yet, part by part, and lets other events have their turn. */
  async forEachPart(work: (part: BatchPart) => void): Promise<void> {
    const rows = Math.max(this.#entities.length, this.#series.length, this.#seen.length);
    await forEachRange(
      rows,
      (from, to) =>
        work({
          entities: entityColumns(this.#entities.slice(from, to)),
          series: seriesColumns(this.#series.slice(from, to)),
          seen: {
            id: idsOf(this.#seen.slice(from, to)),
            first: new Float64Array(this.#first.slice(from, to)),
            last: new Float64Array(this.#last.slice(from, to)),
          },
        }),
      ROWS_PER_PART,
    );
  }

  get message(): StoredBatch {
    return {
      number: this.number,
      metrics: [...this.#metrics].map(([{id, rollups}, definition]) => ({id, definition, rollups})),
      samples: this.#samples,
      records: this.#records,
    };
  }

  /** The batch is in the database. */
  async confirm(): Promise<void> {
    for (const [record, definition] of this.#metrics) {
      record.pending--;
      this.#catalog.metrics.confirm(record, definition);
    }
    for (const stored of [this.#entities, this.#series]) {
      await forEachRange(stored.length, (from, to) => {
        for (let i = from; i < to; i++) (stored[i] as EntityRecord | SeriesRecord).stored = true;
      });
    }
    const [seen, first, last] = [this.#seen, this.#first, this.#last];
    await forEachRange(
      seen.length,
      (from, to) => {
        for (let i = from; i < to; i++) {
          this.#catalog.entities.seen(seen[i] as EntityRecord, first[i] as number, last[i] as number);
        }
      },
      NEW_ROWS,
    );
  }

  /** The batch was not stored. */
  fail(): void {
    for (const record of this.#metrics.keys()) record.pending--;
  }

  #addMetric(record: MetricRecord): void {
    if (!this.#metrics.has(record)) record.pending++;
    this.#metrics.set(record, record.declared);
  }

  async #addSamples({samples}: MetricBatch, minutesCutOff: number): Promise<void> {
    const {series: described, index, time, value} = samples;
    if (value.length === 0) return;
    const records: SeriesRecord[] = [];
    const ids = new Int32Array(described.length);
    await forEachRange(
      described.length,
      (from, to) => {
        for (let i = from; i < to; i++) {
          const record = this.#catalog.seriesOf(described[i] as Series);
          records.push(record);
          ids[i] = record.id;
        }
      },
      NEW_ROWS,
    );

    const columns = {
      series: new Int32Array(value.length),
      minute: new Int32Array(value.length),
      value: new Float64Array(value.length),
    };
    const first = new Int32Array(records.length).fill(0x7fff_ffff);
    const last = new Int32Array(records.length).fill(-0x8000_0000);
    const cutOff = minutesCutOff * MINUTES_PER_HOUR;
    let length = 0;
    await forEachRange(value.length, (from, to) => {
      for (let i = from; i < to; i++) {
        const minute = Math.floor((time[i] as number) / SECONDS_PER_MINUTE);
        if (minute < cutOff) continue;
        if (Math.abs(minute) > LAST_MINUTE) throw outOfRange(time[i] as number);
        const at = index[i] as number;
        columns.series[length] = ids[at] as number;
        columns.minute[length] = minute;
        // Adding zero makes -0 plain: the database keeps whole numbers as integers, which have no sign on zero.
        columns.value[length] = (value[i] as number) + 0;
        if (minute < (first[at] as number)) first[at] = minute;
        if (minute > (last[at] as number)) last[at] = minute;
        length++;
      }
    });
    this.dropped = value.length - length;
    this.#samples = {
      series: columns.series.subarray(0, length),
      minute: columns.minute.subarray(0, length),
      value: columns.value.subarray(0, length),
    };

    await forEachRange(
      records.length,
      (from, to) => {
        for (let i = from; i < to; i++) {
          if ((last[i] as number) < (first[i] as number)) continue;
          this.#addSeries(records[i] as SeriesRecord, first[i] as number, last[i] as number);
        }
      },
      NEW_ROWS,
    );
  }

  #addSeries(record: SeriesRecord, first: number, last: number): void {
    this.#addValues(record, Math.floor(last / MINUTES_PER_HOUR));
    this.#addSeen(record.entity, first, last);
  }

  /** Who the series is of need not have been seen then: pages of an export tell that by themselves. */
  #addKept(record: SeriesRecord, hour: number): void {
    this.#addValues(record, hour);
    this.#addEntity(record.entity);
    for (const known of record.entity.seenWith) this.#addEntity(known);
  }

  #addValues(record: SeriesRecord, newestHour: number): void {
    const {metric} = record;
    metric.newestHour = Math.max(newestHour, metric.newestHour ?? newestHour);
    if (record.stored || record.newIn === this.number) return;
    record.newIn = this.number;
    this.#series.push(record);
    if (metric.definition === undefined) this.#addMetric(metric);
  }

  #addSightings(sightings: MetricBatch['sightings']): void {
    for (const {scope, entity, time} of sightings) {
      const minute = Math.floor(time / SECONDS_PER_MINUTE);
      this.#addSeen(this.#catalog.entities.findOrAdd(scope, entity), minute, minute);
    }
  }

  #addRecord({metric: name, entity, content, time, value, traceId}: MetricBatch['records'][number]): void {
    const metric = this.#catalog.declared(name);
    const record = this.#catalog.entities.findOrAdd(metric.declared.scope, entity);
    if (metric.definition === undefined) this.#addMetric(metric);
    this.#addSeen(record, Math.floor(time / SECONDS_PER_MINUTE), Math.floor(time / SECONDS_PER_MINUTE));
    const ids = {metric: metric.id, service: record.service.id, entity: record.id};
    this.#records.push({...ids, time, value: value + 0, content, traceId: traceId ?? null});
  }

  #addSeen(entity: EntityRecord, first: number, last: number): void {
    this.#addEntity(entity);
    for (const known of entity.seenWith) {
      this.#addEntity(known);
      if (first >= known.first && last <= known.last) continue;
      if (known.seenIn !== this.number) {
        known.seenIn = this.number;
        known.seenAt = this.#seen.push(known) - 1;
        this.#first.push(first);
        this.#last.push(last);
        continue;
      }
      const at = known.seenAt;
      this.#first[at] = Math.min(this.#first[at] as number, first);
      this.#last[at] = Math.max(this.#last[at] as number, last);
    }
  }

  #addEntity(entity: EntityRecord): void {
    if (entity.stored || entity.newIn === this.number) return;
    entity.newIn = this.number;
    this.#entities.push(entity);
  }
}

function idsOf(records: readonly {readonly id: number}[]): Int32Array {
  return new Int32Array(records.map(({id}) => id));
}

function entityColumns(entities: readonly EntityRecord[]): BatchPart['entities'] {
  return {
    id: idsOf(entities),
    scope: entities.map(({scope}) => scope),
    names: entities.map(({names}) => JSON.stringify(names)),
  };
}

function seriesColumns(series: readonly SeriesRecord[]): BatchPart['series'] {
  return {
    id: idsOf(series),
    metric: idsOf(series.map(({metric}) => metric)),
    entity: idsOf(series.map(({entity}) => entity)),
    labels: series.map(({labelValues}) => labelsKey(labelValues)),
  };
}

function outOfRange(time: number): GatewayError {
  return new GatewayError(
    'bad_request',
    `the time ${time} of a sample is too far from now: the embedded storage keeps up to ${LATEST_TIME} seconds from 1970`,
  );
}

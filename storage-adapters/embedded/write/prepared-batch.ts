import {GatewayError, type MetricBatch, type Series} from '../../../core/api/adapter.js';
import type {Catalog} from '../catalog/catalog.js';
import type {EntityRecord} from '../catalog/entities.js';
import type {MetricRecord, SeriesRecord} from '../catalog/metrics.js';
import {MINUTES_PER_HOUR} from '../rollup.js';
import type {BatchPart, SampleColumns, StoredBatch, StoredRecord} from '../worker/protocol.js';
import {inSlices} from './slice.js';

/** Times are kept as 32-bit minutes: some four thousand years around 1970. */
const LAST_MINUTE = 0x7fff_fffe;

/** Copied to the writing thread at once. */
const ROWS_PER_PART = 500;

interface Span {
  first: number;
  last: number;
}

/** A batch in terms of ids, on its way to the database: what to send, and what to change here once it is stored. */
export class PreparedBatch {
  static #last = 0;
  readonly number = ++PreparedBatch.#last;
  readonly #catalog: Catalog;
  readonly #metrics = new Map<MetricRecord, MetricRecord['declared']>();
  readonly #entities = new Set<EntityRecord>();
  readonly #series = new Set<SeriesRecord>();
  readonly #seen = new Map<EntityRecord, Span>();
  readonly #records: StoredRecord[] = [];
  #samples: SampleColumns = {series: new Int32Array(0), minute: new Int32Array(0), value: new Float64Array(0)};
  /** Samples whose minutes have expired already. */
  dropped = 0;

  private constructor(catalog: Catalog) {
    this.#catalog = catalog;
  }

  /** Rejects with `bad_request` when a declaration is refused. Samples before the hour `expiredBefore` are dropped. */
  static async from(batch: MetricBatch, catalog: Catalog, expiredBefore: number): Promise<PreparedBatch> {
    const prepared = new PreparedBatch(catalog);
    catalog.metrics.check(batch.metrics);
    for (const definition of batch.metrics) {
      const {record, isNew} = catalog.metrics.declare(definition);
      if (isNew) prepared.#addMetric(record);
    }
    try {
      await prepared.#addSamples(batch, expiredBefore);
      for (const {scope, entity, time} of batch.sightings) {
        const minute = Math.floor(time / 60);
        prepared.#addSeen(catalog.entities.findOrAdd(scope, entity), minute, minute);
      }
      for (const record of batch.records) prepared.#addRecord(record);
    } catch (problem) {
      prepared.fail();
      throw problem;
    }
    return prepared;
  }

  /** Calls `work` for all that the database may not know yet, part by part, and lets other events have their turn. */
  async forEachPart(work: (part: BatchPart) => void): Promise<void> {
    const entities = [...this.#entities];
    const series = [...this.#series];
    const seen = [...this.#seen];
    const rows = Math.max(entities.length, series.length, seen.length);
    const one = (from: number, to: number) =>
      work({
        entities: entities.slice(from, to).map(({id, scope, names}) => ({id, scope, names, first: null, last: null})),
        series: series.slice(from, to).map(({id, metric, entity, labelValues}) => ({
          id,
          metric: metric.id,
          entity: entity.id,
          labels: labelValues,
        })),
        seen: seen.slice(from, to).map(([{id}, {first, last}]) => ({id, first, last})),
      });
    await inSlices(rows, one, ROWS_PER_PART);
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
    const stored = [...this.#entities, ...this.#series];
    await inSlices(stored.length, (from, to) => {
      for (let i = from; i < to; i++) (stored[i] as EntityRecord | SeriesRecord).stored = true;
    });
    const seen = [...this.#seen];
    await inSlices(seen.length, (from, to) => {
      for (const [entity, {first, last}] of seen.slice(from, to)) this.#catalog.entities.seen(entity, first, last);
    });
  }

  /** The batch was not stored. */
  fail(): void {
    for (const record of this.#metrics.keys()) record.pending--;
  }

  #addMetric(record: MetricRecord): void {
    if (!this.#metrics.has(record)) record.pending++;
    this.#metrics.set(record, record.declared);
  }

  async #addSamples({samples}: MetricBatch, expiredBefore: number): Promise<void> {
    const {series: described, index, time, value} = samples;
    if (value.length === 0) return;
    const records: SeriesRecord[] = [];
    const ids = new Int32Array(described.length);
    await inSlices(described.length, (from, to) => {
      for (let i = from; i < to; i++) {
        const record = this.#catalog.seriesOf(described[i] as Series);
        records.push(record);
        ids[i] = record.id;
      }
    });

    const columns = {
      series: new Int32Array(value.length),
      minute: new Int32Array(value.length),
      value: new Float64Array(value.length),
    };
    const first = new Int32Array(records.length).fill(0x7fff_ffff);
    const last = new Int32Array(records.length).fill(-0x8000_0000);
    const border = expiredBefore * MINUTES_PER_HOUR;
    let length = 0;
    await inSlices(value.length, (from, to) => {
      for (let i = from; i < to; i++) {
        const minute = Math.floor((time[i] as number) / 60);
        if (minute < border) continue;
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

    await inSlices(records.length, (from, to) => {
      for (let i = from; i < to; i++) {
        if ((last[i] as number) < (first[i] as number)) continue;
        this.#addSeries(records[i] as SeriesRecord, first[i] as number, last[i] as number);
      }
    });
  }

  #addSeries(record: SeriesRecord, first: number, last: number): void {
    const {metric, entity} = record;
    const hour = Math.floor(last / MINUTES_PER_HOUR);
    metric.newestHour = Math.max(hour, metric.newestHour ?? hour);
    if (!record.stored) {
      this.#series.add(record);
      if (metric.definition === undefined) this.#addMetric(metric);
    }
    this.#addSeen(entity, first, last);
  }

  #addRecord({metric: name, entity, content, time, value, traceId}: MetricBatch['records'][number]): void {
    const metric = this.#catalog.declared(name);
    const record = this.#catalog.entities.findOrAdd(metric.declared.scope, entity);
    if (metric.definition === undefined) this.#addMetric(metric);
    this.#addSeen(record, Math.floor(time / 60), Math.floor(time / 60));
    const ids = {metric: metric.id, service: record.service.id, entity: record.id};
    this.#records.push({...ids, time, value: value + 0, content, traceId: traceId ?? null});
  }

  #addSeen(entity: EntityRecord, first: number, last: number): void {
    if (!entity.stored) this.#entities.add(entity);
    for (const known of entity.seenWith) {
      if (!known.stored) this.#entities.add(known);
      if (first >= known.first && last <= known.last) continue;
      const span = this.#seen.get(known);
      if (span === undefined) this.#seen.set(known, {first, last});
      else if (first < span.first || last > span.last) {
        span.first = Math.min(span.first, first);
        span.last = Math.max(span.last, last);
      }
    }
  }
}

function outOfRange(time: number): GatewayError {
  return new GatewayError(
    'bad_request',
    `The time ${time} of a sample is too far from now: the embedded storage keeps up to ${LAST_MINUTE * 60} seconds from 1970.`,
  );
}

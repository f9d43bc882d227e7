import {createHash} from 'node:crypto';
import {MINUTES_PER_HOUR} from '../../../../core/toolkit/time.js';
import type {Database} from '../../disk/database.js';
import type {BatchPart, StoredBatch, StoredRecord} from '../../threads/writer-protocol.js';
import type {KnownMetrics} from './known-metrics.js';

/** Puts batches into the tables, inside a transaction of the caller. */
export class BatchWriter {
  readonly #metric;
  readonly #entity;
  readonly #seen;
  readonly #series;
  readonly #unmerged;
  readonly #record;
  readonly #cutOff: () => number;
  readonly #touched: (metric: number, hour: number) => void;
  readonly #known: KnownMetrics;
  /** The hour that was last reported as touched, for each metric. */
  readonly #lastHour: number[] = [];

  /**
   * `cutOff` is the hour before which minutes have expired: a sample of before it, that came while the cut-off moved, is
   * left out. `touched` learns which hours of a metric have new unmerged rows.
   */
  constructor(
    database: Database,
    known: KnownMetrics,
    cutOff: () => number,
    touched: (metric: number, hour: number) => void,
  ) {
    this.#known = known;
    this.#cutOff = cutOff;
    this.#touched = touched;
    this.#metric = database.prepare(
      `INSERT INTO metrics (id, name, definition, rollups) VALUES (?, ?, ?, ?)
       ON CONFLICT (id) DO UPDATE SET definition = excluded.definition, rollups = excluded.rollups`,
    );
    this.#entity = database.prepare('INSERT OR IGNORE INTO entities (id, scope, names) VALUES (?, ?, ?)');
    this.#seen = database.prepare(
      'UPDATE entities SET first = min(ifnull(first, ?), ?), last = max(ifnull(last, ?), ?) WHERE id = ?',
    );
    this.#series = database.prepare('INSERT OR IGNORE INTO series (id, metric, entity, labels) VALUES (?, ?, ?, ?)');
    this.#unmerged = database.prepare('INSERT OR REPLACE INTO hot (metric, minute, series, value) VALUES (?, ?, ?, ?)');
    this.#record = database.prepare(
      `INSERT OR IGNORE INTO records (metric, service, time, digest, entity, value, content, trace)
       VALUES (?, ?, ?, ?, ?, ?, ?, ?)`,
    );
  }

  /** Writes everything but what was seen. */
  write(batch: StoredBatch, parts: readonly BatchPart[]): void {
    for (const {id, definition, rollups} of batch.metrics) {
      this.#metric.run(id, definition.name, JSON.stringify(definition), JSON.stringify(rollups));
      this.#known.setRollups(id, rollups);
    }
    for (const {entities} of parts) {
      const {id, scope, names} = entities;
      for (let i = 0; i < id.length; i++) this.#entity.run(id[i], scope[i], names[i]);
    }
    for (const {series} of parts) {
      const {id, metric, entity, labels} = series;
      for (let i = 0; i < id.length; i++) {
        this.#series.run(id[i], metric[i], entity[i], labels[i]);
        this.#known.addSeries(id[i] as number, metric[i] as number);
      }
    }
    this.#writeSamples(batch.samples);
    for (const record of batch.records) this.#writeRecord(record);
  }

  /** Writes what the batches of one transaction have seen, each entity once. */
  writeSeen(parts: readonly BatchPart[]): void {
    const spans = new Map<number, {first: number; last: number}>();
    for (const {seen} of parts) {
      for (let i = 0; i < seen.id.length; i++) {
        const id = seen.id[i] as number;
        const first = seen.first[i] as number;
        const last = seen.last[i] as number;
        const span = spans.get(id);
        if (span === undefined) {
          spans.set(id, {first, last});
        } else {
          span.first = Math.min(span.first, first);
          span.last = Math.max(span.last, last);
        }
      }
    }
    for (const [id, {first, last}] of spans) this.#seen.run(first, first, last, last, id);
  }

  #writeSamples({series, minute, value}: StoredBatch['samples']): void {
    this.#lastHour.length = 0;
    const cutOff = this.#cutOff();
    for (let i = 0; i < series.length; i++) {
      const id = series[i] as number;
      const time = minute[i] as number;
      const metric = this.#known.metricOf(id);
      const hour = Math.floor(time / MINUTES_PER_HOUR);
      if (hour < cutOff) continue;
      if (this.#lastHour[metric] !== hour) {
        this.#lastHour[metric] = hour;
        this.#touched(metric, hour);
      }
      this.#unmerged.run(metric, time, id, value[i]);
    }
  }

  /** The digest makes the key unique over all fields without holding a long text twice. */
  #writeRecord({metric, service, entity, time, value, content, traceId}: StoredRecord): void {
    const digest = createHash('sha256')
      .update(JSON.stringify([entity, value, content, traceId]))
      .digest()
      .subarray(0, 16);
    this.#record.run(metric, service, time, digest, entity, value, content, traceId);
  }
}

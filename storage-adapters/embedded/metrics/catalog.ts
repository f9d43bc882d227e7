import {type MetricDefinition, type Series, undeclared} from '../../../core/api/adapter.js';
import type {Opened} from '../threads/writer-protocol.js';
import {Entities} from './entities.js';
import {type MetricRecord, Metrics, SeriesRecord} from './metric-records.js';

/** What exists: metrics, entities and series, with the ids by which everything else knows them. */
export class EmbeddedCatalog {
  readonly metrics = new Metrics();
  readonly entities = new Entities();
  readonly #series: SeriesRecord[] = [];
  /** By the identity of what callers pass, because looking a series up by its names costs more than storing a sample. */
  readonly #cache = new WeakMap<Series, SeriesRecord>();

  load({metrics, entities, series, newestHours}: Opened): void {
    const byId = new Map<number, MetricRecord>();
    for (const stored of metrics) byId.set(stored.id, this.metrics.load(stored));
    for (const stored of entities) this.entities.load(stored);
    for (const {id, metric, entity, labels} of series) {
      const metricRecord = byId.get(metric);
      const entityRecord = this.entities.byId(entity);
      if (metricRecord === undefined || entityRecord === undefined) continue;
      const record = new SeriesRecord(id, metricRecord, entityRecord, labels);
      record.stored = true;
      this.#series[id] = record;
      metricRecord.add(record);
    }
    for (const [id, hour] of newestHours) {
      const record = byId.get(id);
      if (record !== undefined) record.newestHour = hour;
    }
  }

  /** One more than the largest id of a series. */
  get seriesCount(): number {
    return this.#series.length;
  }

  series(id: number): SeriesRecord | undefined {
    return this.#series[id];
  }

  /** The series, made if need be. */
  seriesOf(series: Series): SeriesRecord {
    const cached = this.#cache.get(series);
    if (cached !== undefined && !cached.metric.replaced) return cached;
    const metric = this.declared(series.metric);
    const entity = this.entities.findOrAdd(metric.declared.scope, series.entity);
    const labels = metric.declared.valueLabels.map(name => series.labels[name] ?? '');
    let record = metric.find(entity, labels);
    if (record === undefined) {
      record = new SeriesRecord(this.#series.length, metric, entity, labels);
      this.#series.push(record);
      metric.add(record);
    }
    this.#cache.set(series, record);
    return record;
  }

  declared(name: string): MetricRecord {
    const metric = this.metrics.get(name);
    if (metric !== undefined) return metric;
    throw undeclared(name);
  }

  /** The metric of a request, when it has been stored. */
  known(definition: MetricDefinition): MetricRecord | undefined {
    const metric = this.metrics.get(definition.name);
    return metric?.definition === undefined ? undefined : metric;
  }
}

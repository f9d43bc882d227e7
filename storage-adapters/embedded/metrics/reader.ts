import {
  type Call,
  type Column,
  type MetricDefinition,
  type MetricReader,
  type Ranked,
  type RankingRequest,
  type SampledRecord,
  type SampledRecordsRequest,
  STEP_SECONDS,
  type ValueLabels,
  type ValueLabelsRequest,
  type ValuesRequest,
} from '../../../core/api/adapter.js';
import {MINUTES_PER_HOUR, SECONDS_PER_MINUTE} from '../../../core/toolkit/time.js';
import {cooperate} from '../../../core/toolkit/yielder.js';
import type {Head} from '../head/head.js';
import type {ReaderPool} from '../threads/reader-pool.js';
import type {EmbeddedCatalog} from './catalog.js';
import {columnFromHead, isPresentIn} from './head-columns.js';
import type {MetricRecord, SeriesRecord} from './metric-records.js';
import {bestOf, rankedFromHead} from './ranking.js';
import {ascending, seriesWindow} from './series-window.js';

/** Answers from the head what it covers, and asks a reading thread for the rest. */
export class EmbeddedMetricReader implements MetricReader {
  readonly #catalog: EmbeddedCatalog;
  readonly #head: Head;
  readonly #readers: ReaderPool;

  constructor(catalog: EmbeddedCatalog, head: Head, readers: ReaderPool) {
    this.#catalog = catalog;
    this.#head = head;
    this.#readers = readers;
  }

  async catalog(): Promise<readonly MetricDefinition[]> {
    return this.#catalog.metrics.catalog();
  }

  async values(request: ValuesRequest, call: Call): Promise<readonly Column[]> {
    const {entity, valueFilters, window} = request;
    const metric = this.#catalog.known(request.metric);
    const record = metric && this.#catalog.entities.find(metric.declared.scope, entity);
    if (metric === undefined || record === undefined) return [];
    const all = metric.ofEntity(record);
    const series = valueFilters.size === 0 ? all : all.filter(one => passes(one, valueFilters));
    if (series.length === 0) return [];

    if (this.#head.covers(window)) return series.flatMap(one => columnFromHead(this.#head, one, window) ?? []);

    const ids = ascending(series);
    const reply = await this.#readers.call('values', seriesWindow(metric, ids, window), call.signal);
    return ids.flatMap(({labels}, i) => {
      const values = reply.values.slice(i * window.count, (i + 1) * window.count);
      const present = Uint8Array.from(values, value => (Number.isNaN(value) ? 0 : 1));
      return present.includes(1) ? {labels, values, present} : [];
    });
  }

  async ranking(request: RankingRequest, call: Call): Promise<readonly Ranked[]> {
    const {layer, parentService, window} = request;
    const metric = this.#catalog.known(request.metric);
    const series = metric && this.#candidates(metric, layer, parentService);
    if (metric === undefined || series === undefined || series.length === 0) return [];
    if (this.#head.covers(window)) {
      const best = await cooperate(rankedFromHead(this.#head, series, request), call);
      // The head may have let go of hours in between: then of some series a part was not seen.
      if (this.#head.covers(window)) return best;
    }
    const ids = ascending(series);
    const {means} = await this.#readers.call('means', seriesWindow(metric, ids, window), call.signal);
    return cooperate(bestOf(ids, means, request), call);
  }

  async sampledRecords(request: SampledRecordsRequest, call: Call): Promise<readonly SampledRecord[]> {
    const {layer, parentService, order, limit, window} = request;
    const metric = this.#catalog.known(request.metric);
    const service = this.#catalog.entities.find('Service', {layer, service: parentService});
    if (metric === undefined || service === undefined) return [];
    const to = window.first + window.count * STEP_SECONDS[window.step] - 1;
    const scan = {metric: metric.id, service: service.id, from: window.first, to, descending: order === 'DES', limit};
    const records = await this.#readers.call('records', scan, call.signal);
    return records.flatMap(({entity: id, content, time, value, traceId}) => {
      const entity = this.#catalog.entities.byId(id)?.entity;
      if (entity === undefined) return [];
      return traceId === null ? {entity, content, time, value} : {entity, content, time, value, traceId};
    });
  }

  async valueLabels(request: ValueLabelsRequest, call: Call): Promise<readonly ValueLabels[]> {
    const {entity, from, to} = request;
    const metric = this.#catalog.known(request.metric);
    if (metric === undefined || from > to) return [];
    const all = [...metric.labelSets.values()];
    const sets = entity === undefined ? all : all.map(set => set.filter(series => matches(series, entity)));

    const first = Math.floor(from / SECONDS_PER_MINUTE);
    const last = Math.floor(to / SECONDS_PER_MINUTE);
    const blocks = this.#head.blocksBetween(Math.floor(first / MINUTES_PER_HOUR), Math.floor(last / MINUTES_PER_HOUR));
    const found: ValueLabels[] = [];
    const missing: SeriesRecord[][] = [];
    for (const set of sets) {
      if (set.length === 0) continue;
      const one = set.find(series => isPresentIn(blocks, series, first, last));
      if (one === undefined) missing.push(set);
      else found.push(one.labels);
    }
    if (missing.length === 0 || this.#head.coversFrom(from, 'minute')) return found;

    const pairs = missing.flatMap((set, group) => set.map(series => ({series, group})));
    pairs.sort((a, b) => a.series.id - b.series.id);
    const scan = {
      metric: metric.id,
      series: Int32Array.from(pairs, ({series}) => series.id),
      groups: Int32Array.from(pairs, ({group}) => group),
      from: first,
      to: last,
    };
    const {present} = await this.#readers.call('present', scan, call.signal);
    for (const [group, set] of missing.entries()) {
      const labels = set[0]?.labels;
      if (present[group] === 1 && labels !== undefined) found.push(labels);
    }
    return found;
  }

  #candidates(metric: MetricRecord, layer: string, parentService?: string): readonly SeriesRecord[] {
    if (parentService === undefined) return metric.ofLayer(layer);
    const service = this.#catalog.entities.find('Service', {layer, service: parentService});
    return service === undefined ? [] : metric.ofService(service);
  }
}

function passes({labels}: SeriesRecord, filters: ReadonlyMap<string, readonly string[]>): boolean {
  for (const [name, wanted] of filters) {
    const value = labels[name];
    if (value === undefined || !wanted.includes(value)) return false;
  }
  return true;
}

function matches({entity}: SeriesRecord, wanted: NonNullable<ValueLabelsRequest['entity']>): boolean {
  return Object.entries(wanted).every(
    ([key, value]) => value === undefined || entity.entity[key as keyof typeof wanted] === value,
  );
}

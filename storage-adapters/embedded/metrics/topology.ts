import {
  type BucketWindow,
  type Call,
  compareNameLists,
  type Entity,
  type RelationsRequest,
  type TopologyReader,
} from '../../../core/api/adapter.js';
import {forEachYielding} from '../../../core/toolkit/yielder.js';
import type {Head} from '../head/head.js';
import type {ReaderPool} from '../threads/reader-pool.js';
import type {EmbeddedCatalog} from './catalog.js';
import type {EntityRecord} from './entities.js';
import {columnFromHead} from './head-columns.js';
import type {MetricRecord, SeriesRecord} from './metric-records.js';
import {ascending, seriesWindow} from './series-window.js';

/** Metric by metric: the first that has values of a relation settles it, and most metrics have them of the same relations. */
export class EmbeddedTopologyReader implements TopologyReader {
  readonly #catalog: EmbeddedCatalog;
  readonly #head: Head;
  readonly #readers: ReaderPool;

  constructor(catalog: EmbeddedCatalog, head: Head, readers: ReaderPool) {
    this.#catalog = catalog;
    this.#head = head;
    this.#readers = readers;
  }

  async relations({scope, window, of, limit}: RelationsRequest, call: Call): Promise<readonly Entity[]> {
    call.signal.throwIfAborted();
    const found = new Set<EntityRecord>();
    for (const metric of this.#catalog.metrics.all()) {
      if (metric.definition?.scope !== scope) continue;
      const open = metric.series.filter(({entity}) => !found.has(entity) && (of === undefined || isEnd(entity, of)));
      if (open.length > 0) await this.#addPresent(found, metric, open, window, call);
    }
    const named = [...found].map(({names, entity}) => ({names, entity}));
    named.sort((a, b) => compareNameLists(a.names, b.names));
    return named.slice(0, limit).map(({entity}) => entity);
  }

  async #addPresent(
    found: Set<EntityRecord>,
    metric: MetricRecord,
    series: readonly SeriesRecord[],
    window: BucketWindow,
    call: Call,
  ): Promise<void> {
    if (this.#head.covers(window)) {
      const look = (one: SeriesRecord): void => {
        if (!found.has(one.entity) && columnFromHead(this.#head, one, window) !== undefined) found.add(one.entity);
      };
      await forEachYielding(series, look, call);
      return;
    }
    const ids = ascending(series);
    const {means} = await this.#readers.call('means', seriesWindow(metric, ids, window), call.signal);
    for (const [i, {entity}] of ids.entries()) if (!Number.isNaN(means[i])) found.add(entity);
  }
}

function isEnd({entity}: EntityRecord, {layer, service}: NonNullable<RelationsRequest['of']>): boolean {
  return (
    (entity.layer === layer && entity.service === service) ||
    (entity.destLayer === layer && entity.destService === service)
  );
}

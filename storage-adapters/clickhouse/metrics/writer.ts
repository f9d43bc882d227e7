import {
  type Call,
  conflictBetween,
  isSameDeclaration,
  type KeptBuckets,
  type MetricBatch,
  type MetricDefinition,
  type MetricHistory,
  type MetricWriter,
  type Series,
  undeclared,
} from '../../../core/api/adapter.js';
import {BatchQueue} from '../../../core/toolkit/batch-queue.js';
import {SECONDS_PER_MINUTE} from '../../../core/toolkit/time.js';
import {forEachYielding} from '../../../core/toolkit/yielder.js';
import type {ClickHouseClient} from '../client/client.js';
import {ClickHouseInserter, ROWS_TOGETHER, ROWS_WAITING} from '../client/inserter.js';
import type {RateLimiter} from '../client/rate-limiter.js';
import type {RowWriter} from '../client/row-writer.js';
import {sql} from '../client/sql.js';
import type {VersionClock} from '../client/version-clock.js';
import type {ClickHouseInstruments} from '../instruments.js';
import {digest, namesOf} from '../schema/keys.js';
import type {CatalogEntry, ClickHouseCatalog} from './catalog.js';
import {Declarations} from './declarations.js';
import {EntityObservations, KnownEntities} from './entities.js';
import {SampleRows, SeriesEncoder} from './sample-rows.js';

export interface ClickHouseMetricWriterOptions {
  readonly client: ClickHouseClient;
  readonly catalog: ClickHouseCatalog;
  readonly instruments: ClickHouseInstruments;
  readonly clock: VersionClock;
  readonly rate: RateLimiter;
  /** The minute before which samples are dropped, because their hours are no longer made from minutes. */
  readonly cutOff: () => number;
  readonly dropped: (samples: number) => void;
}

/**
 * Writes batches so that a reader never meets what it cannot interpret: declarations first, then the entities, then
 * samples and records.
 */
export class ClickHouseMetricWriter implements MetricWriter {
  readonly #options: ClickHouseMetricWriterOptions;
  readonly #declarations: Declarations;
  readonly #entities = new KnownEntities();
  readonly #series = new SeriesEncoder(this.#entities);
  readonly #queue: BatchQueue<MetricBatch>;
  readonly #into: {
    readonly entities: ClickHouseInserter;
    readonly minutes: ClickHouseInserter;
    readonly records: ClickHouseInserter;
  };
  /** As of the last look; says which batches declare something new. */
  #known: ReadonlyMap<string, MetricDefinition> = new Map();

  constructor(options: ClickHouseMetricWriterOptions) {
    this.#options = options;
    const {client, catalog, instruments, clock, rate} = options;
    this.#declarations = new Declarations(client, catalog, clock);
    const names = sql`scope, layer, service, name, dest_layer, dest_service, dest_name`;
    const whose = sql`metric, service, entity`;
    this.#into = {
      entities: new ClickHouseInserter(
        client,
        instruments,
        'entities',
        sql`entities (${names}, edge, minute, rank, id)`,
      ),
      minutes: new ClickHouseInserter(
        client,
        instruments,
        'minutes',
        sql`minutes (${whose}, labels, hour, minute, value, version)`,
      ),
      records: new ClickHouseInserter(
        client,
        instruments,
        'records',
        sql`records (${whose}, names, time, value, content, trace_id, digest)`,
      ),
    };
    this.#queue = new BatchQueue({
      storage: 'clickhouse',
      unit: 'rows',
      limit: ROWS_WAITING,
      together: ROWS_TOGETHER,
      size: ({samples, records, sightings}) => samples.value.length + records.length + sightings.length + 1,
      goesAlone: batch => this.#declaresAnew(batch),
      store: batches => this.#store(batches),
      pace: () => rate.turn(),
      queued: batches => instruments.queued.with({writer: 'metrics'}).set(batches),
    });
  }

  /** As it is now: a body may come here whose metrics were declared at another gateway a moment ago. */
  declared(): Promise<readonly MetricDefinition[]> {
    return this.#options.catalog.listNow();
  }

  async write(batch: MetricBatch, call: Call): Promise<void> {
    call.signal.throwIfAborted();
    await this.#queue.write(batch);
  }

  /** Declares the metrics of an exported page. */
  adopt(histories: readonly MetricHistory[]): Promise<void> {
    return this.#declarations.adopt(histories);
  }

  /**
   * Makes relations known that have nothing but hours and days whose minutes are gone. Other entities are told of by an export, and
   * so are the ends of these.
   */
  async knowRelations({series, values}: KeptBuckets): Promise<void> {
    const metrics = await this.#options.catalog.readNow();
    const sightings = new EntityObservations();
    for (const {series: place, time} of values) {
      const of = series[place];
      const scope = metrics.get(of?.metric ?? '')?.definition.scope;
      if (of === undefined || scope === undefined || !scope.endsWith('Relation')) continue;
      sightings.addAlone(this.#entities.find(scope, of.entity), Math.floor(time / SECONDS_PER_MINUTE));
    }
    await this.#into.entities.send(sightings.rows());
    sightings.confirm();
  }

  settled(): Promise<void> {
    return this.#queue.settled();
  }

  #declaresAnew({metrics}: MetricBatch): boolean {
    return metrics.some(metric => {
      const known = this.#known.get(metric.name);
      return known === undefined || !isSameDeclaration(known, metric) || conflictBetween(known, metric) !== undefined;
    });
  }

  async #store(batches: readonly MetricBatch[]): Promise<void> {
    const [first] = batches;
    if (first !== undefined && this.#declaresAnew(first)) await this.#declarations.store(first.metrics);
    const metrics = await this.#metricsOf(batches);
    const {cutOff, clock, dropped} = this.#options;
    const samples = new SampleRows();
    let late = 0;
    const encode = (series: Series) => this.#series.encode(series, metrics(series.metric));
    await forEachYielding(batches, batch => {
      late += samples.add(batch.samples, encode, cutOff());
    });

    const sightings = new EntityObservations();
    for (const {entity, first, last} of samples.seen()) sightings.add(entity, first, last);
    for (const batch of batches) this.#see(batch, metrics, sightings);
    const {entities, minutes, records} = this.#into;
    await entities.send(sightings.rows());
    sightings.confirm();

    await Promise.all([
      minutes.insert(samples.writers(clock.next())),
      records.insert(batches.flatMap(batch => this.#recordWriters(batch, metrics))),
    ]);
    if (late > 0) dropped(late);
  }

  /** Looks up the metrics that the batches use, at the server when another gateway may have declared one just now. */
  async #metricsOf(batches: readonly MetricBatch[]): Promise<(name: string) => CatalogEntry> {
    const {catalog} = this.#options;
    this.#known = new Map((await catalog.list()).map(definition => [definition.name, definition]));
    const used = new Set<string>();
    for (const {samples, records} of batches) {
      for (const {metric} of samples.series) used.add(metric);
      for (const {metric} of records) used.add(metric);
    }
    const found = new Map<string, CatalogEntry>();
    for (const name of used) {
      const metric = (await catalog.get(name)) ?? (await catalog.readNow()).get(name);
      if (metric !== undefined) found.set(name, metric);
    }
    return name => {
      const metric = found.get(name);
      if (metric === undefined) throw undeclared(name);
      return metric;
    };
  }

  #see(batch: MetricBatch, metrics: (name: string) => CatalogEntry, sightings: EntityObservations): void {
    for (const {scope, entity, time} of batch.sightings) {
      const minute = Math.floor(time / SECONDS_PER_MINUTE);
      sightings.add(this.#entities.find(scope, entity), minute, minute);
    }
    for (const {metric, entity, time} of batch.records) {
      const minute = Math.floor(time / SECONDS_PER_MINUTE);
      sightings.add(this.#entities.find(metrics(metric).definition.scope, entity), minute, minute);
    }
  }

  #recordWriters(batch: MetricBatch, metrics: (name: string) => CatalogEntry): ((rows: RowWriter) => number)[] {
    return batch.records.map(({metric, entity, content, time, value, traceId}) => rows => {
      const {scope} = metrics(metric).definition;
      const names = namesOf(scope, entity);
      this.#series.columns(rows, metric, scope, entity);
      rows.strings(names);
      rows.int64(time);
      rows.float64(value + 0);
      rows.string(content);
      rows.strings(traceId === undefined ? [] : [traceId]);
      rows.raw(digest([...names, String(value + 0), content, ...(traceId === undefined ? [] : [traceId])]));
      return 1;
    });
  }
}

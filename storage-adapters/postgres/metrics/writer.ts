import type {Call, MetricBatch, MetricDefinition, MetricExport, MetricWriter} from '../../../core/api/adapter.js';
import {BatchQueue} from '../../../core/toolkit/batch-queue.js';
import type {PostgresDatabase, Transaction} from '../client/database.js';
import type {PostgresInstruments} from '../instruments.js';
import {lock} from '../schema/locks.js';
import {readStore} from '../schema/store.js';
import {PostgresBatchWriter} from './batch-writer.js';
import type {PostgresCatalog} from './catalog.js';
import {adopt, declare} from './declarations.js';
import {PostgresDictionary} from './dictionary.js';
import {raiseBorder} from './kept-rows.js';

/** Samples and records of batches that are not acknowledged yet; more are refused. */
const QUEUE_LIMIT = 2_000_000;

/** A batch, and where it is a page of an export, the rest of that. */
interface QueuedBatch extends MetricBatch {
  readonly page?: MetricExport;
}

/**
 * Writes one batch at a time, each in a transaction under a lock of the database: of several gateways one writes while
 * the others wait their turn. That is what makes ids unique, hours exact, and deadlocks impossible.
 */
export class PostgresMetricWriter implements MetricWriter {
  readonly #database: PostgresDatabase;
  readonly #catalog: PostgresCatalog;
  readonly #schema: string;
  readonly #instruments: PostgresInstruments;
  readonly #dictionary = new PostgresDictionary();
  readonly #partitions = new Set<string>();
  #epoch = '';
  readonly #queue = new BatchQueue<QueuedBatch>({
    storage: 'postgres',
    unit: 'samples',
    size: sizeOf,
    limit: QUEUE_LIMIT,
    together: QUEUE_LIMIT,
    goesAlone: () => true,
    store: async batches => {
      for (const batch of batches) await this.#write(batch);
    },
  });

  constructor(database: PostgresDatabase, catalog: PostgresCatalog, schema: string, instruments: PostgresInstruments) {
    this.#database = database;
    this.#catalog = catalog;
    this.#schema = schema;
    this.#instruments = instruments;
  }

  /** As it is now: a body may come here whose metrics were declared at another gateway a moment ago. */
  async declared(call: Call): Promise<readonly MetricDefinition[]> {
    return (await this.#catalog.current(call.signal, 0)).definitions;
  }

  async write(batch: MetricBatch, call: Call): Promise<void> {
    const {metrics, sightings} = batch;
    if (sizeOf(batch) + metrics.length + sightings.length === 0) return;
    call.signal.throwIfAborted();
    await this.#queue.write(batch);
  }

  /** A page of an export, in one transaction. */
  async writePage(page: MetricExport, call: Call): Promise<void> {
    const {metrics, sightings, samples, records} = page;
    call.signal.throwIfAborted();
    await this.#queue.write({metrics: metrics.map(({definition}) => definition), sightings, samples, records, page});
  }

  /** Resolves when every batch so far has been stored or refused. */
  async settled(): Promise<void> {
    await this.#queue.settled();
  }

  async #write(batch: QueuedBatch): Promise<void> {
    let known = new Set<string>();
    const {confirm, dropped} = await this.#database.transaction(async transaction => {
      await lock(transaction, this.#schema, 'metrics');
      const store = await readStore(transaction);
      if (store.epoch !== this.#epoch) this.#partitions.clear();
      this.#epoch = store.epoch;
      this.#dictionary.enter(store.epoch);
      known = new Set(this.#partitions);
      return this.#store(transaction, batch, store, known);
    });
    confirm();
    for (const partition of known) this.#partitions.add(partition);
    this.#instruments.dropped(dropped);
  }

  async #store(
    transaction: Transaction,
    batch: QueuedBatch,
    {token, minuteCutoff}: {readonly token: string; readonly minuteCutoff: number},
    known: Set<string>,
  ) {
    const before = await this.#catalog.within(transaction.query, token);
    const {page} = batch;
    const catalog = await (page === undefined
      ? declare(transaction, batch.metrics, before)
      : adopt(transaction, page.metrics, before));
    const writer = new PostgresBatchWriter(transaction, this.#dictionary, catalog, known);
    const {resolved, dropped, seen} = await writer.write(batch, minuteCutoff);
    const kept = page !== undefined && page.kept.values.length > 0 ? await writer.writeKept(page.kept) : undefined;
    if (kept !== undefined) await raiseBorder(transaction, kept.border);
    const confirm = (): void => {
      this.#dictionary.confirm(resolved);
      if (kept !== undefined) this.#dictionary.confirm(kept.resolved);
      for (const [entity, {first, last}] of seen) {
        entity.first = Math.min(entity.first, first);
        entity.last = Math.max(entity.last, last);
      }
      this.#catalog.committed(catalog);
    };
    return {confirm, dropped};
  }
}

function sizeOf({samples, records}: MetricBatch): number {
  return samples.value.length + records.length;
}

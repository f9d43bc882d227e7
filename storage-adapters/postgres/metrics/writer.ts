import type {Call, MetricBatch, MetricDefinition, MetricExport, MetricWriter} from '../../../core/api/adapter.js';
import {BatchQueue} from '../../../core/toolkit/batch-queue.js';
import type {PostgresDatabase, Transaction} from '../client/database.js';
import type {PostgresInstruments} from '../instruments.js';
import {lock} from '../schema/locks.js';
import {readStore, type StoreRow} from '../schema/store.js';
import {PostgresBatchWriter} from './batch-writer.js';
import type {PostgresCatalog, PostgresCatalogState} from './catalog.js';
import {adopt, declare, newDeclarations} from './declarations.js';
import {PostgresDictionary} from './dictionary.js';
import {joined} from './joined-batches.js';
import {raiseBorder} from './kept-rows.js';

/** Samples and records of batches that are not acknowledged yet; more are refused. */
const QUEUE_LIMIT = 2_000_000;
/** What is written in one transaction, so that none takes long, and a small batch does not wait for it. */
const TOGETHER = 20_000;

/** A batch, and where it is a page of an export, the rest of that. */
interface QueuedBatch extends MetricBatch {
  readonly page?: MetricExport;
}

/** What a part of a transaction has made, which counts from the commit on. */
interface Part {
  readonly dropped: number;
  confirm(): void;
}

/**
 * Writes in transactions under a lock of the database: of several gateways one writes while the others wait their turn.
 * That is what makes ids unique, hours exact, and deadlocks impossible. Batches that have come meanwhile share one.
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
    together: TOGETHER,
    goesAlone: ({page}) => page !== undefined,
    store: batches => this.#write(batches),
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

  async #write(batches: readonly QueuedBatch[]): Promise<void> {
    let known = new Set<string>();
    const {parts, catalog} = await this.#database.transaction(async transaction => {
      await lock(transaction, this.#schema, 'metrics');
      const store = await readStore(transaction);
      if (store.epoch !== this.#epoch) this.#partitions.clear();
      this.#epoch = store.epoch;
      this.#dictionary.enter(store.epoch);
      known = new Set(this.#partitions);
      return this.#store(transaction, batches, store, known);
    });
    for (const {confirm} of parts) confirm();
    this.#catalog.committed(catalog);
    for (const partition of known) this.#partitions.add(partition);
    this.#instruments.dropped(parts.reduce((sum, {dropped}) => sum + dropped, 0));
  }

  /** Leaves the database as the batches one by one would: those under the same declarations are written as one. */
  async #store(
    transaction: Transaction,
    batches: readonly QueuedBatch[],
    {token, minuteCutoff}: StoreRow,
    known: Set<string>,
  ): Promise<{readonly parts: readonly Part[]; readonly catalog: PostgresCatalogState}> {
    let catalog = await this.#catalog.within(transaction.query, token);
    const parts: Part[] = [];
    let group: QueuedBatch[] = [];
    const flush = async (): Promise<void> => {
      const writer = new PostgresBatchWriter(transaction, this.#dictionary, catalog, known);
      if (group.length > 0) parts.push(await this.#storePart(transaction, writer, group, minuteCutoff));
      group = [];
    };
    for (const batch of batches) {
      const {page, metrics} = batch;
      // Another rollup counts from the newest hour on, and a sample may not come before its declaration.
      if (newDeclarations(metrics, catalog).length > 0) await flush();
      catalog = await (page === undefined
        ? declare(transaction, metrics, catalog)
        : adopt(transaction, page.metrics, catalog));
      group.push(batch);
    }
    await flush();
    return {parts, catalog};
  }

  async #storePart(
    transaction: Transaction,
    writer: PostgresBatchWriter,
    group: readonly QueuedBatch[],
    minuteCutoff: number,
  ): Promise<Part> {
    const {resolved, dropped, seen} = await writer.write(joined(group), minuteCutoff);
    const page = group[0]?.page;
    const kept = page !== undefined && page.kept.values.length > 0 ? await writer.writeKept(page.kept) : undefined;
    if (kept !== undefined) await raiseBorder(transaction, kept.border);
    const confirm = (): void => {
      this.#dictionary.confirm(resolved);
      if (kept !== undefined) this.#dictionary.confirm(kept.resolved);
      for (const [entity, {first, last}] of seen) {
        entity.first = Math.min(entity.first, first);
        entity.last = Math.max(entity.last, last);
      }
    };
    return {dropped, confirm};
  }
}

function sizeOf({samples, records}: MetricBatch): number {
  return samples.value.length + records.length;
}

import {
  type Call,
  GatewayError,
  type MetricBatch,
  type MetricDefinition,
  type MetricWriter,
} from '../../../core/api/adapter.js';
import type {PostgresDatabase, Transaction} from '../client/database.js';
import type {PostgresInstruments} from '../instruments.js';
import {lock} from '../schema/locks.js';
import {readStore} from '../schema/store.js';
import {PostgresBatchWriter} from './batch-writer.js';
import type {PostgresCatalog} from './catalog.js';
import {declare} from './declarations.js';
import {PostgresDictionary} from './dictionary.js';

/** Samples and records of batches that are not acknowledged yet; more are refused. */
const QUEUE_LIMIT = 2_000_000;

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
  #queued = 0;
  #last: Promise<unknown> = Promise.resolve();

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
    const {metrics, sightings, samples, records} = batch;
    const size = samples.value.length + records.length;
    if (size + metrics.length + sightings.length === 0) return;
    if (this.#queued > 0 && this.#queued + size > QUEUE_LIMIT) {
      throw new GatewayError(
        'overloaded',
        `The postgres storage has ${this.#queued} samples waiting to be written, and takes ${QUEUE_LIMIT} at most. Send the batch again in a second.`,
      );
    }
    call.signal.throwIfAborted();
    this.#queued += size;
    const written = this.#last.then(() => this.#write(batch));
    this.#last = written.catch(() => undefined);
    try {
      await written;
    } finally {
      this.#queued -= size;
    }
  }

  /** Resolves when every batch so far has been stored or refused. */
  async settled(): Promise<void> {
    await this.#last;
  }

  async #write(batch: MetricBatch): Promise<void> {
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
    batch: MetricBatch,
    {token, minuteBorder}: {readonly token: string; readonly minuteBorder: number},
    known: Set<string>,
  ) {
    const before = await this.#catalog.within(transaction.query, token);
    const catalog = await declare(transaction, batch.metrics, before);
    const writer = new PostgresBatchWriter(transaction, this.#dictionary, catalog, known);
    const {resolved, dropped, seen} = await writer.write(batch, minuteBorder);
    const confirm = (): void => {
      this.#dictionary.confirm(resolved);
      for (const [entity, {first, last}] of seen) {
        entity.first = Math.min(entity.first, first);
        entity.last = Math.max(entity.last, last);
      }
      this.#catalog.committed(catalog);
    };
    return {confirm, dropped};
  }
}

import {
  type Call,
  GatewayError,
  type MetricBatch,
  type MetricDefinition,
  type MetricWriter,
} from '../../../core/api/adapter.js';
import type {Head} from '../head/head.js';
import {forEachRange} from '../threads/ranges.js';
import type {SampleColumns} from '../threads/writer-protocol.js';
import type {EmbeddedCatalog} from './catalog.js';
import {type BatchHistory, NO_HISTORY, PreparedBatch} from './prepared-batch.js';

/** Samples and records of batches that are not acknowledged yet; more are refused. 16 bytes each while they wait. */
const QUEUE_LIMIT = 2_000_000;

/** What the writer needs of its surroundings. */
export interface WriterHost {
  /** Hands the parts of a batch to the writing thread, in slices. */
  handOver(batch: PreparedBatch): Promise<void>;
  /** Hands a batch to the writing thread and resolves when it is stored. */
  store(batch: PreparedBatch): Promise<SampleColumns>;
  /** Minutes before this hour have expired. */
  readonly minutesCutOff: number;
  dropped(samples: number): void;
  /** Hours older than those in memory were written. */
  missed(): void;
}

/** Writes batches in the order of the calls: translates them into ids, has them stored, and takes them into the head. */
export class EmbeddedMetricWriter implements MetricWriter {
  readonly #catalog: EmbeddedCatalog;
  readonly #head: Head;
  readonly #host: WriterHost;
  #queued = 0;
  /** The end of the last batch's preparation, and of its entry into the head. */
  #prepared: Promise<unknown> = Promise.resolve();
  #applied: Promise<unknown> = Promise.resolve();

  constructor(catalog: EmbeddedCatalog, head: Head, host: WriterHost) {
    this.#catalog = catalog;
    this.#head = head;
    this.#host = host;
  }

  /** Samples and records that wait. */
  get queued(): number {
    return this.#queued;
  }

  async declared(): Promise<readonly MetricDefinition[]> {
    return this.#catalog.metrics.catalog();
  }

  /** `history` is what comes with the batch where it is a page of an export. */
  async write(batch: MetricBatch, call: Call, history: BatchHistory = NO_HISTORY): Promise<void> {
    const size = batch.samples.value.length + batch.records.length;
    if (this.#queued > 0 && this.#queued + size > QUEUE_LIMIT) {
      throw new GatewayError(
        'overloaded',
        `the embedded storage has ${this.#queued} samples waiting to be written, at most ${QUEUE_LIMIT} may wait; send the batch again in a second`,
      );
    }
    call.signal.throwIfAborted();
    this.#queued += size;
    try {
      const sent = this.#prepared.then(() => this.#send(batch, history));
      const previous = this.#applied;
      const applied = Promise.all([sent, previous]).then(([{prepared, stored}]) => this.#apply(prepared, stored));
      this.#prepared = sent.catch(() => undefined);
      // A batch that is refused at once must not let the next overtake the previous one.
      this.#applied = Promise.allSettled([previous, applied]);
      await applied;
    } finally {
      this.#queued -= size;
    }
  }

  /** Resolves when every batch so far has been stored or refused. */
  async settled(): Promise<void> {
    await this.#applied;
  }

  /** `stored` is wrapped so that the next batch is prepared before this one is stored. */
  async #send(
    batch: MetricBatch,
    history: BatchHistory,
  ): Promise<{prepared: PreparedBatch; stored: {wait: Promise<SampleColumns>}}> {
    const prepared = await PreparedBatch.from(batch, this.#catalog, this.#host.minutesCutOff, history);
    await this.#host.handOver(prepared);
    const wait = this.#host.store(prepared);
    wait.catch(() => undefined);
    return {prepared, stored: {wait}};
  }

  async #apply(prepared: PreparedBatch, stored: {wait: Promise<SampleColumns>}): Promise<void> {
    let columns: SampleColumns;
    try {
      columns = await stored.wait;
    } catch (error) {
      prepared.fail();
      throw error;
    }
    await prepared.confirm();
    if (prepared.dropped > 0) this.#host.dropped(prepared.dropped);
    const {series, minute, value} = columns;
    await forEachRange(value.length, (from, to) => {
      for (let i = from; i < to; i++) this.#head.put(series[i] as number, minute[i] as number, value[i] as number);
    });
    await this.#head.evict();
    if (this.#head.hasMissed) this.#host.missed();
  }
}

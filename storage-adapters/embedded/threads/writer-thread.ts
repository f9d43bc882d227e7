import {setTimeout as sleep} from 'node:timers/promises';
import type {GatewayError} from '../../../core/api/adapter.js';
import type {TraceModelName} from '../../../core/toolkit/traces/model.js';
import {forEachYielding} from '../../../core/toolkit/yielder.js';
import {buffersOf} from './messages.js';
import {WorkerClient} from './worker-client.js';
import type {
  BatchPart,
  KeptColumns,
  MaintenanceReport,
  MaintenanceRequest,
  OpenRequest,
  RetentionCutOffs,
  SampleColumns,
  StoredBatch,
  StoredTraces,
  TraceBatch,
  TracePart,
  WriterOperations,
} from './writer-protocol.js';

const RESTART_DELAY = 500;
const TERMINATION = 1000;

type Client = WorkerClient<WriterOperations>;

/** The writing thread, which holds the lock on the folder. One that dies is replaced. */
export class WriterThread {
  readonly #request: OpenRequest;
  readonly #events: {died(error: GatewayError): void; restarted(): void};
  #client: Client;
  #stopped = false;
  #isOpen = false;
  #nextTraces = 1;
  /** Why writing does not work at present. */
  problem: string | undefined;

  constructor(request: OpenRequest, events: {died(error: GatewayError): void; restarted(): void}) {
    this.#request = request;
    this.#events = events;
    this.#client = this.#spawn();
  }

  async open(isAgain = false): Promise<WriterOperations['open']['reply']> {
    const opened = await this.#client.call('open', {...this.#request, isAgain});
    this.#isOpen = true;
    return opened;
  }

  /** Hands over a part of a batch; what becomes of it is known when the batch is written. */
  prepare(number: number, part: BatchPart): void {
    this.#client.call('prepare', {number, part}).catch(() => undefined);
  }

  write(batch: StoredBatch): Promise<SampleColumns & {readonly seconds: number}> {
    const {series, minute, value} = batch.samples;
    const transfer = [series.buffer, minute.buffer, value.buffer] as ArrayBuffer[];
    return this.#watched(this.#client.call('write', batch, {transfer}));
  }

  /**
   * Hands over all parts but the last, with which the batch is then written: one message of very many fragments would hold
   * up the serving thread. At least one part.
   */
  async prepareTraces(model: TraceModelName, parts: readonly TracePart[]): Promise<TraceBatch> {
    const number = this.#nextTraces++;
    const before = parts.length - 1;
    await forEachYielding(parts.slice(0, before), part => {
      this.#client.call('prepareTraces', {number, part}, {transfer: buffersOf(part)}).catch(() => undefined);
    });
    return {number, model, before, last: parts[before] as TracePart};
  }

  writeTraces(batch: TraceBatch): Promise<StoredTraces> {
    return this.#watched(this.#client.call('writeTraces', batch, {transfer: buffersOf(batch.last)}));
  }

  keep(columns: KeptColumns): Promise<RetentionCutOffs> {
    return this.#watched(this.#client.call('keep', columns));
  }

  maintain(request: MaintenanceRequest): Promise<MaintenanceReport> {
    return this.#client.call('maintain', request);
  }

  /** Tries to write, to see whether an earlier problem is over. */
  async probe(): Promise<void> {
    try {
      await this.#client.call('probe', null);
      this.problem = undefined;
    } catch (error) {
      this.problem = error instanceof Error ? error.message : String(error);
    }
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    if (this.#isOpen) await this.#client.call('close', null).catch(() => undefined);
    // A thread that hangs in a call to the system cannot be ended, and has nothing to close.
    const patience = this.#isOpen ? [] : [sleep(TERMINATION, undefined, {ref: false})];
    await Promise.race([this.#client.terminate(), ...patience]);
  }

  /** Whether writing works is known from the last write. */
  async #watched<Reply>(writing: Promise<Reply>): Promise<Reply> {
    try {
      const reply = await writing;
      this.problem = undefined;
      return reply;
    } catch (error) {
      this.problem = error instanceof Error ? error.message : String(error);
      throw error;
    }
  }

  #spawn(): Client {
    return new WorkerClient(new URL('../worker/writer.js', import.meta.url), 'writing', error => {
      this.problem = error.message;
      this.#events.died(error);
      this.#restartLater();
    });
  }

  #restartLater(): void {
    setTimeout(() => void this.#restart(), RESTART_DELAY).unref();
  }

  async #restart(): Promise<void> {
    if (this.#stopped) return;
    this.#client = this.#spawn();
    this.#isOpen = false;
    try {
      await this.open(true);
      this.problem = undefined;
      this.#events.restarted();
    } catch (error) {
      this.problem = error instanceof Error ? error.message : String(error);
      await this.#client.terminate();
      this.#restartLater();
    }
  }
}

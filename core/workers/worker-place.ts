import {setTimeout as sleep} from 'node:timers/promises';
import {GatewayError} from '../api/errors.js';
import type {WorkerStatus} from '../api/status.js';
import type {Source} from './calls.js';
import type {ForkedWorker} from './forked-worker.js';
import {RestartPauses} from './restart-pauses.js';

/** How a worker has ended, and how long the next one waits, in milliseconds. */
export interface Ended {
  readonly pid: number | null;
  readonly how: string;
  readonly pause: number;
}

/** The place of one worker, in which one process may follow another. */
export class WorkerPlace {
  readonly index: number;
  readonly #next: () => ForkedWorker;
  readonly #restarts = new RestartPauses();
  #worker: ForkedWorker | undefined;
  #isReady = false;
  /** Why the latest one has ended. */
  #message: string | undefined;
  #isEnding = false;
  /** What the worker serves. */
  source: Source | undefined;

  /** `next` gives a process that has not been started. */
  constructor(index: number, next: () => ForkedWorker) {
    this.index = index;
    this.#next = next;
  }

  get name(): string {
    return `worker ${this.index}`;
  }

  /** The process that is there, ready or not. */
  get worker(): ForkedWorker | undefined {
    return this.#worker;
  }

  get isReady(): boolean {
    return this.#isReady;
  }

  /** `answers` tells whether it has just answered. */
  status(answers: boolean): WorkerStatus {
    const common = {name: this.name, pid: this.#worker?.pid ?? null, restarts: this.#restarts.count};
    if (this.#isReady) return answers ? {...common, state: 'ok'} : {...common, state: 'degraded', message: SILENT};
    const state = this.#restarts.count === 0 ? 'starting' : 'degraded';
    return {...common, state, ...(this.#message !== undefined && {message: this.#message})};
  }

  /** Has a process load what its start is going to need, while others start. */
  warm(source: Source): void {
    void this.#fork().warm(source);
  }

  /** Starts a worker, and gives the addresses that are open. When it cannot start, its process ends. */
  async begin({source, count}: {readonly source: Source; readonly count: number}) {
    if (this.#isEnding) throw new GatewayError('cancelled', 'the gateway is stopping');
    const worker = this.#worker ?? this.#fork();
    this.source = source;
    try {
      const addresses = await worker.channel.ask('start', {source, index: this.index, count});
      this.#isReady = true;
      this.#restarts.ready();
      return addresses;
    } catch (error) {
      this.#message = `it did not start: ${(error as Error).message}`;
      worker.kill();
      throw error;
    }
  }

  /** Resolves when the worker that is there has ended. */
  async ended(): Promise<Ended> {
    const worker = this.#worker;
    const how = (await worker?.ended) ?? 'none';
    const wasReady = this.#isReady;
    this.#isReady = false;
    this.#worker = undefined;
    // Of one that did not start the reason says more.
    if (wasReady) this.#message = `it has ended (${how}) and is started again`;
    return {pid: worker?.pid ?? null, how, pause: this.#restarts.ended()};
  }

  /** Has the worker stop, for so many milliseconds at most. Gives what went wrong. */
  async end(limit: number): Promise<string | undefined> {
    this.#isEnding = true;
    const worker = this.#worker;
    const wasReady = this.#isReady;
    if (worker === undefined) return undefined;
    worker.channel.tell('stop', {});
    const how = await Promise.race([worker.ended, sleep(limit, undefined, {ref: false})]);
    if (how === 'exit code 0') return undefined;
    if (how !== undefined) return wasReady ? `${this.name} has not stopped cleanly (${how})` : undefined;
    worker.kill();
    return `${this.name} has not stopped within ${limit / 1000} s, and was killed`;
  }

  #fork(): ForkedWorker {
    const worker = this.#next();
    worker.index = this.index;
    this.#worker = worker;
    return worker;
  }
}

const SILENT = 'it does not answer in time';

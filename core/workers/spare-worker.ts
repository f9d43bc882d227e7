import {setTimeout as sleep} from 'node:timers/promises';
import type {Logger} from '../api/telemetry.js';
import type {Source} from './calls.js';
import type {ForkedWorker} from './forked-worker.js';
import {RestartPauses} from './restart-pauses.js';

const nothing = (): void => undefined;

/**
 * A process that has loaded what a worker needs, and has nothing open: it takes the place of the next worker that dies, which
 * then serves again without most of the time of a start.
 */
export class SpareWorker {
  readonly #fork: () => ForkedWorker;
  readonly #log: Logger;
  readonly #pauses = new RestartPauses();
  readonly #stopping = new AbortController();
  /** One that has died stays until it has waited for its pause, so that nobody makes another meanwhile. */
  #worker: ForkedWorker | undefined;
  #source: Source | undefined;

  constructor(fork: () => ForkedWorker, log: Logger) {
    this.#fork = fork;
    this.#log = log;
  }

  /** Has one that is ready for the source: the one that is there, or another. */
  keep(source: Source): void {
    if (this.#stopping.signal.aborted) return;
    this.#source = source;
    const known = this.#worker;
    const worker = known ?? this.#fork();
    this.#worker = worker;
    if (known === undefined) void this.#watch(worker);
    void this.#warm(worker, source);
  }

  /** The process that is there, which may still be loading; a new one where there is none. */
  take(): ForkedWorker {
    const worker = this.#worker;
    this.#worker = undefined;
    return worker === undefined || worker.hasEnded ? this.#fork() : worker;
  }

  /** Nobody needs it any more. It has nothing to bring to an end. */
  async end(): Promise<void> {
    this.#stopping.abort();
    const worker = this.#worker;
    this.#worker = undefined;
    worker?.kill();
    await worker?.ended;
  }

  async #warm(worker: ForkedWorker, source: Source): Promise<void> {
    await worker.warm(source);
    if (this.#worker !== worker || worker.hasEnded) return;
    this.#pauses.ready();
    this.#log.debug('a spare worker has loaded its modules', {pid: worker.pid});
  }

  async #watch(worker: ForkedWorker): Promise<void> {
    const how = await worker.ended;
    if (this.#worker !== worker) return;
    const pause = this.#pauses.ended();
    this.#log.warn('the spare worker has ended and is made again', {pid: worker.pid, how, pause});
    await sleep(pause, undefined, {signal: this.#stopping.signal}).catch(nothing);
    if (this.#worker !== worker) return;
    this.#worker = undefined;
    if (this.#source !== undefined) this.keep(this.#source);
  }
}

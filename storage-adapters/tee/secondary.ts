import {setTimeout as sleep} from 'node:timers/promises';
import {GatewayError, type Health, type Logger, type Readers} from '../../core/api/adapter.js';
import {MS_PER_SECOND} from '../../core/toolkit/time.js';
import type {TeePart} from './part.js';
import {declareCatalog} from './writes/declare-catalog.js';

/** For so long the start waits for a secondary that is not required. Milliseconds. */
const PATIENCE = 2 * MS_PER_SECOND;
const FIRST_PAUSE = MS_PER_SECOND / 4;
const LONGEST_PAUSE = 5 * MS_PER_SECOND;

/** The second storage, which has the primary's catalog before it is used. */
export class TeeSecondary {
  readonly #part: TeePart;
  readonly #log: Logger;
  readonly #stop = new AbortController();
  #readers: Readers | undefined;
  /** Why it is not used yet. */
  #problem: string | undefined;
  #beginning: Promise<void> | undefined;

  constructor(part: TeePart, log: Logger) {
    this.#part = part;
    this.#log = log;
  }

  get name(): string {
    return this.#part.name;
  }

  /** Undefined while it cannot be used. */
  get readers(): Readers | undefined {
    return this.#readers;
  }

  /** Resolves when it can be used. */
  async start(primary: Readers, signal: AbortSignal): Promise<Readers> {
    const readers = await this.#part.start(signal);
    await this.declare(primary, readers, signal);
    this.#readers = readers;
    return readers;
  }

  /** Resolves soon, whether it can be used then or later. */
  async begin(primary: Readers): Promise<void> {
    this.#beginning = this.#startUntilItDoes(primary);
    const waiting = new AbortController();
    const patience = sleep(PATIENCE, undefined, {signal: waiting.signal}).catch(() => undefined);
    await Promise.race([this.#beginning, patience]);
    waiting.abort();
  }

  async health(signal: AbortSignal): Promise<Health> {
    if (this.#readers !== undefined) return this.#part.health(signal);
    return {status: 'failed', message: this.#problem ?? 'it has not started yet'};
  }

  async stop(): Promise<void> {
    this.#stop.abort(new GatewayError('cancelled', 'the secondary storage is stopped'));
    await this.#beginning;
    await this.#part.stop();
  }

  async declare(primary: Readers, secondary: Readers, signal: AbortSignal): Promise<void> {
    await declareCatalog(primary, secondary, {signal, log: this.#log}).catch((error: unknown) => {
      throw this.#part.failure('cannot have the catalog of the primary', error);
    });
  }

  async #startUntilItDoes(primary: Readers): Promise<void> {
    const {signal} = this.#stop;
    for (let pause = FIRST_PAUSE; !signal.aborted; pause = Math.min(2 * pause, LONGEST_PAUSE)) {
      try {
        await this.start(primary, signal);
        if (this.#problem !== undefined) this.#log.info('the secondary storage is there now', {storage: this.name});
        return;
      } catch (error) {
        const {message} = GatewayError.from(error);
        const level = this.#problem === message ? 'debug' : 'warn';
        this.#problem = message;
        if (!signal.aborted) this.#log[level]('the secondary storage cannot be used yet', {error: message, pause});
      }
      await sleep(pause, undefined, {signal}).catch(() => undefined);
    }
  }
}

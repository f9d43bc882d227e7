import {type Call, GatewayError, type Logger} from '../../../core/api/adapter.js';
import {LogOnce} from '../../../core/toolkit/log-once.js';
import {MS_PER_SECOND} from '../../../core/toolkit/time.js';
import type {TeeInstruments} from '../instruments.js';

/** Samples, spans and the like that may wait for a secondary whose writes are not required. */
const QUEUE_LIMIT = 200_000;
/** Milliseconds for one write to such a secondary. */
const TIME = 60 * MS_PER_SECOND;

/** What is under way to both storages, and what the secondary has lost. */
export class TeeWrites {
  readonly areRequired: boolean;
  readonly #instruments: TeeInstruments;
  readonly #log: Logger;
  readonly #once = new LogOnce();
  readonly #underWay = new Set<Promise<unknown>>();
  #waiting = 0;

  constructor(areRequired: boolean, instruments: TeeInstruments, log: Logger) {
    this.areRequired = areRequired;
    this.#instruments = instruments;
    this.#log = log;
  }

  /** Counts a write as under way until it has ended in both storages. */
  follow<Result>(write: Promise<Result>): Promise<Result> {
    const ended = write.then(
      () => undefined,
      () => undefined,
    );
    this.#underWay.add(ended);
    void ended.then(() => this.#underWay.delete(ended));
    return write;
  }

  /** Resolves when all that is under way now has ended. */
  written(): Promise<unknown> {
    return Promise.all(this.#underWay);
  }

  /** A place for so much in the background, to be given back; undefined where too much waits. */
  reserve(size: number): (() => void) | undefined {
    if (this.#waiting > 0 && this.#waiting + size > QUEUE_LIMIT) return undefined;
    this.#waiting += size;
    return () => {
      this.#waiting -= size;
    };
  }

  /** Whose request nobody waits for any more. */
  get background(): Call {
    return {signal: AbortSignal.timeout(TIME), log: this.#log};
  }

  /** Stores in the secondary what the primary has stored. What fails is counted, and rejects with an error that names it. */
  async toSecondary(name: string, store: () => Promise<void>): Promise<void> {
    try {
      await store();
    } catch (error) {
      const {code, message} = GatewayError.from(error);
      this.lost(message);
      throw new GatewayError(code, `the secondary storage, ${name}, has not stored what the primary has: ${message}`, {
        cause: error,
      });
    }
    const failed = this.#once.ends('lost');
    if (failed > 0) this.#log.info('the secondary storage takes writes again', {failed});
  }

  /** Counts a write that the secondary has not. */
  lost(message = `more than ${QUEUE_LIMIT} samples and spans wait for the secondary storage`): void {
    this.#instruments.failedWrites.add();
    const level = this.#once.begins('lost') ? 'warn' : 'debug';
    this.#log[level]('a write is not in the secondary storage', {error: message});
  }
}

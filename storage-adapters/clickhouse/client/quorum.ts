import {performance} from 'node:perf_hooks';
import {setTimeout as wait} from 'node:timers/promises';
import type {Logger} from '../../../core/api/adapter.js';
import {
  INACTIVE_REPLICA,
  serverErrorNumber,
  TABLE_IS_READ_ONLY,
  TOO_FEW_REPLICAS,
  UNKNOWN_STATUS,
  UNSATISFIED_QUORUM,
} from './server-error.js';
import type {Settings} from './statement.js';

/** How long a write waits for replicas that count as alive, in milliseconds. */
const PATIENCE = 10_000;
/** The same while one is known to be behind: as long as a replica must lack something before reads pass over it. */
const PATIENCE_WITH_LAGGARD = 1000;
/** How long a write tries to have its turn among others, of which a table takes one at a time before version 20.10. */
const TURN = 60_000;
const PAUSE = 50;
/** How long a shortage is told of after the last write that met it. */
const REMEMBERED = 60_000;

/** Errors that mean that a replica is missing. */
const LACKING = [TOO_FEW_REPLICAS, UNKNOWN_STATUS, UNSATISFIED_QUORUM];

/** Sends a write with these settings. */
export type Send = (settings: Settings) => Promise<void>;

/**
 * Acknowledges a write when every replica that is alive has it, so that the death of one loses nothing, while a dead or
 * hung one does not stop the writes. Replicas that lack what was written without them are passed over by reads.
 */
export class Quorum {
  readonly #replicas: number;
  readonly #isFixed: boolean;
  readonly #log: Logger;
  readonly #short: () => void;
  #lags = false;
  #shortage: string | undefined;
  #shortAt = Number.NEGATIVE_INFINITY;

  /** `isFixed`: that many replicas must have a write, whichever are alive. `short` is called for writes on fewer. */
  constructor(replicas: number, isFixed: boolean, log: Logger, short: () => void) {
    this.#replicas = replicas;
    this.#isFixed = isFixed;
    this.#log = log;
    this.#short = short;
  }

  /** Why writes have lately been acknowledged with fewer replicas than there are; undefined when they have not. */
  get shortage(): string | undefined {
    return performance.now() - this.#shortAt < REMEMBERED ? this.#shortage : undefined;
  }

  async store(send: Send): Promise<void> {
    let replicas = this.#replicas;
    let repeats: Settings = {};
    const obstacle = new Obstacle();
    for (;;) {
      const timeout = this.#lags ? PATIENCE_WITH_LAGGARD : PATIENCE;
      const quorum: Settings = replicas < 2 ? {} : {insert_quorum: replicas, insert_quorum_timeout: timeout};
      try {
        await send({...quorum, ...repeats});
        if (replicas === this.#replicas) this.#isComplete();
        else this.#short();
        return;
      } catch (error) {
        const number = serverErrorNumber(error) ?? 0;
        const {message} = error as Error;
        if (isPassing(number, message)) {
          const stood = obstacle.met(message);
          if (stood.total > TURN) throw error;
          if (stood.same < timeout) {
            await wait(PAUSE);
            continue;
          }
        }
        if (this.#isFixed || replicas < 2 || !LACKING.includes(number)) throw error;
        // What was stored for a quorum that fails is discarded if its only replica dies: it must be stored once more.
        if (number === UNKNOWN_STATUS) repeats = {insert_deduplicate: 0};
        this.#lags ||= number !== TOO_FEW_REPLICAS;
        this.#isShort(message);
        replicas -= 1;
      }
    }
  }

  #isShort(message: string): void {
    if (this.#shortage === undefined) {
      this.#log.warn('writes are acknowledged without a replica that is dead or behind', {reason: message});
    }
    this.#shortage = message;
    this.#shortAt = performance.now();
  }

  #isComplete(): void {
    this.#lags = false;
    if (this.#shortage === undefined) return;
    this.#shortage = undefined;
    this.#log.info('writes are acknowledged by all replicas again');
  }
}

/** How long a write has met something that stands in its way, and how long that has been the same thing. */
class Obstacle {
  #first: number | undefined;
  #since = 0;
  #part: string | undefined;

  met(message: string): {readonly total: number; readonly same: number} {
    const now = performance.now();
    // Another part means that the other writes make progress.
    const part = /part_name: (\S+)/.exec(message)?.[1] ?? '';
    if (this.#part !== part) this.#since = now;
    this.#part = part;
    this.#first ??= now;
    return {total: now - this.#first, same: now - this.#since};
  }
}

/** What ends by itself: another write's turn, or a replica that has just started. */
function isPassing(number: number, message: string): boolean {
  if (number === UNSATISFIED_QUORUM || number === TABLE_IS_READ_ONLY) return true;
  return number === INACTIVE_REPLICA && message.includes('Replica is not active');
}

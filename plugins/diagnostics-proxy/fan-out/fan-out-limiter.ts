import {Semaphore} from '../../../core/toolkit/semaphore.js';

/** So many agents may be answering, or have their answers read, at once. */
const SLOTS = 32;

export interface FanOutSlot {
  /** There is an answer: the slot is kept until it has been read. */
  keep(): void;
  release(): void;
}

/**
 * Keeps answers from coming all at once: reading what a thousand agents send in the same moment would leave the event loop
 * to nothing else, and all of it would wait in memory.
 */
export class FanOutLimiter {
  readonly #slots = new Semaphore(SLOTS);

  /** Waits for a slot. Who is slow holds up no others: after `patience` milliseconds without an answer the slot is free. */
  async slot(patience: number): Promise<FanOutSlot> {
    const free = await this.#slots.acquire();
    const timer = setTimeout(free, patience);
    const keep = (): void => clearTimeout(timer);
    const release = (): void => {
      keep();
      free();
    };
    return {keep, release};
  }

  /** The patience with which `count` have all had a slot when `time` milliseconds have passed. */
  static patience(count: number, time: number): number {
    return Math.max(1, (time * SLOTS) / Math.max(count, SLOTS));
  }
}

import {setImmediate as nextTurn} from 'node:timers/promises';

const LONGEST = 20;

/** Lets other work of the process have its turn while much is decoded, and notices that a call was cancelled. */
export class Turns {
  readonly #signal: AbortSignal;
  #since = performance.now();

  constructor(signal: AbortSignal) {
    this.#signal = signal;
  }

  async next(): Promise<void> {
    this.#signal.throwIfAborted();
    if (performance.now() - this.#since < LONGEST) return;
    await nextTurn();
    this.#since = performance.now();
    this.#signal.throwIfAborted();
  }
}

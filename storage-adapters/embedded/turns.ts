import {performance} from 'node:perf_hooks';

/**
 * Shares a thread among tasks that are long in sum: in each turn of its event loop they have so many milliseconds
 * together, however many they are, and everything else has its turn in between. Whoever waits goes first.
 */
export class Turns {
  readonly #budget: number;
  readonly #waiting: (() => void)[] = [];
  #end = Number.NEGATIVE_INFINITY;
  #isRunning = false;

  /** `budget` is in milliseconds. */
  constructor(budget: number) {
    this.#budget = budget;
  }

  /** Does a little work of a task when it may. */
  async run<Result>(work: () => Result): Promise<Result> {
    if (!this.#isRunning) {
      this.#isRunning = true;
      this.#begin();
    } else if (this.#waiting.length > 0 || performance.now() >= this.#end) {
      await new Promise<void>(resolve => this.#waiting.push(resolve));
    }
    return work();
  }

  #begin(): void {
    this.#end = performance.now() + this.#budget;
    setImmediate(() => {
      const next = this.#waiting.shift();
      if (next === undefined) {
        this.#isRunning = false;
      } else {
        this.#begin();
        next();
      }
    });
  }
}

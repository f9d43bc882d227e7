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
      return new Promise((resolve, reject) => {
        this.#waiting.push(() => {
          try {
            resolve(work());
          } catch (problem) {
            reject(problem);
          }
        });
      });
    }
    return work();
  }

  #begin(): void {
    this.#end = performance.now() + this.#budget;
    setImmediate(() => {
      if (this.#waiting.length === 0) {
        this.#isRunning = false;
        return;
      }
      this.#begin();
      do this.#waiting.shift()?.();
      while (this.#waiting.length > 0 && performance.now() < this.#end);
    });
  }
}

/** How long work may go on before others have their turn, in milliseconds. */
const SLICE = 8;

/** What long work awaits between two small steps. */
export interface Turns {
  /** Resolves when the work may go on: at once while the current slice lasts. */
  turn(): Promise<void>;
}

/** Why work was given up. */
export class TimeIsUp extends Error {
  override readonly name = 'TimeIsUp';
}

/**
 * Lets long work share the event loop: it goes on at once while the current slice lasts, and otherwise after everything
 * that waits has had its turn. All work that is cut so shares one slice.
 */
export class Slices implements Turns {
  #begun = 0;
  #next: Promise<void> | undefined;

  async turn(): Promise<void> {
    while (performance.now() - this.#begun > SLICE) {
      this.#next ??= new Promise(resolve => {
        setImmediate(() => {
          this.#begun = performance.now();
          this.#next = undefined;
          resolve();
        });
      });
      await this.#next;
    }
  }

  /** The same for work that is given up, with `TimeIsUp`, at `end` on the clock of `performance.now()`. */
  until(end: number): Turns {
    return {
      turn: async () => {
        await this.turn();
        if (performance.now() > end) throw new TimeIsUp('the time of the collection is up');
      },
    };
  }
}

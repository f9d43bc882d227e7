/** How long work may go on before others have their turn, in milliseconds. */
const SLICE = 10;

/**
 * Lets long work share the event loop: whoever awaits `turn` between two small steps goes on at once while the current
 * slice lasts, and otherwise after everything that waits has had its turn. All work that is cut so shares one slice.
 */
export class Slices {
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
}

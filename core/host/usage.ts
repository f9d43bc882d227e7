/** Counts those who use something, so that it ends only when the last of them has. */
export class Usage {
  #users = 0;
  #waiting: (() => void)[] = [];

  enter(): void {
    this.#users++;
  }

  leave(): void {
    this.#users--;
    if (this.#users > 0) return;
    for (const resolve of this.#waiting.splice(0)) resolve();
  }

  /** Resolves when nobody uses it. */
  async idle(): Promise<void> {
    if (this.#users > 0) await new Promise<void>(resolve => this.#waiting.push(resolve));
  }
}

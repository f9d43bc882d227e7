/** So many things are remembered; the oldest are forgotten first. */
const MOST = 10_000;

interface Seen {
  readonly state: string;
  count: number;
}

/**
 * Keeps what recurs, such as with every scrape, from filling the log: it is said when it begins or changes, and counted
 * until it ends.
 */
export class Repeats {
  readonly #seen = new Map<string, Seen>();

  /** Counts it. Whether it is to be said: it is new, or its state is another one than before. */
  begins(key: string, state = ''): boolean {
    const known = this.#seen.get(key);
    if (known !== undefined && known.state === state) {
      known.count++;
      return false;
    }
    this.#seen.delete(key);
    this.#seen.set(key, {state, count: 1});
    const [oldest] = this.#seen.keys();
    if (this.#seen.size > MOST && oldest !== undefined) this.#seen.delete(oldest);
    return true;
  }

  /** It is over: how often it was, 0 when it was not. */
  ends(key: string): number {
    const count = this.#seen.get(key)?.count ?? 0;
    this.#seen.delete(key);
    return count;
  }
}

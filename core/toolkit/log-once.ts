/** So many things are remembered; the oldest are forgotten first. */
const MOST = 10_000;

interface Known {
  readonly state: string;
  count: number;
}

/**
 * Keeps what recurs, such as with every scrape, from filling a log: it is said when it begins or changes, and counted
 * until it ends. Whoever logs decides how: `if (once.begins(url, reason)) log.warn(…)`, or a debug line while it lasts.
 */
export class LogOnce {
  readonly #known = new Map<string, Known>();

  /** Counts it. Whether it is to be said: it is new, or its state is another one than before. */
  begins(key: string, state = ''): boolean {
    const known = this.#known.get(key);
    if (known !== undefined && known.state === state) {
      known.count++;
      return false;
    }
    this.#known.delete(key);
    this.#known.set(key, {state, count: 1});
    const [oldest] = this.#known.keys();
    if (this.#known.size > MOST && oldest !== undefined) this.#known.delete(oldest);
    return true;
  }

  /** It is over: how often it was, 0 when it was not. */
  ends(key: string): number {
    const count = this.#known.get(key)?.count ?? 0;
    this.#known.delete(key);
    return count;
  }

  /** For what is looked at as a whole each time: all is over but what has been found now. */
  endsAllBut(keys: Iterable<string>): void {
    const found = new Set(keys);
    for (const key of this.#known.keys()) if (!found.has(key)) this.#known.delete(key);
  }
}

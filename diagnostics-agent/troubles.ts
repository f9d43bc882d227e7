import type {Logger} from '../core/api/telemetry.js';

/** Something that is wrong, as a line of the log. */
export interface Trouble {
  readonly message: string;
  readonly fields: Readonly<Record<string, unknown>>;
  /** By what it is known again: nothing in it may differ from time to time while the trouble is the same. */
  readonly key: string;
}

/** Watches something that is done again and again. A trouble that lasts is a warning once, until it is over or another. */
export class Troubles {
  readonly #log: Logger;
  #known: ReadonlySet<string> = new Set();

  constructor(log: Logger) {
    this.#log = log;
  }

  /** All that is wrong now; what is left out is over. */
  report(...troubles: readonly Trouble[]): void {
    for (const {message, fields, key} of troubles) this.#log[this.#known.has(key) ? 'debug' : 'warn'](message, fields);
    this.#known = new Set(troubles.map(({key}) => key));
  }
}

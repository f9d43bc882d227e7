import type {Logger} from '../../core/api/telemetry.js';
import {LogOnce} from '../../core/toolkit/log-once.js';

/** Something that is wrong, as a line of the log. */
export interface Trouble {
  readonly message: string;
  readonly fields: Readonly<Record<string, unknown>>;
  /** By what it is known again: nothing in it may differ from time to time while the trouble is the same. */
  readonly key: string;
}

/** Watches something that is done again and again. A trouble that lasts is a warning once, until it is over or another. */
export class TroubleLog {
  readonly #log: Logger;
  readonly #once = new LogOnce();

  constructor(log: Logger) {
    this.#log = log;
  }

  /** All that is wrong now; what is left out is over. */
  report(...troubles: readonly Trouble[]): void {
    for (const {message, fields, key} of troubles)
      this.#log[this.#once.begins(key) ? 'warn' : 'debug'](message, fields);
    this.#once.endsAllBut(troubles.map(({key}) => key));
  }
}

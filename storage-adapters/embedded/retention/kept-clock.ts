import type {ClockState} from '../../../core/toolkit/retention-clock.js';
import {MS_PER_MINUTE} from '../../../core/toolkit/time.js';
import type {Database} from '../disk/database.js';

/** Keys of `meta`. */
const TIME = 'clock';
const AHEAD = 'clock_ahead';
/** Milliseconds: a jump is told from the passing of time by an hour. */
const KEEP_EVERY = MS_PER_MINUTE;

/** The time that was believed last, kept with the data that retention would remove by it. */
export class KeptClock {
  readonly #read;
  readonly #write;
  #kept: ClockState | undefined;

  constructor(database: Database) {
    this.#read = database.prepare<[string], number>('SELECT value FROM meta WHERE key = ?').pluck();
    this.#write = database.prepare<[string, number]>('INSERT OR REPLACE INTO meta (key, value) VALUES (?, ?)');
    const time = this.#read.get(TIME);
    this.#kept = time === undefined ? undefined : {time, ahead: this.#read.get(AHEAD) ?? 0};
  }

  get state(): ClockState | undefined {
    return this.#kept;
  }

  keep(state: ClockState): void {
    const {time, ahead} = this.#kept ?? {time: Number.NEGATIVE_INFINITY, ahead: 0};
    if (Math.abs(state.time - time) < KEEP_EVERY && Math.abs(state.ahead - ahead) < KEEP_EVERY) return;
    this.#write.run(TIME, state.time);
    this.#write.run(AHEAD, state.ahead);
    this.#kept = state;
  }
}

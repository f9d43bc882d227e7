import type {ClockState} from '../../../core/toolkit/retention-clock.js';
import {MS_PER_HOUR, MS_PER_MINUTE} from '../../../core/toolkit/time.js';
import type {PostgresDatabase} from '../client/database.js';

/** The time that was believed last, kept with the data that retention would remove by it. Gateways share it. */
export class PostgresKeptClock {
  readonly #database: PostgresDatabase;

  constructor(database: PostgresDatabase) {
    this.#database = database;
  }

  /** With the time of the newest data, in milliseconds, in case none was kept. */
  async read(): Promise<{readonly state: ClockState | undefined; readonly newest: number | undefined}> {
    const [[time = null, newest = null] = []] = await this.#database.transaction(transaction =>
      transaction.query<[number | null, number | null]>(
        `SELECT clock::float8, greatest((SELECT max(last_seen) FROM entities)::float8 * ${MS_PER_MINUTE},
                                        (SELECT max(latest_hour) + 1 FROM traces)::float8 * ${MS_PER_HOUR})
         FROM store`,
      ),
    );
    return {state: time === null ? undefined : {time, ahead: 0}, newest: newest ?? undefined};
  }

  async write({time}: ClockState): Promise<void> {
    await this.#database.transaction(transaction =>
      transaction.query('UPDATE store SET clock = $1', [Math.floor(time)]),
    );
  }
}

import type {ClickHouseClient} from '../client/client.js';
import {RowWriter} from '../client/row-writer.js';
import {sql} from '../client/sql.js';
import {type CutOffs, NO_CUT_OFFS} from '../metrics/buckets.js';

/** How long cut-offs are believed; whoever moves one waits longer before what lies behind it is removed. */
export const CUT_OFFS_FRESH = 5000;

const CLOCK = 'clock';
const KEYS = {hours: 'hours_before', days: 'days_before'} as const;

/** The cut-offs as the server has them. */
export class StoredCutOffs {
  readonly #client: ClickHouseClient;
  readonly #now: () => number;
  #cutOffs: CutOffs = NO_CUT_OFFS;
  #readAt = Number.NEGATIVE_INFINITY;
  #reading: Promise<CutOffs> | undefined;

  constructor(client: ClickHouseClient, now: () => number) {
    this.#client = client;
    this.#now = now;
  }

  /** As they were read last. */
  get known(): CutOffs {
    return this.#cutOffs;
  }

  async get(): Promise<CutOffs> {
    if (this.#now() - this.#readAt < CUT_OFFS_FRESH) return this.#cutOffs;
    this.#reading ??= this.read().finally(() => {
      this.#reading = undefined;
    });
    return this.#reading;
  }

  /** Reads them just now. */
  async read(): Promise<CutOffs> {
    const at = this.#now();
    const rows = await this.#client.rows(
      sql`SELECT toUInt8(1), key, max(value) FROM meta WHERE key IN ${Object.values(KEYS)} GROUP BY key`,
      row => [row.string(), row.int64()] as const,
    );
    const values = new Map(rows);
    this.#cutOffs = {
      hours: values.get(KEYS.hours) ?? NO_CUT_OFFS.hours,
      days: values.get(KEYS.days) ?? NO_CUT_OFFS.days,
    };
    this.#readAt = at;
    return this.#cutOffs;
  }

  /** The time that retention went by last, in milliseconds, as any gateway has kept it. */
  async keptTime(): Promise<number | undefined> {
    const select = sql`SELECT toUInt8(1), max(value) FROM meta WHERE key = ${CLOCK}`;
    const [time = 0] = await this.#client.rows(select, row => row.int64());
    return time === 0 ? undefined : time;
  }

  async keepTime(time: number): Promise<void> {
    await this.#put(CLOCK, Math.floor(time));
  }

  /** Moves a cut-off forward; one that is further ahead stays. */
  async move(cutOff: keyof CutOffs, value: number): Promise<void> {
    await this.#put(KEYS[cutOff], value);
    await this.read();
  }

  async #put(key: string, value: number): Promise<void> {
    const row = new RowWriter();
    row.string(key);
    row.int64(value);
    await this.#client.insert(sql`meta (key, value)`, row.finish());
  }
}

import {MS_PER_SECOND, SECONDS_PER_DAY} from '../../../core/toolkit/time.js';

const QUARTER = 900;

/** The clock on the wall where the OAP runs. Its hours and days are those of this zone. Times are Unix seconds. */
export class TimeZone {
  readonly #format: Intl.DateTimeFormat;
  /** By quarter of an hour: no zone changes its offset within one. */
  readonly #offsets = new Map<number, number>();

  /** Throws a `RangeError` for a name that is none. */
  constructor(name: string) {
    this.#format = new Intl.DateTimeFormat('en-US', {
      timeZone: name,
      hourCycle: 'h23',
      year: 'numeric',
      month: 'numeric',
      day: 'numeric',
      hour: 'numeric',
      minute: 'numeric',
    });
  }

  /** When a wall clock shows the time that `time` is in UTC. */
  fromLocal(time: number): number {
    const guess = time - this.#offset(time);
    return time - this.#offset(guess);
  }

  /** The start of the UTC day with the same date. */
  utcDay(time: number): number {
    return Math.floor((time + this.#offset(time)) / SECONDS_PER_DAY) * SECONDS_PER_DAY;
  }

  /** From digits `yyyyMMddHHmm` of the wall clock; undefined for others. */
  fromDigits(digits: string): number | undefined {
    const [, year, month, day, hour, minute] = /^(\d{4})(\d\d)(\d\d)(\d\d)(\d\d)$/.exec(digits) ?? [];
    if (year === undefined) return undefined;
    const local = Date.UTC(Number(year), Number(month) - 1, Number(day), Number(hour), Number(minute)) / MS_PER_SECOND;
    return this.fromLocal(local);
  }

  /** Seconds that the wall clock is ahead of UTC. */
  #offset(time: number): number {
    const slot = Math.floor(time / QUARTER);
    const known = this.#offsets.get(slot);
    if (known !== undefined) return known;
    const parts = new Map(
      this.#format.formatToParts(slot * QUARTER * MS_PER_SECOND).map(({type, value}) => [type, Number(value)]),
    );
    const part = (type: Intl.DateTimeFormatPartTypes): number => parts.get(type) ?? 0;
    const local = Date.UTC(part('year'), part('month') - 1, part('day'), part('hour'), part('minute')) / MS_PER_SECOND;
    const offset = local - slot * QUARTER;
    if (this.#offsets.size > 10_000) this.#offsets.clear();
    this.#offsets.set(slot, offset);
    return offset;
  }
}

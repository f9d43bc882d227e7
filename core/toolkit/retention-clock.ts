import type {Logger} from '../api/telemetry.js';
import {MS_PER_HOUR, MS_PER_MINUTE} from './time.js';

/**
 * The time that retention goes by.
 *
 * A machine's clock is wrong now and then: for seconds after a start, until it has heard of a time server, or for as
 * long as somebody has set it to another year. What a storage removes on the word of such a clock is gone for good, and
 * what it refuses as too old is lost as well. So an adapter that removes old data asks this clock, not `Date.now`:
 *
 * - While the clock keeps pace with the monotonic one (to an hour), it is believed.
 * - When it is further ahead, it is in doubt: time goes on at the pace of the monotonic clock, from where it was. Once the
 *   clock has been ahead for an hour of running, it is believed again: a machine that was switched off for a month removes
 *   what is due an hour after it is back.
 * - When it goes back it is believed at once, because less is removed by it, and less refused.
 *
 * Across restarts the adapter keeps `state` with its data. Where none was kept, the newest data stored takes its place.
 */

/** Summer time and the correction of a drift are no jumps. */
const TOLERANCE = MS_PER_HOUR;
const BELIEVED_AFTER = MS_PER_HOUR;
/** So much may pass between two looks at the monotonic clock; of a longer sleep nobody knows how long it was. */
const LONGEST_PAUSE = MS_PER_HOUR;

/** What an adapter keeps with its data; milliseconds. */
export interface ClockState {
  /** The time that was believed last. */
  readonly time: number;
  /** For how long the clock has been ahead of it while the gateway ran. */
  readonly ahead: number;
}

/** Where time comes from: `wall` is milliseconds since the epoch, `steady` milliseconds since any moment. */
export interface TimeSource {
  readonly wall: () => number;
  readonly steady: () => number;
}

/** The clocks of this machine. */
export function machineTime(): TimeSource {
  let last = performance.now();
  let sum = 0;
  const steady = () => {
    const now = performance.now();
    sum += Math.min(now - last, LONGEST_PAUSE);
    last = now;
    return sum;
  };
  return {wall: Date.now, steady};
}

export class RetentionClock {
  readonly #source: TimeSource;
  readonly #log: Logger;
  #time: number;
  #steady: number;
  #ahead = 0;
  /** The distance of the two clocks while the one is in doubt. */
  #distance: number | undefined;

  constructor(source: TimeSource, log: Logger) {
    this.#source = source;
    this.#log = log;
    this.#time = source.wall();
    this.#steady = source.steady();
  }

  /**
   * Takes up what was kept. Without it, `newest` is the time of the newest data stored; with neither there is nothing to
   * remove, and the clock is believed.
   */
  restore(state: ClockState | undefined, newest: number | undefined): void {
    const wall = this.#source.wall();
    this.#time = state?.time ?? Math.min(newest ?? wall, wall);
    this.#ahead = state?.ahead ?? 0;
    this.#steady = this.#source.steady();
    this.now();
  }

  /** The time that is believed. Asked for at least every half hour, or a part of the time between counts as a jump. */
  now(): number {
    const wall = this.#source.wall();
    const steady = this.#source.steady();
    const passed = steady - this.#steady;
    const expected = this.#time + passed;
    this.#steady = steady;
    if (wall > expected + TOLERANCE) {
      this.#doubt(wall, steady, passed);
      this.#time = this.#distance === undefined ? wall : expected;
      return this.#time;
    }
    if (this.#distance !== undefined) this.#tell('info', 'the clock is back at the time that was expected', wall);
    else if (wall < expected - TOLERANCE) this.#tell('warn', 'the clock has gone back', wall);
    this.#distance = undefined;
    this.#ahead = 0;
    this.#time = wall;
    return wall;
  }

  get state(): ClockState {
    return {time: this.#time, ahead: this.#ahead};
  }

  /** What is in doubt and what follows from it, in a sentence; undefined while the clock is believed. */
  get doubt(): string | undefined {
    if (this.#distance === undefined) return undefined;
    const [wall, time] = [this.#source.wall(), this.#time].map(isoTime);
    const minutes = Math.ceil((BELIEVED_AFTER - this.#ahead) / MS_PER_MINUTE);
    return `the clock says ${wall}, where ${time} was expected: retention goes by the latter until the clock has kept for ${minutes} more minutes`;
  }

  #doubt(wall: number, steady: number, passed: number): void {
    const distance = wall - steady;
    if (this.#distance === undefined) {
      this.#tell(
        'warn',
        'the clock has jumped ahead: nothing is removed by it unless it stays there for an hour',
        wall,
      );
      this.#distance = distance;
    } else if (Math.abs(distance - this.#distance) > TOLERANCE) {
      this.#ahead = 0;
      this.#distance = distance;
    } else {
      this.#ahead += passed;
    }
    if (this.#ahead < BELIEVED_AFTER) return;
    this.#tell('info', 'the clock has been ahead for an hour and is believed: what is due by it is removed', wall);
    this.#distance = undefined;
    this.#ahead = 0;
  }

  #tell(level: 'info' | 'warn', message: string, wall: number): void {
    this.#log[level](message, {clock: isoTime(wall), expected: isoTime(this.#time)});
  }
}

function isoTime(milliseconds: number): string {
  const date = new Date(milliseconds);
  return Number.isNaN(date.getTime()) ? String(milliseconds) : date.toISOString();
}

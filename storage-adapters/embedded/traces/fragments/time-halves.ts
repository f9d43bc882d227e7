/**
 * Times of OTLP as two numbers of 32 bits, where a big integer for each would cost more than what is done with it. They say
 * the same as `otlpMicros` and the difference of two big integers.
 */

const HALF = 2 ** 32;
/** Of the higher half one is so many microseconds, and so many nanoseconds more. */
const MICROS = 4_294_967;
const NANOS = 296;

/** Whole microseconds, cut off; not more than a number holds exactly. */
export function microsOfHalves(high: number, low: number): number {
  return Math.min(high * MICROS + Math.floor((high * NANOS + low) / 1000), Number.MAX_SAFE_INTEGER);
}

/** Nanoseconds from one to another, as the nearest number. */
export function nanosBetween(high: number, low: number, otherHigh: number, otherLow: number): number {
  return (otherHigh - high) * HALF + (otherLow - low);
}

/**
 * How a database adds without rounding: each value is cut into four whole numbers of fixed units, 36 bits each, and the
 * pieces of the same unit are added. Such sums are whole numbers below 2^53 for up to 131,072 values, which doubles hold
 * exactly in any order, so they can be added up over and over: minutes to hours, hours to days. In the arithmetic of
 * doubles, no step of which rounds:
 *
 *     c0 = trunc(value / 2^20);    r1 = (value - c0 * 2^20) * 2^16
 *     c1 = trunc(r1);              r2 = (r1 - c1) * 2^36
 *     c2 = trunc(r2);              r3 = (r2 - c2) * 2^36
 *     c3 = r3
 *
 * The value is c0 * 2^20 + c1 / 2^16 + c2 / 2^52 + c3 / 2^88. One of 2^56 or more, or of which r3 is no whole number, does
 * not fit, and stays as it is beside the pieces: that keeps the sum exact for any value, and cheap for those there are.
 */
export const PIECE = {
  high: 2 ** 20,
  low: 2 ** 16,
  /** From one piece to the next. */
  step: 2 ** 36,
  /** What the third piece counts in: its inverse. */
  third: 2 ** 52,
} as const;

/** The most values whose pieces doubles add exactly. */
export const MOST_VALUES = 2 ** 17;

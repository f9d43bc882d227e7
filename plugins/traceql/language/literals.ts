/** Decoding of the literals of the language: durations are Go's. */

/** Microseconds. Both code points that look like µ are in use. */
const UNITS = {
  us: 1,
  µs: 1,
  μs: 1,
  ms: 1000,
  s: 1_000_000,
  m: 60_000_000,
  h: 3_600_000_000,
} as const;

/** One number, with or without a unit; or several with one each, as Go writes durations: 1m30s. */
const DURATION = /^(?:\d+(?:\.\d{1,16})?|(?:\d+(?:\.\d{1,16})?(?:us|µs|μs|ms|s|m|h))+)$/;
const PART = /(\d+)(?:\.(\d+))?([a-zµμ]*)/g;

/** Digits behind the point that parts are added with: as many as one may have. */
const SCALE = 16;

/** Whether a text is a duration, however long. */
export function isDuration(text: string): boolean {
  return DURATION.test(text);
}

/**
 * The microseconds of a duration, a number alone being microseconds; undefined when the text is none, or one longer than
 * numbers are exact. Exact: what a fraction of an hour is, no float may decide.
 */
export function parseDuration(text: string): number | undefined {
  if (!isDuration(text)) return undefined;
  let sum = 0n;
  for (const [, whole = '', fraction = '', unit = ''] of text.matchAll(PART)) {
    if (whole.length > SCALE) return undefined;
    sum += BigInt(whole + fraction.padEnd(SCALE, '0')) * BigInt(UNITS[(unit || 'us') as keyof typeof UNITS]);
  }
  const digits = sum.toString().padStart(SCALE + 1, '0');
  const value = Number(`${digits.slice(0, -SCALE)}.${digits.slice(-SCALE)}`);
  return value <= Number.MAX_SAFE_INTEGER ? value : undefined;
}

const DESCENDING = ['h', 'm', 's', 'ms'] as const;

/** A duration in the largest unit in which it is whole; `parseDuration` gives it back. */
export function printDuration(microseconds: number): string {
  const unit = DESCENDING.find(each => microseconds % UNITS[each] === 0);
  if (unit !== undefined && microseconds > 0) return `${microseconds / UNITS[unit]}${unit}`;
  // Below a millionth, numbers print with an exponent.
  const text = String(microseconds);
  const [, digits = '', rest = '', exponent = ''] = /^(\d)(?:\.(\d+))?e-(\d+)$/.exec(text) ?? [];
  return `${digits === '' ? text : `0.${'0'.repeat(Number(exponent) - 1)}${digits}${rest}`}us`;
}

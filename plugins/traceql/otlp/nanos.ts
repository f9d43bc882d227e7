/**
 * Nanoseconds since the Unix epoch as decimal text, from coarser units. Always by text or big integers: a number holds
 * no present time to the nanosecond. The fields of OTLP are unsigned and have 64 bits; a time beyond them becomes the
 * nearest one that they hold, so that one odd span does not make a whole answer unreadable.
 */
const LAST = 2n ** 64n - 1n;

/** Of the sum, so that an end is as exact as a start. Both are whole numbers. */
export function nanosOfMicros(micros: number, plus = 0): string {
  const sum = micros + plus;
  return sum > 0 && Number.isSafeInteger(sum) ? `${sum}000` : nanosOf((BigInt(micros) + BigInt(plus)) * 1000n);
}

/** `millis` is a whole number. */
export function nanosOfMillis(millis: number): string {
  return millis > 0 && millis < 1e13 ? `${millis}000000` : nanosOf(BigInt(millis) * 1_000_000n);
}

export function nanosOfInstant(instant: {readonly seconds: bigint; readonly nanos: number}): string {
  return nanosOf(instant.seconds * 1_000_000_000n + BigInt(instant.nanos));
}

function nanosOf(nanos: bigint): string {
  if (nanos < 0n) return '0';
  return String(nanos > LAST ? LAST : nanos);
}

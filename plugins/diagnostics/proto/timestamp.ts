import type {Timestamp} from './messages.generated.js';

/** A time in milliseconds since 1970 as the wire has it. */
export function toTimestamp(milliseconds: number): Timestamp {
  const seconds = Math.floor(milliseconds / 1000);
  return {seconds: String(seconds), nanos: Math.round((milliseconds - seconds * 1000) * 1e6)};
}

/** Milliseconds since 1970, with a fraction where there are parts of one. */
export function toMilliseconds({seconds, nanos}: Timestamp): number {
  return Number(seconds) * 1000 + nanos / 1e6;
}

/** Below, at or above 0 as the first time is before, at or after the second. Exact: milliseconds would round nanoseconds. */
export function compareTimestamps(a: Timestamp, b: Timestamp): number {
  return Number(a.seconds) - Number(b.seconds) || a.nanos - b.nanos;
}

/** Whether the wire format has this time: one of the years 1 to 9999, with less than a second of nanoseconds. */
export function isTime({seconds, nanos}: Timestamp): boolean {
  const whole = Number(seconds);
  return whole >= FIRST_SECOND && whole <= LAST_SECOND && nanos >= 0 && nanos <= 999_999_999;
}

const FIRST_SECOND = -62_135_596_800;
const LAST_SECOND = 253_402_300_799;

/** RFC 3339 with as many digits of a second as are needed, in UTC. Of what `isTime`. */
export function formatTimestamp({seconds, nanos}: Timestamp, zone: 'Z' | '+00:00' = 'Z'): string {
  const text = new Date(Number(seconds) * 1000).toISOString().slice(0, 19);
  const fraction = nanos === 0 ? '' : `.${String(nanos).padStart(9, '0').replace(/0+$/, '')}`;
  return `${text}${fraction}${zone}`;
}

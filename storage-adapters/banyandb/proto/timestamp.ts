import type {Timestamp} from './messages.generated.js';

/** Whole milliseconds since 1970 as the wire has them. The server refuses parts of a millisecond. */
export function toTimestamp(milliseconds: number): Timestamp {
  const seconds = Math.floor(milliseconds / 1000);
  return {seconds: String(seconds), nanos: (milliseconds - seconds * 1000) * 1_000_000};
}

/** Whole milliseconds since 1970; parts of one, which the server does not store, are cut off. */
export function toMilliseconds({seconds, nanos}: Timestamp): number {
  return Number(seconds) * 1000 + Math.floor(nanos / 1_000_000);
}

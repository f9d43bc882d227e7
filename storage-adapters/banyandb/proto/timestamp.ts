import {MS_PER_SECOND, NANOS_PER_MS} from '../../../core/toolkit/time.js';
import type {Timestamp} from './messages.generated.js';

/** Whole milliseconds since 1970 as the wire has them. The server refuses parts of a millisecond. */
export function toTimestamp(milliseconds: number): Timestamp {
  const seconds = Math.floor(milliseconds / MS_PER_SECOND);
  return {seconds: String(seconds), nanos: (milliseconds - seconds * MS_PER_SECOND) * NANOS_PER_MS};
}

/** Whole milliseconds since 1970; parts of one, which the server does not store, are cut off. */
export function toMilliseconds({seconds, nanos}: Timestamp): number {
  return Number(seconds) * MS_PER_SECOND + Math.floor(nanos / NANOS_PER_MS);
}

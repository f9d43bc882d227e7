import {LATEST_TIME} from '../api/ingest.js';
import {MINUTES_PER_HOUR, MS_PER_SECOND, SECONDS_PER_MINUTE} from './time.js';

const RFC_3339 = /^(\d{4})-(\d\d)-(\d\d)[Tt ](\d\d):(\d\d):(\d\d)(?:\.\d+)?(?:[Zz]|([+-])(\d\d):(\d\d))$/;

/**
 * Whole Unix seconds from either form of a time: an integer of Unix seconds or RFC 3339 text, whose fraction of a second
 * is cut. `undefined` for anything else, and outside the years 1970 to 5999.
 */
export function unixSeconds(time: unknown): number | undefined {
  const seconds = typeof time === 'string' ? fromText(time) : time;
  return typeof seconds === 'number' && Number.isInteger(seconds) && seconds >= 0 && seconds <= LATEST_TIME
    ? seconds + 0
    : undefined;
}

function fromText(text: string): number | undefined {
  const match = RFC_3339.exec(text);
  if (match === null) return undefined;
  const [year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0] = match.slice(1, 7).map(Number);
  const utc = Date.UTC(year, month - 1, day, hour, minute, second);
  // Date.UTC carries over what is too large (February 30, second 60); a date that comes back changed does not exist.
  if (new Date(utc).toISOString().slice(0, 19) !== `${text.slice(0, 10)}T${text.slice(11, 19)}`) return undefined;
  const [offsetHours, offsetMinutes] = [Number(match[8] ?? 0), Number(match[9] ?? 0)];
  if (offsetHours > 23 || offsetMinutes > 59) return undefined;
  const offset = (offsetHours * MINUTES_PER_HOUR + offsetMinutes) * SECONDS_PER_MINUTE;
  return utc / MS_PER_SECOND - (match[7] === '-' ? -offset : offset);
}

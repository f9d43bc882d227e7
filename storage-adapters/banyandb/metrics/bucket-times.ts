import {type BucketWindow, STEP_SECONDS} from '../../../core/api/adapter.js';
import {MS_PER_SECOND, SECONDS_PER_HOUR} from '../../../core/toolkit/time.js';
import type {MillisRange} from '../client/criteria.js';
import type {TimeZone} from '../schema/time-zone.js';

/** Clocks that are moved at midnight move the start of the day by this much. */
const MOVED = 2 * SECONDS_PER_HOUR;

/**
 * Where the rows of a window lie. A row has the time at which its bucket starts on the clock of the OAP: minutes start
 * everywhere together, hours at other times in zones with half hours, and a UTC day is answered by the day with the same
 * date.
 */
export function spanOf({step, first, count}: BucketWindow, zone: TimeZone): MillisRange {
  const last = first + (count - 1) * STEP_SECONDS[step];
  switch (step) {
    case 'minute':
      return {begin: first * MS_PER_SECOND, end: last * MS_PER_SECOND};
    case 'hour':
      return {begin: first * MS_PER_SECOND, end: (last + STEP_SECONDS.hour - STEP_SECONDS.minute) * MS_PER_SECOND};
    case 'day':
      return {
        begin: (zone.fromLocal(first) - MOVED) * MS_PER_SECOND,
        end: (zone.fromLocal(last) + MOVED) * MS_PER_SECOND,
      };
  }
}

/** The slot of a window that a row fills; undefined outside. */
export function slotOf(time: number, {step, first, count}: BucketWindow, zone: TimeZone): number | undefined {
  const start = step === 'day' ? zone.utcDay(time) : time;
  const slot = Math.floor((start - first) / STEP_SECONDS[step]);
  return slot >= 0 && slot < count ? slot : undefined;
}

/** When the last bucket is over. */
export const endOf = ({step, first, count}: BucketWindow): number => first + count * STEP_SECONDS[step];

/** Windows whose rows have all label sets of the minutes of [from, to]: of long buckets where they fit, they are fewer. */
export function cover(
  from: number,
  to: number,
  zone: TimeZone,
  {now, hasHours, hasDays}: {readonly now: number; readonly hasHours: boolean; readonly hasDays: boolean},
): readonly BucketWindow[] {
  const begin = Math.floor(from / STEP_SECONDS.minute) * STEP_SECONDS.minute;
  const end = Math.floor(to / STEP_SECONDS.minute) * STEP_SECONDS.minute + STEP_SECONDS.minute;
  // The rows of hours and days are behind those of minutes while they run.
  const settled = now - 2 * STEP_SECONDS.hour;
  const isUtc = [begin, end].every(time => zone.fromLocal(time) === time);
  const areHoursWhole = [begin, end].every(time => (zone.fromLocal(time) - time) % STEP_SECONDS.hour === 0);
  const days = inner('day', begin, Math.min(end, settled), hasDays && isUtc);
  const around =
    days === undefined ? [[begin, end] as const] : [[begin, days.first] as const, [endOf(days), end] as const];
  const rest = around.flatMap(([start, stop]) => {
    const hours = inner('hour', start, Math.min(stop, settled), hasHours && areHoursWhole);
    if (hours === undefined) return window('minute', start, stop);
    return [...window('minute', start, hours.first), hours, ...window('minute', endOf(hours), stop)];
  });
  return days === undefined ? rest : [...rest, days];
}

/** The whole buckets of a step between two times. */
function inner(step: 'hour' | 'day', begin: number, end: number, isThere: boolean): BucketWindow | undefined {
  const length = STEP_SECONDS[step];
  return isThere ? window(step, Math.ceil(begin / length) * length, Math.floor(end / length) * length)[0] : undefined;
}

function window(step: BucketWindow['step'], begin: number, end: number): readonly BucketWindow[] {
  const count = (end - begin) / STEP_SECONDS[step];
  return count >= 1 ? [{step, first: begin, count}] : [];
}

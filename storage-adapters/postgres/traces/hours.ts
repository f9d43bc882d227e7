import {HOURS_PER_DAY, MICROS_PER_HOUR} from '../../../core/toolkit/time.js';

/** Spans lie in partitions of a UTC day each, and their index has terms of each hour. */

/** The partition of spans that have no day of their own: those without a time, and those that outlive their day. */
export const REST = 2_147_483_647;

export function hourOf(microseconds: number): number {
  return Math.floor(microseconds / MICROS_PER_HOUR);
}

export function dayOf(hour: number): number {
  return Math.floor(hour / HOURS_PER_DAY);
}

/** The partitions that the spans of some hours lie in, named by constants, so that the others are not looked at. */
export function dayRange(firstHour: number, lastHour: number): string {
  const day = (hour: number): number => Math.max(-REST, Math.min(REST, dayOf(hour)));
  return `bucket BETWEEN ${day(firstHour)} AND ${day(lastHour)} OR bucket = ${REST}`;
}

/** The same of given days. */
export function daysIn(days: Iterable<number>): string {
  return `bucket IN (${[...new Set(days)].map(Math.trunc).join(', ')})`;
}

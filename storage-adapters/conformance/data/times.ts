/** Seconds. */
export const MINUTE = 60;
export const HOUR = 3600;
export const DAY = 86_400;

/** A UTC day, in Unix seconds, from which the times of all data are counted. */
const FIRST_DAY = 19_675 * DAY;

/**
 * The first day of a group's own days, in Unix seconds. Every group has another `number`, and forty days, so that groups
 * on one store do not find each other's data.
 */
export function ownDays(number: number): number {
  return FIRST_DAY + number * 40 * DAY;
}

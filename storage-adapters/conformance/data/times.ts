/** Seconds. */
export const MINUTE = 60;
export const HOUR = 3600;
export const DAY = 86_400;

/** A UTC day, in Unix seconds, from which the times of all data are counted. */
const FIRST_DAY = 19_675 * DAY;

const taken = new Set<number>();

/**
 * The first day of a group's own days, in Unix seconds. Every group has another `number`, and forty days, so that groups
 * on one store do not find each other's data. Throws when the number was given before.
 */
export function ownDays(number: number): number {
  if (taken.has(number)) throw new Error(`the days ${number} belong to another group of the kit`);
  taken.add(number);
  return FIRST_DAY + number * 40 * DAY;
}

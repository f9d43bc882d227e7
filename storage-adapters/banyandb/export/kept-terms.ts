import {MINUTES_PER_DAY, MINUTES_PER_HOUR} from '../../../core/toolkit/time.js';

/** Of how many minutes an OAP has made an hour or a day it does not say; it counts as a whole one. */
export const MINUTES_PER_STEP = {hour: MINUTES_PER_HOUR, day: MINUTES_PER_DAY} as const;

/** The powers of two that make the number of minutes. */
const FACTORS = {hour: [32, 16, 8, 4], day: [1024, 256, 128, 32]} as const;

/**
 * Terms whose true sum, divided by the number of minutes, is the value itself: a double times a power of two is exact,
 * times sixty it is not.
 */
export function keptTerms(value: number, step: 'hour' | 'day'): readonly number[] {
  return FACTORS[step].map(factor => value * factor);
}

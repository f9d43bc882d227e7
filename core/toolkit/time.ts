/**
 * How many of one unit of time another one has. Contracts and interfaces say in their doc comments which unit they
 * speak: metrics seconds, compat spans microseconds, configuration and timers milliseconds.
 */

export const MS_PER_SECOND = 1000;
export const MS_PER_MINUTE = 60_000;
export const MS_PER_HOUR = 3_600_000;
export const MS_PER_DAY = 86_400_000;

export const SECONDS_PER_MINUTE = 60;
export const SECONDS_PER_HOUR = 3600;
export const SECONDS_PER_DAY = 86_400;

export const MINUTES_PER_HOUR = 60;
export const MINUTES_PER_DAY = 1440;
export const HOURS_PER_DAY = 24;

export const MICROS_PER_MS = 1000;
export const MICROS_PER_SECOND = 1_000_000;
export const MICROS_PER_HOUR = 3_600_000_000;

export const NANOS_PER_MICRO = 1000;
export const NANOS_PER_MS = 1_000_000;

import test from 'ava';
import * as time from '../../../core/toolkit/time.js';

/** Nanoseconds. */
const UNITS: Readonly<Record<string, number>> = {
  NANO: 1,
  NANOS: 1,
  MICRO: 1e3,
  MICROS: 1e3,
  MS: 1e6,
  SECOND: 1e9,
  SECONDS: 1e9,
  MINUTE: 60e9,
  MINUTES: 60e9,
  HOUR: 3600e9,
  HOURS: 3600e9,
  DAY: 86_400e9,
};

test('each constant is what its name says', t => {
  const names = Object.entries(time);
  t.true(names.length > 10);
  for (const [name, value] of names) {
    const [small = '', large = ''] = name.split('_PER_');
    t.is(value, (UNITS[large] ?? Number.NaN) / (UNITS[small] ?? Number.NaN), name);
  }
});

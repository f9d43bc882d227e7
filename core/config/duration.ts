import {MS_PER_DAY, MS_PER_HOUR, MS_PER_MINUTE, MS_PER_SECOND} from '../toolkit/time.js';

const UNITS: Readonly<Record<string, number>> = {
  ms: 1,
  s: MS_PER_SECOND,
  m: MS_PER_MINUTE,
  h: MS_PER_HOUR,
  d: MS_PER_DAY,
  w: 7 * MS_PER_DAY,
};
const SHAPE = /^(?:\d+(?:\.\d+)?(?:ms|[smhdw]))+$/;

/** Text such as `30s`, `1h30m` or `1.5h` in milliseconds; undefined when it is not a duration. */
export function parseDuration(text: string): number | undefined {
  if (!SHAPE.test(text)) return undefined;
  let sum = 0;
  for (const [, amount, unit = ''] of text.matchAll(/(\d+(?:\.\d+)?)(ms|[smhdw])/g)) {
    sum += Number(amount) * (UNITS[unit] ?? Number.NaN);
  }
  return Number.isSafeInteger(Math.round(sum)) ? Math.round(sum) : undefined;
}

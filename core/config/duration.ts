const UNITS: Readonly<Record<string, number>> = {
  ms: 1,
  s: 1000,
  m: 60_000,
  h: 3_600_000,
  d: 86_400_000,
  w: 604_800_000,
};
const SHAPE = /^(?:\d+(?:\.\d+)?(?:ms|[smhdw]))+$/;

/** Text such as `30s`, `1h30m` or `1.5h` in milliseconds; undefined when it is not a duration. */
export function parseDuration(text: string): number | undefined {
  if (!SHAPE.test(text)) return undefined;
  let sum = 0;
  for (const [, amount, unit] of text.matchAll(/(\d+(?:\.\d+)?)(ms|[smhdw])/g)) {
    sum += Number(amount) * (UNITS[unit as string] as number);
  }
  return Number.isSafeInteger(Math.round(sum)) ? Math.round(sum) : undefined;
}

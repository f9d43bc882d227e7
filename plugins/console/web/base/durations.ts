const UNITS: Readonly<Record<string, number>> = {ms: 0.001, s: 1, m: 60, h: 3600, d: 86_400, w: 604_800};

/** Seconds of a text such as `90s` or `1h30m`; undefined when it is none. */
export function secondsOf(text: string): number | undefined {
  if (!/^(\d+(ms|[smhdw]))+$/.test(text)) return undefined;
  let sum = 0;
  for (const [, value, unit] of text.matchAll(/(\d+)(ms|[smhdw])/g)) sum += Number(value) * (UNITS[unit ?? ''] ?? 0);
  return sum;
}

// Written so that no part can take what the next one could: a long run of digits costs its length only.
const NUMBER = /^[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?$/;
const INFINITY = /^[+-]?inf(?:inity)?$/i;

/** The number that a value of the format is; undefined when it is none, or too large for one. */
export function parseValue(text: string): number | undefined {
  if (NUMBER.test(text)) {
    const value = Number(text);
    return Number.isFinite(value) ? value : undefined;
  }
  if (/^nan$/i.test(text)) return Number.NaN;
  if (!INFINITY.test(text)) return undefined;
  return text.startsWith('-') ? Number.NEGATIVE_INFINITY : Number.POSITIVE_INFINITY;
}

/** The shortest text that gives the same number. */
export function formatValue(value: number): string {
  if (value === 0) return Object.is(value, -0) ? '-0' : '0';
  if (value === Number.POSITIVE_INFINITY) return '+Inf';
  return value === Number.NEGATIVE_INFINITY ? '-Inf' : String(value);
}

const LONGEST = 1200;

/** A value on one line, as JSON has it where it can; a long one is cut. */
export function compactly(value: unknown, longest = LONGEST): string {
  if (value === undefined) return 'nothing';
  const text = JSON.stringify(value, jsonValue) ?? String(value);
  return text.length <= longest ? text : `${text.slice(0, longest)}… (${text.length} characters)`;
}

function jsonValue(_: string, value: unknown): unknown {
  if (typeof value === 'bigint') return String(value);
  if (Object.is(value, -0)) return '-0';
  if (value instanceof Map) return Object.fromEntries(value);
  if (ArrayBuffer.isView(value)) return Array.from(value as Float64Array);
  return value;
}

/**
 * A value of data as a text that is the same for equal values, whoever has made them: members in the order of their names and
 * without those that are undefined, maps as lists of their entries.
 */
export function canonical(value: unknown): string {
  if (typeof value === 'bigint') return `${value}n`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? '';
  if (value instanceof Uint8Array)
    return `b${Buffer.from(value.buffer, value.byteOffset, value.byteLength).toString('hex')}`;
  if (value instanceof Map) return `{${[...value].map(canonical).join()}}`;
  if (Array.isArray(value)) return `[${value.map(canonical).join()}]`;
  const members = value as Readonly<Record<string, unknown>>;
  const names = Object.keys(members).filter(name => members[name] !== undefined);
  return `{${names
    .sort()
    .map(name => `${name}:${canonical(members[name])}`)
    .join()}}`;
}

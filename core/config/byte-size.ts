const UNITS: Readonly<Record<string, number>> = {
  b: 1,
  kb: 1e3,
  mb: 1e6,
  gb: 1e9,
  tb: 1e12,
  kib: 2 ** 10,
  mib: 2 ** 20,
  gib: 2 ** 30,
  tib: 2 ** 40,
};
const SHAPE = /^(\d+(?:\.\d+)?) ?([kmgt]i?b|b)$/i;

/** Text such as `64MiB`, `1.5 GB` or `512B` in bytes; undefined when it is not a size. */
export function parseByteSize(text: string): number | undefined {
  const [, amount, unit = ''] = SHAPE.exec(text) ?? [];
  const bytes = Math.round(Number(amount) * (UNITS[unit.toLowerCase()] ?? Number.NaN));
  return Number.isSafeInteger(bytes) ? bytes : undefined;
}

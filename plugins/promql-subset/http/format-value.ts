/**
 * The text of a value in a response, for samples and scalars alike: the shortest digits that give the same double,
 * an exponent of at least two digits below 1e-6 and from 1e21, infinities with their sign.
 */
export function formatValue(value: number): string {
  if (value === Number.POSITIVE_INFINITY) return '+Inf';
  if (value === Number.NEGATIVE_INFINITY) return '-Inf';
  if (value === 0) return Object.is(value, -0) ? '-0' : '0';
  const magnitude = Math.abs(value);
  if (magnitude >= 1e-6 && magnitude < 1e21) return `${value}`;
  return `${value}`.replace(/e([+-])(\d)$/, 'e$10$2');
}

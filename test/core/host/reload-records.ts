/** When the constants are: a whole minute, in seconds since 1970. */
export const MINUTE = 1_700_000_040;

/** What is written under load. */
export const NOISE = 'noise_cpm';

const [LEFT, RIGHT] = ['left_cpm', 'right_cpm'];
const SELECTOR = "{layer='GENERAL',service='constant'}";

/** Its operands are equal in each storage and read one by one, so an answer of two storages is empty. */
export const BOTH = `${LEFT}${SELECTOR} == ${RIGHT}${SELECTOR}`;

/** A declaration and a sample, as a body of `/ingest/v1/metrics`. */
export function sampleOf(metric: string, service: string, value: number, time: number): string {
  const declared = {record: 'metric', name: metric, scope: 'Service', kind: 'common'};
  const sample = {record: 'sample', metric, layer: 'GENERAL', service, time, value};
  return `${JSON.stringify(declared)}\n${JSON.stringify(sample)}\n`;
}

/** The records by which the n-th storage, from 0 on, answers with `constantOf(n)`. */
export function constantsOf(n: number): string {
  return [LEFT, RIGHT].map(metric => sampleOf(metric, 'constant', Number(constantOf(n)), MINUTE)).join('');
}

export function constantOf(n: number): string {
  return String(n + 1);
}

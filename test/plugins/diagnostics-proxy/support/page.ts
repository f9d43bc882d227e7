import type {Script} from './fake-agent.js';

/** What an agent says of its metrics. */
export type Metrics = NonNullable<Awaited<ReturnType<NonNullable<Script['metrics']>>>>;

/** A histogram as an agent may give it: in no order, with one help. */
export const histogram = (pod: string, path: string): Metrics =>
  [
    ['h_bucket', 10, '10'],
    ['h_count', 12],
    ['h_bucket', 12, '+Inf'],
    ['h_sum', 40.5],
    ['h_bucket', 3, '2.5'],
  ].map(([name, value, le]) => ({
    name: name as string,
    value: value as number,
    labels: {pod_name: pod, path, ...(le !== undefined && {le: le as string})},
    description: name === 'h_sum' ? '' : 'Durations.',
    type: 'METRIC_TYPE_HISTOGRAM' as const,
  }));

/** The page without the metrics of the proxy itself. */
export const scraped = (page: string): string =>
  page
    .split('\n')
    .filter(line => !/diagnostics_(proxy|agent)_/.test(line))
    .join('\n');

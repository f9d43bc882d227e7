import type {Family, FamilySample} from '../../diagnostics/exposition/model.js';
import {writeFamily} from '../../diagnostics/exposition/write.js';
import type {CastMember} from './cast.js';

const GROUPS = ['metricsMinute', 'metricsHour', 'recordsTrace'];
const BUCKETS = [0.001, 0.005, 0.025, 0.1, 0.5];
/** The share of requests that is as fast as each bucket says. */
const SHARES = [0.35, 0.7, 0.9, 0.98, 0.998];
const MIB = 2 ** 20;

/** The metrics page of a database node that has run for so many seconds. */
export function metricsPage({load}: CastMember, seconds: number): string {
  const wave = (period: number): number => Math.sin((2 * Math.PI * seconds) / period);
  const requests = (group: string): number => Math.round(40 * load * seconds * (1 + GROUPS.indexOf(group)));
  const single = (name: string, value: number): readonly FamilySample[] => [{name, labels: [], value}];
  const families: readonly Family[] = [
    {
      name: 'database_requests_total',
      type: 'counter',
      help: 'Requests that were served, by group of data.',
      samples: GROUPS.map(group => ({
        name: 'database_requests_total',
        labels: ['group', group],
        value: requests(group),
      })),
    },
    {
      name: 'database_request_duration_seconds',
      type: 'histogram',
      help: 'Duration of requests.',
      samples: GROUPS.flatMap(group => durations(group, requests(group))),
    },
    {
      name: 'database_memory_bytes',
      type: 'gauge',
      help: 'Memory in use.',
      samples: single('database_memory_bytes', Math.round(MIB * (300 + 200 * load + 40 * wave(600)))),
    },
    {
      name: 'database_cpu_usage_ratio',
      type: 'gauge',
      help: 'Share of the processors in use.',
      samples: single('database_cpu_usage_ratio', Math.round(1000 * (0.15 + 0.2 * load + 0.05 * wave(180))) / 1000),
    },
  ];
  return families.map(writeFamily).join('');
}

function durations(group: string, count: number): readonly FamilySample[] {
  const name = 'database_request_duration_seconds';
  const labels = ['group', group];
  return [
    ...BUCKETS.map((bound, i) => ({
      name: `${name}_bucket`,
      labels: [...labels, 'le', String(bound)],
      value: Math.round(count * (SHARES[i] ?? 1)),
    })),
    {name: `${name}_bucket`, labels: [...labels, 'le', '+Inf'], value: count},
    {name: `${name}_sum`, labels, value: Math.round(count * 12) / 1000},
    {name: `${name}_count`, labels, value: count},
  ];
}

import type {Rollup} from '../../../core/api/plugin.js';
import {failures, incident, noise, slowdown, traffic} from './incidents.js';
import type {Target} from './targets.js';

/** One kind of measurement: what is known about it, and how it is made for a target in a minute. */
export interface Reading {
  /** The end of the metric's name. */
  readonly name: string;
  readonly help: string;
  readonly unit: string;
  readonly rollup?: Rollup;
  /** One value; or of a labeled metric, each value with its label's. */
  readonly read: (target: Target, minute: number) => number | readonly (readonly [label: string, value: number])[];
  /** The value label of a labeled metric. */
  readonly label?: string;
}

/** How much slower than the typical call the call at this percentile is. */
const PERCENTILES = [
  ['50', 0.8],
  ['75', 1.2],
  ['90', 1.9],
  ['95', 2.6],
  ['99', 4.5],
] as const;

/** The response time in milliseconds that satisfies a user; four times as much is tolerated. */
const SATISFYING = 100;

export const cpm: Reading = {
  name: 'cpm',
  help: 'calls per minute',
  unit: '',
  read: ({id, calls}, minute) => Math.round(calls * traffic(minute) * (1 + 0.12 * noise(`calls ${id}`, minute))),
};

export const respTime: Reading = {
  name: 'resp_time',
  help: 'average response time',
  unit: 'ms',
  read: (target, minute) => Math.round(latency(target, minute)),
};

export const sla: Reading = {
  name: 'sla',
  help: 'successful calls, in hundredths of a percent',
  unit: '',
  read: ({service}, minute) => Math.round(10_000 * (1 - failures(service, minute))),
};

export const callSla: Reading = {...sla, name: 'call_sla'};

export const apdex: Reading = {
  name: 'apdex',
  help: 'satisfaction of users with the response time, from 0 to 10000',
  unit: '',
  read: (target, minute) => {
    const ratio = latency(target, minute) / SATISFYING;
    return Math.round(10_000 * (1 - failures(target.service, minute)) * Math.min(1, 1.05 / (1 + (ratio / 3) ** 2)));
  },
};

export const percentile: Reading = {
  name: 'percentile',
  help: 'response time below which this share of calls stays',
  unit: 'ms',
  label: 'p',
  read: (target, minute) =>
    PERCENTILES.map(([p, factor]) => [p, Math.round(factor * latency(target, minute))] as const),
};

export const instanceGauges: readonly Reading[] = [
  {
    name: 'cpu',
    help: 'share of the processor in use',
    unit: 'percent',
    read: ({id, service}, minute) =>
      round(8 + 40 * traffic(minute) + 3 * noise(`cpu ${id}`, minute) + 4 * (slowdown(service, minute) - 1)),
  },
  {
    name: 'memory_heap',
    help: 'heap in use',
    unit: 'bytes',
    // A saw tooth: the heap fills until the collector empties it.
    read: ({id}, minute) =>
      Math.round(2 ** 20 * (180 + 9 * ((minute + phase(id)) % 23) + 6 * noise(`heap ${id}`, minute))),
  },
  {
    name: 'thread_live_count',
    help: 'threads that are alive',
    unit: '',
    read: ({id, service}, minute) =>
      Math.round(48 + 20 * traffic(minute) + 3 * noise(`threads ${id}`, minute) + 6 * (slowdown(service, minute) - 1)),
  },
  {
    name: 'old_gc_count',
    help: 'collections of the old generation',
    unit: '',
    rollup: 'sum',
    read: ({id}, minute) => ((minute + phase(id)) % 23 === 0 ? 1 : 0) + Math.round(incident(minute)),
  },
];

function latency({id, service, latency: typical}: Target, minute: number): number {
  const busy = 0.85 + 0.3 * traffic(minute);
  return typical * busy * slowdown(service, minute) * (1 + 0.1 * noise(`latency ${id}`, minute));
}

function phase(id: string): number {
  return Math.round(11 + 11 * noise(id, 0));
}

function round(value: number): number {
  return Math.round(value * 100) / 100;
}

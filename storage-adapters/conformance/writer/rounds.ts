import {batch, metric} from '../data/metrics.js';
import {compatSpan, nativeSpan, segment} from '../data/spans.js';
import {MINUTE, ownDays} from '../data/times.js';
import type {DataSet} from '../options.js';

/** What the process that is killed writes. */
export type Written = 'metrics' | 'compat' | 'native';

export const START = ownDays(31);
export const LAYER = 'KIT-DURABILITY';
export const METRIC = 'kit_durability';
export const SERVICES = 20;
/** Spans of a compat trace, and segments of a native one. */
export const UNITS = 4;

export const serviceOf = (i: number): string => `s${i}`;
export const compatId = (round: number): string => `0000000d0${(0xb0000 + round).toString(16).padStart(7, '0')}`;
export const nativeId = (round: number): string => `kit-durability.${round}`;

/** Stored before the first round. */
export const DECLARATIONS: Readonly<Record<Written, DataSet>> = {
  metrics: {metrics: [batch({metrics: [metric(METRIC)]})]},
  compat: {},
  native: {},
};

/** The batch of a round: a minute of all services, or a trace. */
export const ROUNDS: Readonly<Record<Written, (round: number) => DataSet>> = {
  metrics: round => ({
    metrics: [
      batch({
        samples: Array.from({length: SERVICES}, (_, i) => ({
          metric: METRIC,
          entity: {layer: LAYER, service: serviceOf(i)},
          time: START + round * MINUTE,
          value: round * 100 + i,
        })),
      }),
    ],
  }),
  compat: round => ({
    spans: [
      Array.from({length: UNITS}, (_, i) =>
        compatSpan(compatId(round), i + 1, {timestamp: (START + round) * 1_000_000 + i}),
      ),
    ],
  }),
  native: round => ({
    segments: [
      Array.from({length: UNITS}, (_, i) =>
        segment(nativeId(round), `${nativeId(round)}.${i}`, [nativeSpan(0, (START + round) * 1000 + i)]),
      ),
    ],
  }),
};

import {fullCompatSpan, fullSegment} from '../data/every-member.js';
import {batch, metric} from '../data/metrics.js';
import {fullOtlpSpan} from '../data/otlp-spans.js';
import {DAY, ownDays} from '../data/times.js';
import type {DataSet} from '../options.js';

/** What the processes write that are killed, and the writes that are cut off. */
export type RoundSubject = 'metrics' | 'compat' | 'native' | 'otlp';

export const START = ownDays(31);
export const LAYER = 'kit-durability';
export const METRIC = 'kit_durability';
export const SERVICES = 8;
/** Spans of a compat or OTLP trace, and segments of a native one. */
export const FRAGMENTS = 4;

/** The times of all spans, in microseconds. */
export const WINDOW = {from: START * 1_000_000, to: (START + DAY) * 1_000_000};

export const serviceOf = (i: number): string => `s${i}`;
export const compatId = (round: number): string => `0000000d0${(0xb0000 + round).toString(16).padStart(7, '0')}`;
export const otlpId = (round: number): string => compatId(round).padStart(32, '0');
export const nativeId = (round: number): string => `kit-durability.${round}`;

/** A day of all services, so that no round is in a bucket of another; and what no other round has beside it. */
function metricsOf(round: number): DataSet {
  const records = metric(`kit_durability_records_${round}`, {
    kind: 'sampled-record',
    scope: 'ServiceInstance',
    help: `of round ${round}`,
    unit: 's',
  });
  const time = START + round * DAY;
  const entity = {layer: `${LAYER}-${round}`, service: 'db', serviceInstance: `i${round}`};
  const record = {metric: records.name, entity, content: `select ${round}`, time: time + 59, value: round};
  return {
    metrics: [
      batch({
        metrics: [metric(METRIC, {help: 'written in rounds', unit: 'ms'}), records],
        samples: Array.from({length: SERVICES}, (_, i) => ({
          metric: METRIC,
          entity: {layer: LAYER, service: serviceOf(i)},
          time,
          value: round * 100 + i,
        })),
        sightings: [{scope: 'ServiceInstance', entity: {...entity, serviceInstance: 'seen'}, time: time - DAY}],
        records: [record, {...record, traceId: `trace ${round}`}],
      }),
    ],
  };
}

/** The one batch of a round: metric records, or a trace. */
export const ROUNDS: Readonly<Record<RoundSubject, (round: number) => DataSet>> = {
  metrics: metricsOf,
  compat: round => ({
    spans: [
      Array.from({length: FRAGMENTS}, (_, i) =>
        fullCompatSpan(compatId(round), i + 1, (START + round) * 1_000_000 + i),
      ),
    ],
  }),
  native: round => ({
    segments: [
      Array.from({length: FRAGMENTS}, (_, i) =>
        fullSegment(nativeId(round), `${nativeId(round)}.${i}`, (START + round) * 1000 + i),
      ),
    ],
  }),
  otlp: round => ({
    otlpSpans: [
      Array.from({length: FRAGMENTS}, (_, i) =>
        fullOtlpSpan(otlpId(round), i + 1, BigInt(START + round) * 1_000_000_000n + BigInt(i)),
      ),
    ],
  }),
};

import type {
  Entity,
  MetricBatch,
  MetricDefinition,
  RecordInput,
  Series,
  Sighting,
  ValueLabels,
} from '../../../core/api/adapter.js';

/** One sample as it is easy to write down. */
export interface SampleInput {
  readonly metric: string;
  readonly entity: Entity;
  readonly labels?: ValueLabels;
  /** The start of a minute in Unix seconds. */
  readonly time: number;
  readonly value: number;
}

export interface BatchParts {
  readonly metrics?: readonly MetricDefinition[];
  readonly sightings?: readonly Sighting[];
  readonly samples?: readonly SampleInput[];
  readonly records?: readonly RecordInput[];
}

/** A batch whose samples share a series object where they share a series. */
export function batch({metrics = [], sightings = [], samples = [], records = []}: BatchParts): MetricBatch {
  const indexes = new Map<string, number>();
  const series: Series[] = [];
  const index = samples.map(({metric, entity, labels = {}}) => {
    const key = JSON.stringify([metric, entity, labels]);
    const known = indexes.get(key);
    if (known !== undefined) return known;
    indexes.set(key, series.length);
    return series.push({metric, entity, labels}) - 1;
  });
  return {
    metrics,
    sightings,
    records,
    samples: {
      series,
      index: Uint32Array.from(index),
      time: Float64Array.from(samples, ({time}) => time),
      value: Float64Array.from(samples, ({value}) => value),
    },
  };
}

export function metric(name: string, options: Partial<MetricDefinition> = {}): MetricDefinition {
  return {
    name,
    scope: 'Service',
    kind: 'common',
    type: 'gauge',
    help: '',
    unit: '',
    rollup: 'avg',
    valueLabels: [],
    ...options,
  };
}

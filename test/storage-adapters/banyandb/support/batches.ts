import type {Entity, MetricBatch, MetricDefinition, RecordInput, Sighting} from '../../../../core/api/adapter.js';
import type {ValueLabels} from '../../../../core/api/metrics.js';

export interface Sample {
  readonly metric: string;
  readonly entity: Entity;
  readonly labels?: ValueLabels;
  /** The start of a minute in Unix seconds. */
  readonly time: number;
  readonly value: number;
}

export interface BatchParts {
  readonly metrics?: readonly MetricDefinition[];
  readonly samples?: readonly Sample[];
  readonly records?: readonly RecordInput[];
  readonly sightings?: readonly Sighting[];
}

export function batch({metrics = [], samples = [], records = [], sightings = []}: BatchParts): MetricBatch {
  return {
    metrics,
    records,
    sightings,
    samples: {
      series: samples.map(({metric, entity, labels = {}}) => ({metric, entity, labels})),
      index: Uint32Array.from(samples, (_, i) => i),
      time: Float64Array.from(samples, ({time}) => time),
      value: Float64Array.from(samples, ({value}) => value),
    },
  };
}

export function metric(name: string, more: Partial<MetricDefinition> = {}): MetricDefinition {
  return {
    name,
    scope: 'Service',
    kind: 'common',
    type: 'gauge',
    help: '',
    unit: '',
    rollup: 'avg',
    valueLabels: [],
    ...more,
  };
}

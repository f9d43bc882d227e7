import type {MetricBatch, MetricExport, Samples} from '../../../core/api/adapter.js';

/** What is stored by one call of a writer: how much it is, and a copy that its caller cannot change any more. */
export interface BatchKind<Batch> {
  sizeOf(batch: Batch): number;
  copy(batch: Batch): Batch;
}

export const metricBatches: BatchKind<MetricBatch> = {
  sizeOf: ({metrics, sightings, samples, records}) =>
    metrics.length + sightings.length + samples.index.length + records.length,
  copy: ({metrics, sightings, samples, records}) => ({
    metrics: [...metrics],
    sightings: [...sightings],
    samples: copyOf(samples),
    records: [...records],
  }),
};

export const exportPages: BatchKind<MetricExport> = {
  sizeOf: ({metrics, sightings, samples, kept, records}) =>
    metrics.length + sightings.length + samples.index.length + kept.values.length + records.length,
  copy: ({metrics, sightings, samples, kept, records}) => ({
    metrics: [...metrics],
    sightings: [...sightings],
    samples: copyOf(samples),
    kept: {series: [...kept.series], values: [...kept.values]},
    records: [...records],
  }),
};

/** Spans or segments, which are never changed themselves. */
export const fragmentBatches: BatchKind<readonly unknown[]> = {
  sizeOf: fragments => fragments.length,
  copy: fragments => [...fragments],
};

function copyOf({series, index, time, value}: Samples): Samples {
  return {series: [...series], index: index.slice(), time: time.slice(), value: value.slice()};
}

import type {MetricBatch} from '../../../core/api/adapter.js';
import type {BatchParts} from '../../../storage-adapters/conformance/data/metrics.js';

export {type BatchParts, metric, type SampleInput} from '../../../storage-adapters/conformance/data/metrics.js';

/** A batch in which every sample has a series object of its own; in the batches of the kit they share them. */
export function batchOf({metrics = [], sightings = [], samples = [], records = []}: BatchParts): MetricBatch {
  return {
    metrics,
    sightings,
    records,
    samples: {
      series: samples.map(({metric, entity, labels = {}}) => ({metric, entity, labels})),
      index: Uint32Array.from(samples, (_, i) => i),
      time: Float64Array.from(samples, ({time}) => time),
      value: Float64Array.from(samples, ({value}) => value),
    },
  };
}

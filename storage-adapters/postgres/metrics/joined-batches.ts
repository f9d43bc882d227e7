import type {MetricBatch, Samples} from '../../../core/api/adapter.js';

/** Batches that were written one after the other, as one: where they have a value of the same minute, the later one stays. */
export function joined(batches: readonly MetricBatch[]): MetricBatch {
  const [only] = batches;
  if (batches.length === 1 && only !== undefined) return only;
  return {
    metrics: batches.flatMap(({metrics}) => metrics),
    sightings: batches.flatMap(({sightings}) => sightings),
    samples: joinedSamples(batches.map(({samples}) => samples)),
    records: batches.flatMap(({records}) => records),
  };
}

function joinedSamples(all: readonly Samples[]): Samples {
  const count = all.reduce((sum, {value}) => sum + value.length, 0);
  const index = new Uint32Array(count);
  const time = new Float64Array(count);
  const value = new Float64Array(count);
  let series = 0;
  let at = 0;
  for (const samples of all) {
    for (let i = 0; i < samples.index.length; i++) index[at + i] = (samples.index[i] ?? 0) + series;
    time.set(samples.time, at);
    value.set(samples.value, at);
    series += samples.series.length;
    at += samples.value.length;
  }
  return {series: all.flatMap(one => one.series), index, time, value};
}

import type {Entity, MetricBatch} from '../../../../core/api/adapter.js';

/** The layers of all entities of batches, in order; those that every OAP knows among them do no harm. */
export function layersOf(batches: Iterable<MetricBatch>): readonly string[] {
  const layers = new Set<string>();
  for (const {sightings, samples, records} of batches) {
    const entities: readonly Entity[] = [...sightings, ...samples.series, ...records].map(({entity}) => entity);
    for (const {layer, destLayer} of entities) {
      layers.add(layer);
      if (destLayer !== undefined) layers.add(destLayer);
    }
  }
  return [...layers].sort();
}

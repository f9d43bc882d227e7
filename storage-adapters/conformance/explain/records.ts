import type {MetricBatch} from '../../../core/api/adapter.js';
import type {DataSet} from '../options.js';

/** Records one by one, in the form in which files and the ingest paths have them. */
export function recordsIn({metrics = [], spans = [], segments = []}: DataSet): readonly object[] {
  return [...metrics.flatMap(metricRecords), ...spans.flat(), ...segments.flat()];
}

function metricRecords({metrics, sightings, samples, records}: MetricBatch): readonly object[] {
  return [
    ...metrics.map(metric => ({record: 'metric', ...metric})),
    ...sightings.map(({scope, entity, time}) => ({record: 'entity', scope, ...entity, time})),
    ...Array.from(samples.index, (index, i) => {
      const {metric, entity, labels} = samples.series[index] ?? {};
      return {record: 'sample', metric, ...entity, labels, time: samples.time[i], value: samples.value[i]};
    }),
    ...records.map(({metric, entity, ...rest}) => ({record: 'sampled-record', metric, ...entity, ...rest})),
  ];
}

/** The texts in a value that are not empty: names of metrics and entities, ids, words. */
export function textsIn(value: unknown): ReadonlySet<string> {
  const texts = new Set<string>();
  const look = (part: unknown): void => {
    if (typeof part === 'string' && part !== '') texts.add(part);
    else if (part instanceof Map) look([...part]);
    else if (typeof part === 'object' && part !== null && !ArrayBuffer.isView(part)) Object.values(part).forEach(look);
  };
  look(value);
  return texts;
}

/** Those of the records that have most of the texts: what a question about these is probably about. */
export function nearest(records: readonly object[], texts: ReadonlySet<string>): readonly object[] {
  const scored = records.map(record => {
    const own = textsIn(record);
    return {record, score: [...texts].filter(text => own.has(text)).length};
  });
  const best = scored.reduce((most, {score}) => Math.max(most, score), 0);
  return scored.filter(({score}) => score === best).map(({record}) => record);
}

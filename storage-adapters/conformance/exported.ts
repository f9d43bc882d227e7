import type {
  Call,
  Entity,
  ExportPage,
  ExportRequest,
  KeptBucket,
  MetricExport,
  MetricHistory,
  RecordInput,
  Series,
  Sighting,
} from '../../core/api/adapter.js';
import {call} from './call.js';
import {shownOf, unorderedOnce} from './comparable.js';

interface Exporter<Content> {
  pages(request: ExportRequest, call: Call): AsyncIterable<ExportPage<Content>>;
}

/** Every page of an export. */
export async function exported<Content>(
  exporter: Exporter<Content>,
  request: ExportRequest = {},
): Promise<readonly ExportPage<Content>[]> {
  const pages: ExportPage<Content>[] = [];
  for await (const page of exporter.pages(request, call)) pages.push(page);
  return pages;
}

/** The last of some pages and a few before it, evenly: each costs a reading of all that is behind it. */
export function fewOf<Page>(pages: readonly Page[]): readonly (readonly [number, Page])[] {
  const every = Math.ceil(pages.length / 5);
  return [...pages.entries()].filter(([i]) => i % every === 0 || i === pages.length - 1);
}

/** What pages of metrics hold of some layers, as it is compared: each thing once, in no order. */
export interface ComparableMetrics {
  readonly metrics: readonly unknown[];
  readonly sightings: readonly unknown[];
  readonly samples: readonly unknown[];
  readonly kept: readonly unknown[];
  readonly records: readonly unknown[];
}

/** Of metrics whose names begin so, and of entities of layers that do. */
export function comparableMetrics(
  pages: readonly ExportPage<MetricExport>[],
  own: {readonly metric: string; readonly layer: string},
): ComparableMetrics {
  const isOwn = ({layer}: Entity): boolean => layer.startsWith(own.layer);
  const metrics: MetricHistory[] = [];
  const sightings: Sighting[] = [];
  const samples: unknown[] = [];
  const kept: unknown[] = [];
  const records: RecordInput[] = [];
  for (const {content} of pages) {
    metrics.push(...content.metrics.filter(({definition}) => definition.name.startsWith(own.metric)));
    // Of relations only some storages keep when they were seen.
    sightings.push(...content.sightings.filter(({scope, entity}) => isOwn(entity) && !scope.endsWith('Relation')));
    const {series, index, time, value} = content.samples;
    for (const [i, place] of index.entries()) {
      const of = series[place] as Series;
      if (isOwn(of.entity)) samples.push({...of, time: time[i], value: value[i]});
    }
    for (const {series: place, ...bucket} of content.kept.values) {
      const of = content.kept.series[place] as Series;
      if (isOwn(of.entity)) kept.push({...of, ...summedUp(bucket)});
    }
    records.push(...content.records.filter(({entity}) => isOwn(entity)));
  }
  return {
    metrics: once(metrics),
    sightings: once(sightings),
    samples: once(samples),
    kept: once(kept),
    records: once(records),
  };
}

/** Whole numbers alone are kept in the kit, so that however many terms a storage makes of a sum, they add up. */
function summedUp({terms, ...bucket}: Omit<KeptBucket, 'series'>) {
  return {...bucket, total: terms.reduce((a, b) => a + b, 0)};
}

/** What is on two pages is there once. */
function once(values: readonly unknown[]): readonly unknown[] {
  return unorderedOnce(values.map(shownOf));
}

import type {MetricExport} from '../../api/export.js';
import type {Series} from '../../api/ingest.js';
import type {Entity} from '../../api/metrics.js';
import type {OtlpSpan} from '../../api/otlp-span.js';
import type {CompatSpan, Segment} from '../../api/traces.js';
import {encodeOtlpSpan} from '../../toolkit/otlp/encode.js';
import {MS_PER_SECOND, SECONDS_PER_MINUTE} from '../../toolkit/time.js';
import {canonical} from './canonical.js';
import type {TakeItem} from './item.js';
import {type ItemKey, keyOf, mixed, numberOf} from './key.js';

/** Of a series object that a storage hands out again and again. */
const keys = new WeakMap<Series, ItemKey>();

/** What a page of metrics holds, but for hours and days, of which storages keep sums of different exactness. */
export function visitMetrics({metrics, sightings, samples, records}: MetricExport, take: TakeItem): void {
  for (const {definition} of metrics) {
    const {name} = definition;
    takeText(take, `metric ${name}`, numberOf(canonical(definition)), () => `the declaration of ${name}`);
  }
  for (const {scope, entity, time} of sightings) {
    // Of relations only some storages keep when they were seen.
    if (scope.endsWith('Relation')) continue;
    const of = `${scope} ${canonical(entity)}`;
    const {high, low} = keyOf(of);
    take(mixed(high, 1), low, time, 'at most', () => `the first sight of ${entityText(entity)} at ${timeText(time)}`);
    take(mixed(high, 2), low, time, 'at least', () => `the last sight of ${entityText(entity)} at ${timeText(time)}`);
  }
  const {series, index, time, value} = samples;
  const own = series.map(seriesKey);
  for (let i = 0; i < value.length; i++) {
    const place = index[i] as number;
    const {high, low} = own[place] as ItemKey;
    const at = time[i] as number;
    const minute = at / SECONDS_PER_MINUTE;
    take(mixed(high, minute), mixed(low, Math.imul(minute, 0x9e3779b1)), value[i] as number, 'equal', () => {
      return `the sample of ${seriesText(series[place] as Series)} at ${timeText(at)}`;
    });
  }
  for (const record of records) {
    const {metric, entity, time: at} = record;
    takeText(
      take,
      `record ${canonical(record)}`,
      0,
      () => `a record of ${metric} of ${entityText(entity)} at ${timeText(at)}`,
    );
  }
}

export function visitSpans(spans: readonly CompatSpan[], take: TakeItem): void {
  for (const span of spans) {
    const {traceId, id, kind = '', shared = false} = span;
    takeText(
      take,
      canonical([traceId, id, kind, shared]),
      numberOf(canonical(span)),
      () => `the span ${id} of the trace ${traceId}`,
    );
  }
}

export function visitSegments(segments: readonly Segment[], take: TakeItem): void {
  for (const segment of segments) {
    const {traceId, traceSegmentId: id} = segment;
    takeText(
      take,
      canonical([traceId, id]),
      numberOf(canonical(segment)),
      () => `the segment ${id} of the trace ${traceId}`,
    );
  }
}

/** By their bytes, which tell apart what a text of numbers does not: a zero and its negative, what is no number and nothing. */
export function visitOtlpSpans(spans: readonly OtlpSpan[], take: TakeItem): void {
  for (const span of spans) {
    const {traceId, spanId} = span;
    takeText(
      take,
      canonical([traceId, spanId]),
      numberOf(Buffer.from(encodeOtlpSpan(span)).toString('latin1')),
      () => `the span ${spanId} of the trace ${traceId}`,
    );
  }
}

export function takeText(take: TakeItem, key: string, content: number, name: () => string): void {
  const {high, low} = keyOf(key);
  take(high, low, content, 'equal', name);
}

function seriesKey(series: Series): ItemKey {
  const known = keys.get(series);
  if (known !== undefined) return known;
  const {metric, entity, labels} = series;
  const key = keyOf(canonical([metric, entity, labels]));
  keys.set(series, key);
  return key;
}

export function seriesText({metric, entity, labels}: Series): string {
  const labelled = Object.entries(labels).map(([name, value]) => `${name}=${JSON.stringify(value)}`);
  return [metric, ...labelled, 'of', entityText(entity)].join(' ');
}

function entityText(entity: Entity): string {
  return Object.values(entity)
    .map(name => JSON.stringify(name))
    .join(' ');
}

export function timeText(seconds: number): string {
  return new Date(seconds * MS_PER_SECOND).toISOString().replace('.000Z', 'Z');
}

import {
  type CompatSpan,
  ENTITY_KEYS,
  type Entity,
  type MetricBatch,
  type MetricDefinition,
  type NativeSpan,
  type RecordInput,
  type Scope,
  type Segment,
  type Sighting,
} from '../../core/api/adapter.js';
import {MINUTE} from './data/times.js';
import type {DataSet, LayoutLimit} from './options.js';

type Limits = readonly LayoutLimit[];

const COMPAT_KINDS: readonly string[] = ['CLIENT', 'SERVER', 'PRODUCER', 'CONSUMER'];
const SPAN_TYPES: readonly string[] = ['Entry', 'Exit', 'Local'];
const SPAN_LAYERS: readonly string[] = ['Database', 'RPCFramework', 'Http', 'MQ', 'Cache', 'FAAS', 'GenAI'];

/** The data without what the storage cannot hold: what a layout with these limits would have kept of it. */
export function representable(data: DataSet, limits: Limits = []): DataSet {
  if (limits.length === 0) return data;
  const {metrics, spans, segments} = data;
  return {
    ...(metrics && {metrics: metrics.map(batch => representableBatch(batch, limits))}),
    ...(spans && {spans: spans.map(batch => representableSpans(batch, limits))}),
    ...(segments && {segments: segments.map(batch => batch.map(segment => representableSegment(segment, limits)))}),
  };
}

/** A metric as the storage declares it. */
export function representableMetric(metric: MetricDefinition, limits: Limits = []): MetricDefinition {
  const isLimited = limits.includes('record-entities') && metric.kind === 'sampled-record';
  return isLimited ? {...metric, scope: 'Service'} : metric;
}

function representableBatch(batch: MetricBatch, limits: Limits): MetricBatch {
  const metrics = batch.metrics.map(metric => representableMetric(metric, limits));
  if (!limits.includes('record-entities')) return {...batch, metrics};
  const records = batch.records.map(record => ({...record, entity: serviceOf(record.entity)}));
  return {...batch, metrics, records, sightings: [...batch.sightings, ...batch.records.flatMap(sightingOf)]};
}

const serviceOf = ({layer, service}: Entity): Entity => ({layer, service});

/** The instance or endpoint of a record stays known without it. */
function sightingOf({entity, time}: RecordInput): readonly Sighting[] {
  const scopes = Object.keys(ENTITY_KEYS) as Scope[];
  const isOf = (scope: Scope): boolean =>
    ENTITY_KEYS[scope].length === Object.keys(entity).length && ENTITY_KEYS[scope].every(key => key in entity);
  const scope = scopes.find(isOf);
  return scope === undefined ? [] : [{scope, entity, time: Math.floor(time / MINUTE) * MINUTE}];
}

/** As a layout keeps them; spans without a start are rows of 1970. */
function representableSpans(spans: readonly CompatSpan[], limits: Limits): readonly CompatSpan[] {
  const kept = limits.includes('compat-timeless') ? spans.filter(({timestamp}) => timestamp !== undefined) : spans;
  return kept.map(span => representableSpan(span, limits));
}

function representableSpan(span: CompatSpan, limits: Limits): CompatSpan {
  const {kind, debug, shared, ...rest} = span;
  const keepsKind = !limits.includes('compat-kinds') || (kind !== undefined && COMPAT_KINDS.includes(kind));
  const keepsFalse = !limits.includes('compat-flags');
  return {
    ...rest,
    ...(kind !== undefined && keepsKind && {kind}),
    ...((debug || keepsFalse) && debug !== undefined && {debug}),
    ...((shared || keepsFalse) && shared !== undefined && {shared}),
  };
}

function representableSegment(segment: Segment, limits: Limits): Segment {
  const spans = limits.includes('native-words') ? segment.spans.map(wordedSpan) : segment.spans;
  const layer = limits.includes('segment-layers') ? 'GENERAL' : segment.layer;
  return {...segment, layer, spans};
}

/** Words in no enum are left out, and a component that is given by its name alone is none. */
function wordedSpan({component, spanType, spanLayer, ...rest}: NativeSpan): NativeSpan {
  const type = SPAN_TYPES.find(known => known.toLowerCase() === spanType.toLowerCase()) ?? 'Local';
  return {...rest, spanType: type, spanLayer: SPAN_LAYERS.includes(spanLayer) ? spanLayer : 'Unknown'};
}

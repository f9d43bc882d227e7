import type {HistoryWriter, MetricExporter, TraceExporter} from './export.js';
import type {MetricWriter} from './ingest.js';
import type {MetadataReader} from './metadata.js';
import type {MetricReader} from './metrics.js';
import type {OtlpSpan} from './otlp-span.js';
import type {OtlpSpanWriter, OtlpTraceReader} from './otlp-traces.js';
import type {TopologyReader} from './topology.js';
import type {
  CompatSpan,
  CompatSpanWriter,
  CompatTraceReader,
  NativeTraceReader,
  Segment,
  SegmentWriter,
} from './traces.js';

/**
 * Capability → the reader (or writer) that an adapter must supply to claim it.
 *
 * There are no flags: the keys of what `StorageAdapter.start()` returns are the capability set, so claiming and
 * supplying are one act and cannot drift apart. A plugin lists what it needs in `requires`; the host compares the two
 * once, after start, and hands each plugin exactly the readers it was granted.
 *
 * A name ends in the version of its reader. A better reader is a new key beside the old one, and an adapter may supply
 * both, to gateways that know both: a name that is not known ends the start, because it is more often misspelt than new.
 * Optional members may be added to a reader without a new version.
 */
export interface Capabilities {
  /** The metric catalog, values per entity and bucket, rankings of entities, sampled records. */
  'metrics.query.v1': MetricReader;
  /** Layers, services, instances and endpoints. */
  'metadata.query.v1': MetadataReader;
  /** Relations that have a value in a window. */
  'topology.query.v1': TopologyReader;
  /** Search and retrieval of compat (Zipkin v2) spans, their tag keys and values. */
  'traces.compat.v1': CompatTraceReader;
  /** Trace query v2: search and retrieval of native segments, their tag keys and values. */
  'traces.native.v2': NativeTraceReader;
  /** Search and retrieval of OTLP spans, their attributes' keys and typed values. */
  'traces.otlp.v1': OtlpTraceReader;
  /** Writing metric records. */
  'ingest.metrics.v1': MetricWriter;
  /** Writing compat spans. */
  'ingest.compat.v1': CompatSpanWriter;
  /** Writing native segments. */
  'ingest.native.v1': SegmentWriter;
  /** Writing OTLP spans. */
  'ingest.otlp.v1': OtlpSpanWriter;
  /** Writing what was exported of metrics, with hours and days whose minutes have gone. */
  'ingest.history.v1': HistoryWriter;
  /** All metrics: declarations, entities, values and sampled records, in pages. */
  'export.metrics.v1': MetricExporter;
  /** All compat spans, in pages. */
  'export.compat.v1': TraceExporter<CompatSpan>;
  /** All native segments, in pages. */
  'export.native.v1': TraceExporter<Segment>;
  /** All OTLP spans, in pages. */
  'export.otlp.v1': TraceExporter<OtlpSpan>;
}

export type CapabilityName = keyof Capabilities;

/** What an adapter supplies. A key with the value `undefined` counts as absent. */
export type Readers = {readonly [Name in CapabilityName]?: Capabilities[Name]};

/** The members that every reader has. */
type Required<Reader> = {[Key in keyof Reader]-?: object extends Pick<Reader, Key> ? never : Key}[keyof Reader];

/** How a method answers: piece by piece, as lists and exports do, or once. */
export type MethodShape<Method> = Method extends (...parameters: never[]) => AsyncIterable<unknown>
  ? 'pieces'
  : 'whole';

/**
 * The methods of each capability's reader or writer, each with how it answers. The host looks for them when the adapter has
 * started, and refuses one that lacks any, or that supplies a name which is not here. Optional ones are not listed.
 */
export const CAPABILITY_METHODS: {
  readonly [Name in CapabilityName]: {
    readonly [Method in Required<Capabilities[Name]>]: MethodShape<Capabilities[Name][Method]>;
  };
} = {
  'metrics.query.v1': {
    catalog: 'whole',
    values: 'whole',
    ranking: 'whole',
    sampledRecords: 'whole',
    valueLabels: 'whole',
  },
  'metadata.query.v1': {layers: 'whole', services: 'pieces', instances: 'pieces', endpoints: 'pieces'},
  'topology.query.v1': {relations: 'whole'},
  'traces.compat.v1': {trace: 'whole', search: 'pieces', tagKeys: 'whole', attributeValues: 'whole'},
  'traces.native.v2': {trace: 'whole', search: 'pieces', tagKeys: 'whole', attributeValues: 'whole'},
  'traces.otlp.v1': {trace: 'whole', search: 'pieces', tagKeys: 'whole', attributeValues: 'whole'},
  'ingest.metrics.v1': {declared: 'whole', write: 'whole'},
  'ingest.compat.v1': {write: 'whole'},
  'ingest.native.v1': {write: 'whole'},
  'ingest.otlp.v1': {write: 'whole'},
  'ingest.history.v1': {write: 'whole'},
  'export.metrics.v1': {pages: 'pieces'},
  'export.compat.v1': {pages: 'pieces'},
  'export.native.v1': {pages: 'pieces'},
  'export.otlp.v1': {pages: 'pieces'},
};

/** Every capability that this version of the gateway knows, in the order of its documentation. */
export const CAPABILITY_NAMES = Object.keys(CAPABILITY_METHODS) as readonly CapabilityName[];

import type {
  AttributeValuesRequest,
  Call,
  CapabilityName,
  CompatSpan,
  CompatTrace,
  NativeTrace,
  OtlpFilter,
  OtlpSearchRequest,
  Readers,
  Segment,
  SpanKind,
  SpanStatus,
  TagKeysRequest,
} from '../../../core/api/adapter.js';
import {compatSpanView, matchesSpan, nativeSpanView} from '../../../core/api/adapter.js';
import {call} from '../call.js';
import {unordered} from '../comparable.js';
import type {DataSet, LayoutLimit} from '../options.js';
import type {Subject} from '../subject.js';

/** A span that all kinds of traces can hold. */
export interface CommonSpan {
  /** Of its trace. Greater numbers are later in the order of ids. */
  readonly trace: number;
  /** Unique in its trace. */
  readonly span: number;
  /** Milliseconds since the epoch. */
  readonly start: number;
  /** Milliseconds. */
  readonly duration: number;
  readonly service: string;
  /** Lower case. */
  readonly name: string;
  readonly kind: Extract<SpanKind, 'SERVER' | 'CLIENT' | 'INTERNAL' | 'UNSPECIFIED'>;
  readonly error: boolean;
  readonly tags: Readonly<Record<string, string>>;
}

/** What all kinds can be asked in the same way; `tagKeys` and `attributeValues` are those of spans, as text. */
export interface KitTraceReader<Trace> {
  trace(id: string, call: Call): Promise<Trace | undefined>;
  search(request: OtlpSearchRequest, call: Call): AsyncIterable<Trace>;
  tagKeys(request: Wide<TagKeysRequest>, call: Call): Promise<readonly string[]>;
  attributeValues(request: Wide<AttributeValuesRequest>, call: Call): Promise<readonly string[]>;
}

/** With conditions of every kind. */
type Wide<Request> = Omit<Request, 'filter'> & {readonly filter: OtlpFilter};

/** One kind of traces: what the same test does differently for each. */
export interface TraceFormat<Fragment, Trace> {
  readonly name: 'compat' | 'native' | 'otlp';
  readonly query: CapabilityName;
  readonly ingest: CapabilityName;
  /** Of a span that is no error. */
  readonly fine: SpanStatus;
  reader(subject: Subject): KitTraceReader<Trace>;
  of(readers: Required<Readers>): KitTraceReader<Trace>;
  write(subject: Subject, fragments: readonly Fragment[]): Promise<void>;
  data(batches: readonly (readonly Fragment[])[]): DataSet;
  fragment(span: CommonSpan): Fragment;
  id(trace: number): string;
  idOf(trace: Trace): string;
  fragmentsOf(trace: Trace): readonly Fragment[];
  /** The fragments of a group's data. */
  fragmentsIn(data: DataSet): readonly Fragment[];
  /** As what a storage with limits holds spans of a kind. */
  representableKind(kind: SpanKind, limits: readonly LayoutLimit[] | undefined): SpanKind;
  /** As it is compared, where its types would not tell all. */
  shown?(fragment: Fragment): unknown;
  matches(filter: OtlpFilter, window: {readonly from: number; readonly to: number}, trace: Trace): boolean;
}

const COMPAT_KINDS = {SERVER: 'SERVER', CLIENT: 'CLIENT', INTERNAL: 'ODD', UNSPECIFIED: undefined} as const;

export const compat: TraceFormat<CompatSpan, CompatTrace> = {
  name: 'compat',
  query: 'traces.compat.v1',
  ingest: 'ingest.compat.v1',
  fine: 'UNSET',
  reader: subject => subject.compat,
  of: readers => readers['traces.compat.v1'],
  write: (subject, spans) => subject.spanWriter.write(spans, call),
  data: spans => ({spans}),
  fragment: ({trace, span, start, duration, service, name, kind, error, tags}) => ({
    traceId: compat.id(trace),
    id: span.toString(16).padStart(16, '0'),
    ...(COMPAT_KINDS[kind] && {kind: COMPAT_KINDS[kind]}),
    ...(name !== '' && {name}),
    timestamp: start * 1000,
    ...(duration > 0 && {duration: duration * 1000}),
    ...(service !== '' && {localEndpoint: {serviceName: service}}),
    annotations: [],
    tags: new Map(Object.entries(error ? {...tags, error: 'true'} : tags).sort(([a], [b]) => (a < b ? -1 : 1))),
  }),
  id: trace => trace.toString(16).padStart(16, '0'),
  idOf: ({traceId}) => traceId,
  fragmentsOf: ({spans}) => spans,
  fragmentsIn: ({spans = []}) => spans.flat(),
  representableKind: (kind, limits = []) =>
    kind === 'INTERNAL' && limits.includes('compat-kinds') ? 'UNSPECIFIED' : kind,
  matches: (filter, {from, to}, {spans}) =>
    spans.some(
      span =>
        span.timestamp !== undefined &&
        span.timestamp >= from &&
        span.timestamp < to &&
        matchesSpan(filter, compatSpanView(span)),
    ),
};

const NATIVE_TYPES = {SERVER: 'Entry', CLIENT: 'Exit', INTERNAL: 'Local', UNSPECIFIED: ''} as const;

export const native: TraceFormat<Segment, NativeTrace> = {
  name: 'native',
  query: 'traces.native.v2',
  ingest: 'ingest.native.v1',
  fine: 'OK',
  reader: subject => subject.native,
  of: readers => readers['traces.native.v2'],
  write: (subject, segments) => subject.segmentWriter.write(segments, call),
  data: segments => ({segments}),
  fragment: ({trace, span, start, duration, service, name, kind, error, tags}) => ({
    traceId: native.id(trace),
    traceSegmentId: `${native.id(trace)}.${span}`,
    layer: 'GENERAL',
    service,
    serviceInstance: `${service}-1`,
    spans: [
      {
        spanId: 0,
        parentSpanId: -1,
        startTime: start,
        endTime: start + duration,
        operationName: name,
        peer: '',
        spanType: NATIVE_TYPES[kind],
        spanLayer: 'Http',
        componentId: 1,
        isError: error,
        skipAnalysis: false,
        // The tag is what makes the status of a compat span, and is listed among the tags of both.
        tags: Object.entries(error ? {...tags, error: 'true'} : tags).map(([key, value]) => ({key, value})),
        logs: [],
        refs: [],
        attachedEvents: [],
      },
    ],
  }),
  id: trace => `kit.${trace.toString(16).padStart(16, '0')}`,
  idOf: ({traceId}) => traceId,
  fragmentsOf: ({segments}) => segments,
  fragmentsIn: ({segments = []}) => segments.flat(),
  representableKind: (kind, limits = []) =>
    kind === 'UNSPECIFIED' && limits.includes('native-words') ? 'INTERNAL' : kind,
  matches: (filter, {from, to}, {segments}) =>
    segments.some(segment =>
      segment.spans.some(
        span =>
          span.startTime * 1000 >= from &&
          span.startTime * 1000 < to &&
          matchesSpan(filter, nativeSpanView(segment, span)),
      ),
    ),
};

/** A trace as it is compared: its fragments in no order. */
export function comparableTrace<Fragment, Trace>(
  kind: TraceFormat<Fragment, Trace>,
  trace: Trace | undefined,
): unknown {
  if (trace === undefined) return undefined;
  return comparableFragments(kind.idOf(trace), kind.fragmentsOf(trace), kind);
}

export function comparableFragments<Fragment>(
  id: string,
  fragments: readonly Fragment[],
  {shown = fragment => fragment}: {shown?(fragment: Fragment): unknown} = {},
): unknown {
  return {id, fragments: unordered(fragments.map(fragment => shown(fragment)))};
}

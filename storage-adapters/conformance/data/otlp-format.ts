import {
  matchesSpan,
  type OtlpSpan,
  type OtlpTrace,
  type OtlpTraceReader,
  type OtlpValue,
  otlpSpanView,
  otlpStart,
  type TypedText,
} from '../../../core/api/adapter.js';
import {call} from '../call.js';
import {otlpSpan, resourceOf} from './otlp-spans.js';
import type {KitTraceReader, TraceFormat} from './trace-formats.js';

const KINDS = {UNSPECIFIED: 0, INTERNAL: 1, SERVER: 2, CLIENT: 3} as const;

export const otlp: TraceFormat<OtlpSpan, OtlpTrace> = {
  name: 'otlp',
  query: 'traces.otlp.v1',
  ingest: 'ingest.otlp.v1',
  fine: 'UNSET',
  reader: subject => untyped(subject.otlp),
  of: readers => untyped(readers['traces.otlp.v1']),
  write: (subject, spans) => subject.otlpWriter.write(spans, call),
  data: otlpSpans => ({otlpSpans}),
  fragment: ({trace, span, start, duration, service, name, kind, error, tags}) =>
    otlpSpan(otlp.id(trace), span, {
      name,
      kind: KINDS[kind],
      startTime: BigInt(start) * 1_000_000n,
      endTime: BigInt(start + duration) * 1_000_000n,
      attributes: Object.entries(error ? {...tags, error: 'true'} : tags).map(([key, value]) => ({key, value})),
      status: {code: error ? 2 : 0, message: ''},
      resource: resourceOf(service),
    }),
  id: trace => trace.toString(16).padStart(32, '0'),
  idOf: ({traceId}) => traceId,
  fragmentsOf: ({spans}) => spans,
  fragmentsIn: ({otlpSpans = []}) => otlpSpans.flat(),
  representableKind: kind => kind,
  shown: shownSpan,
  matches: (filter, {from, to}, {spans}) =>
    spans.some(span => {
      const start = otlpStart(span);
      return start !== undefined && start >= from && start < to && matchesSpan(filter, otlpSpanView(span));
    }),
};

/** For the tests that are the same for every kind, which know text alone. */
function untyped(reader: OtlpTraceReader): KitTraceReader<OtlpTrace> {
  return {
    trace: (id, by) => reader.trace(id, by),
    search: (request, by) => reader.search(request, by),
    tagKeys: (request, by) => reader.tagKeys({...request, scope: 'span'}, by),
    attributeValues: async (request, by) => (await reader.attributeValues(request, by)).map(textOf),
  };
}

/** With its type, but for text. */
const textOf = ({type, text}: TypedText): string => (type === 'string' ? text : `${type} ${text}`);

type Shown = {readonly [key: string]: unknown};

/** Values with their types, which comparing by content would lose: a number from bytes, a zero from its negative. */
function shownSpan(span: OtlpSpan): unknown {
  const shown = (value: OtlpValue): unknown => {
    if (typeof value === 'number') return {double: Object.is(value, -0) ? '-0' : String(value)};
    if (value instanceof Uint8Array) return {bytes: Buffer.from(value).toString('hex')};
    if (typeof value !== 'object' || value === null) return value;
    return Array.isArray(value)
      ? {array: value.map(shown)}
      : list((value as {entries: OtlpSpan['attributes']}).entries);
  };
  const list = (entries: OtlpSpan['attributes']): unknown => ({
    list: entries.map(({key, value}) => [key, shown(value)]),
  });
  const within = <Of extends {readonly attributes: OtlpSpan['attributes']}>({attributes, ...rest}: Of): Shown => {
    return {...rest, attributes: list(attributes)};
  };
  return {
    ...within(span),
    events: span.events.map(within),
    links: span.links.map(within),
    resource: within(span.resource),
    scope: within(span.scope),
  };
}

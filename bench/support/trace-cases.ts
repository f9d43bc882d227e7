import type {Attribute, Call, CapabilityName, Readers, SpanFilter, TraceReader} from '../../core/api/adapter.js';
import {
  compatTraceId,
  largeTrace,
  nativeTraceId,
  SPANS_PER_TRACE,
  type TraceShape,
  tagKey,
  tagValue,
  traceService,
} from './trace-dataset.js';

export type TraceKindName = 'compat' | 'native';

export const TRACE_KINDS: readonly TraceKindName[] = ['compat', 'native'];

/** One question about traces, asked of the gateway and of the adapter itself. */
export interface TraceCase {
  readonly name: string;
  /** The paths of `variants` different requests below the plugin's prefix. */
  readonly gateway: readonly string[];
  /** The read that the gateway does for variant `index`. */
  readonly direct: (readers: Readers, index: number, call: Call) => Promise<unknown>;
  readonly headers?: Readonly<Record<string, string>>;
}

const VARIANTS = 200;
const LIMIT = 20;
const SECOND = 1_000_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;

function readerOf(readers: Readers, kind: TraceKindName): TraceReader<unknown> {
  const name = (kind === 'compat' ? 'traces.compat.v1' : 'traces.native.v2') satisfies CapabilityName;
  const reader: TraceReader<unknown> | undefined = readers[name];
  if (reader === undefined) throw new Error(`the adapter supplies no ${name}`);
  return reader;
}

/** Takes traces until the limit, as a plugin does. */
async function take(traces: AsyncIterable<unknown>): Promise<number> {
  let count = 0;
  for await (const trace of traces) if (trace !== undefined && ++count === LIMIT) break;
  return count;
}

/** The cases of the trace queries. Windows of an hour walk through the day. */
export function traceCases(kind: TraceKindName, shape: TraceShape): readonly TraceCase[] {
  const variants = Array.from({length: VARIANTS}, (_, i) => i);
  const begin = shape.start * 1000;
  const end = begin + shape.hours * HOUR;
  const hourOf = (i: number) => {
    const from = begin + Math.floor((((i * 37) % VARIANTS) / VARIANTS) * (shape.hours - 1)) * HOUR + 600 * SECOND;
    return {from, to: from + HOUR};
  };
  const day = {from: begin, to: end};
  const nearLarge = begin - 0.1 * shape.hours * HOUR - MINUTE;
  const large = {from: nearLarge, to: nearLarge + HOUR};
  const idOf = (index: number) => {
    const id = kind === 'compat' ? compatTraceId(index) : Buffer.from(nativeTraceId(index)).toString('hex');
    return {id: kind === 'compat' ? id : nativeTraceId(index), path: `/api/v2/traces/${id}`};
  };
  const anyTrace = (i: number) => (i * 7919) % shape.traces;
  const seconds = ({from, to}: {from: number; to: number}) =>
    `start=${Math.floor(from / SECOND)}&end=${Math.floor(to / SECOND) - 1}`;
  const search = (i: number, window: {from: number; to: number}, q: string) =>
    `/api/search?q=${encodeURIComponent(q)}&limit=${LIMIT}&${seconds(window)}&i=${i}`;

  const selective = (i: number): SpanFilter => [
    {on: 'service', value: traceService(i % shape.services)},
    {on: 'tag', key: tagKey(i % 40), value: tagValue(i % 50)},
    {on: 'duration', is: '>', value: 5000},
  ];
  const byTag = (i: number): SpanFilter => [{on: 'tag', key: tagKey(i % 40), value: tagValue(i % 50)}];
  const nothing = (i: number): SpanFilter => [
    {on: 'service', value: traceService(i % shape.services)},
    {on: 'name', value: `get:/resource-${(i + 1) % shape.services}/1`},
  ];
  const tag = (i: number): Attribute => ({of: 'tag', key: tagKey(i % 40)});
  const text = (filter: SpanFilter): string =>
    `{${filter
      .map(condition => {
        if (condition.on === 'service') return `resource.service.name="${condition.value}"`;
        if (condition.on === 'tag') return `span.${condition.key}="${condition.value}"`;
        if (condition.on === 'duration') return `duration>${condition.value}us`;
        return `name="${condition.value}"`;
      })
      .join(' && ')}}`;
  const searching = (
    name: string,
    filter: (i: number) => SpanFilter,
    window: (i: number) => {from: number; to: number},
  ) => ({
    name,
    gateway: variants.map(i => search(i, window(i), text(filter(i)))),
    direct: (readers: Readers, i: number, call: Call) =>
      take(readerOf(readers, kind).search({filter: filter(i), ...window(i), matching: true}, call)),
  });

  return [
    {
      name: `trace by id, ${SPANS_PER_TRACE} spans`,
      gateway: variants.map(i => idOf(anyTrace(i)).path),
      direct: (readers, i, call) => readerOf(readers, kind).trace(idOf(anyTrace(i)).id, call),
    },
    ...(['JSON', 'protobuf'] as const).map(form => ({
      name: `trace by id, ${shape.large} spans, ${form}`,
      gateway: [idOf(largeTrace(shape)).path],
      headers: {accept: `application/${form.toLowerCase()}`},
      direct: (readers: Readers, _: number, call: Call) =>
        readerOf(readers, kind).trace(idOf(largeTrace(shape)).id, call),
    })),
    searching('search service + tag + duration, 1 h', selective, hourOf),
    searching(`search by tag that finds a trace of ${shape.large} spans, 1 h`, byTag, () => large),
    searching('search everything, 1 h', () => [], hourOf),
    searching('search by tag, 24 h', byTag, () => day),
    searching('search that matches nothing, 24 h', nothing, () => day),
    {
      name: 'minDuration that matches nothing, 24 h',
      gateway: variants.map(i => `/api/search?minDuration=${2 + i}h&limit=${LIMIT}&${seconds(day)}`),
      direct: (readers, i, call) =>
        take(readerOf(readers, kind).search({filter: [], ...day, traceDuration: {min: (2 + i) * HOUR}}, call)),
    },
    {
      name: 'tag keys, 1 h',
      gateway: variants.map(i => `/api/v2/search/tags?${seconds(hourOf(i))}`),
      direct: (readers, i, call) => readerOf(readers, kind).tagKeys({filter: [], ...hourOf(i)}, call),
    },
    {
      name: 'tag keys, 24 h',
      gateway: variants.map(i => `/api/v2/search/tags?${seconds(day)}&i=${i}`),
      direct: (readers, _, call) => readerOf(readers, kind).tagKeys({filter: [], ...day}, call),
    },
    {
      name: 'values of a tag, 1 h',
      gateway: variants.map(i => `/api/v2/search/tag/span.${tagKey(i % 40)}/values?${seconds(hourOf(i))}`),
      direct: (readers, i, call) =>
        readerOf(readers, kind).attributeValues({attribute: tag(i), filter: [], ...hourOf(i), limit: 1000}, call),
    },
    {
      name: 'values of a tag of one service, 24 h',
      gateway: variants.map(
        i =>
          `/api/v2/search/tag/span.${tagKey(i % 40)}/values?${seconds(day)}&q=${encodeURIComponent(text(selective(i).slice(0, 1)))}`,
      ),
      direct: (readers, i, call) =>
        readerOf(readers, kind).attributeValues(
          {attribute: tag(i), filter: selective(i).slice(0, 1), ...day, limit: 1000},
          call,
        ),
    },
  ];
}

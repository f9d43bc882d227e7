import type {Call} from '../api/call.js';
import type {MetricExport} from '../api/export.js';
import {otlpStart} from '../api/otlp-matching.js';
import type {OtlpSpan} from '../api/otlp-span.js';
import type {CompatSpan, Segment, TraceReader} from '../api/traces.js';
import {MICROS_PER_SECOND, MS_PER_SECOND} from '../toolkit/time.js';
import {type CopyKind, kindOf} from './kind.js';
import {visitMetrics, visitOtlpSpans, visitSegments, visitSpans} from './verify/items.js';

const metrics = kindOf<MetricExport>({
  name: 'metrics',
  title: 'metrics',
  exports: 'export.metrics.v1',
  writes: 'ingest.history.v1',
  reads: 'metrics.query.v1',
  exporter: from => from['export.metrics.v1'],
  writer: to => to['ingest.history.v1'],
  counts: ({samples, kept, records}) => ({
    samples: samples.value.length,
    'hours or days': kept.values.length,
    records: records.length,
  }),
  units: ({samples, kept, records}) => samples.value.length + kept.values.length + records.length,
  position: ({samples}) => least(samples.time),
  seen: ({sightings}) => {
    const times = sightings.map(({time}) => time);
    const first = least(times);
    return first === undefined ? undefined : [first, times.reduce((a, b) => Math.max(a, b))];
  },
  visit: visitMetrics,
  kept: content => (content.kept.values.length > 0 ? content : undefined),
  isHeld: async (from, call) => ((await from['metrics.query.v1']?.catalog(call)) ?? []).length > 0,
});

const compat = kindOf<readonly CompatSpan[]>({
  name: 'compat',
  title: 'compat traces',
  exports: 'export.compat.v1',
  writes: 'ingest.compat.v1',
  reads: 'traces.compat.v1',
  exporter: from => from['export.compat.v1'],
  writer: to => to['ingest.compat.v1'],
  counts: spans => ({'compat spans': spans.length}),
  units: spans => spans.length,
  position: spans => secondsOf(spans.at(-1)?.timestamp, MICROS_PER_SECOND),
  visit: visitSpans,
  isHeld: (from, call) => hasTraces(from['traces.compat.v1'], call),
});

const native = kindOf<readonly Segment[]>({
  name: 'native',
  title: 'native traces',
  exports: 'export.native.v1',
  writes: 'ingest.native.v1',
  reads: 'traces.native.v2',
  exporter: from => from['export.native.v1'],
  writer: to => to['ingest.native.v1'],
  counts: segments => ({segments: segments.length, 'native spans': spansOf(segments)}),
  units: spansOf,
  position: segments => secondsOf(segments.at(-1)?.spans[0]?.startTime, MS_PER_SECOND),
  visit: visitSegments,
  isHeld: (from, call) => hasTraces(from['traces.native.v2'], call),
});

const otlp = kindOf<readonly OtlpSpan[]>({
  name: 'otlp',
  title: 'traces of OTLP',
  exports: 'export.otlp.v1',
  writes: 'ingest.otlp.v1',
  reads: 'traces.otlp.v1',
  exporter: from => from['export.otlp.v1'],
  writer: to => to['ingest.otlp.v1'],
  counts: spans => ({'OTLP spans': spans.length}),
  units: spans => spans.length,
  position: spans => secondsOf(startOf(spans.at(-1)), MICROS_PER_SECOND),
  visit: visitOtlpSpans,
  isHeld: (from, call) => hasTraces(from['traces.otlp.v1'], call),
});

/** In the order in which they are copied. */
export const COPY_KINDS: readonly CopyKind[] = [metrics, compat, native, otlp];

function startOf(span: OtlpSpan | undefined): number | undefined {
  return span === undefined ? undefined : otlpStart(span);
}

function spansOf(segments: readonly Segment[]): number {
  return segments.reduce((sum, {spans}) => sum + spans.length, 0);
}

function secondsOf(time: number | undefined, perSecond: number): number | undefined {
  return time === undefined ? undefined : time / perSecond;
}

function least(times: ArrayLike<number>): number | undefined {
  let least = times[0];
  for (let i = 1; i < times.length; i++) least = Math.min(least as number, times[i] as number);
  return least;
}

/** Of all time: one is enough. */
async function hasTraces<Trace>(
  reader: {search(request: Parameters<TraceReader<Trace>['search']>[0], call: Call): AsyncIterable<Trace>} | undefined,
  call: Call,
): Promise<boolean> {
  const all = {from: 0, to: Number.MAX_SAFE_INTEGER, filter: []};
  for await (const _ of reader?.search(all, call) ?? []) return true;
  return false;
}

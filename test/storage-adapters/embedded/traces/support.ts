import type {CompatSpan, SpanFilter, TraceReader} from '../../../../core/api/adapter.js';
import {collected} from '../../support/answers.js';
import {call} from '../../support/calls.js';

/** Microseconds. */
export const START = 1_700_000_000_000_000;
export const EVER = {from: 0, to: Number.MAX_SAFE_INTEGER};

/** Span `index` of trace `trace`; each trace starts a millisecond after the one before. */
export function span(trace: number, index: number, more: Partial<CompatSpan> = {}): CompatSpan {
  return {
    traceId: (trace + 1).toString(16).padStart(16, '0'),
    id: (index + 1).toString(16).padStart(16, '0'),
    name: 'get',
    timestamp: START + trace * 1000 + index,
    duration: 10 + index,
    localEndpoint: {serviceName: `service-${trace % 7}`},
    annotations: [],
    tags: new Map([['key', `value-${trace % 13}`]]),
    ...more,
  };
}

export function spansOf(traces: number, perTrace: number, first = 0): CompatSpan[] {
  return Array.from({length: traces * perTrace}, (_, i) => span(first + Math.floor(i / perTrace), i % perTrace));
}

export function searched<Trace>(
  reader: TraceReader<Trace>,
  filter: SpanFilter = [],
  window = EVER,
): Promise<readonly Trace[]> {
  return collected(reader.search({filter, ...window}, call));
}

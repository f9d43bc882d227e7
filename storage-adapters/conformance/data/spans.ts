import type {CompatSpan, NativeSpan, Segment} from '../../../core/api/adapter.js';

/** A compat span with nothing in it but what is given. */
export function compatSpan(traceId: string, id: number, more: Partial<CompatSpan> = {}): CompatSpan {
  return {traceId, id: id.toString(16).padStart(16, '0'), annotations: [], tags: new Map(), ...more};
}

/** A native span without anything that could be left out. */
export function nativeSpan(spanId: number, startTime: number, more: Partial<NativeSpan> = {}): NativeSpan {
  return {
    spanId,
    parentSpanId: spanId - 1,
    startTime,
    endTime: startTime,
    operationName: 'work',
    peer: '',
    spanType: 'Local',
    spanLayer: 'Unknown',
    componentId: 0,
    isError: false,
    skipAnalysis: false,
    tags: [],
    logs: [],
    refs: [],
    attachedEvents: [],
    ...more,
  };
}

export function segment(
  traceId: string,
  traceSegmentId: string,
  spans: readonly NativeSpan[],
  service = 'app',
): Segment {
  return {traceId, traceSegmentId, layer: 'GENERAL', service, serviceInstance: `${service}-1`, spans};
}

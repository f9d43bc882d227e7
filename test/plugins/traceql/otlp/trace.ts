import type {ConvertedSpan, ConvertedTrace} from '../../../../plugins/traceql/otlp/model.js';

export const SPAN: ConvertedSpan = {
  spanId: '00f1',
  name: 'get /songs',
  kind: 'SERVER',
  startTimeUnixNano: '1700000040000000001',
  endTimeUnixNano: '1700000040123456789',
  attributes: [],
  events: [],
  status: {code: 'UNSET'},
};

export function traceOf(...spans: readonly Partial<ConvertedSpan>[]): ConvertedTrace {
  return {
    traceId: '0a1b',
    scope: {name: 'tracer', version: '0.1.0'},
    resources: [{serviceName: 'songs', spans: spans.map(span => ({...SPAN, ...span}))}],
  };
}

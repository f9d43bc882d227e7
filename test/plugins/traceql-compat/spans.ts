import fc from 'fast-check';
import type {CompatSpan, CompatTrace} from '../../../core/api/plugin.js';

export const TRACE_ID = '00f198ee56343ba864fe8b2a57d3eff7';

export const SPAN: CompatSpan = {
  traceId: TRACE_ID,
  id: '64fe8b2a57d3eff7',
  kind: 'SERVER',
  name: 'get /songs',
  timestamp: 1_700_000_040_123_457,
  duration: 2_345,
  localEndpoint: {serviceName: 'songs'},
  annotations: [],
  tags: new Map(),
};

/** What a span has other than `SPAN`; a key that is undefined is left out. */
export type SpanChange = {readonly [Key in keyof CompatSpan]?: CompatSpan[Key] | undefined};

export function compatTrace(...spans: readonly SpanChange[]): CompatTrace {
  return {traceId: TRACE_ID, spans: spans.map(changed)};
}

/** `SPAN` but for the change. */
export function changed(change: SpanChange): CompatSpan {
  const entries = Object.entries({...SPAN, ...change}).filter(([, value]) => value !== undefined);
  return Object.fromEntries(entries) as unknown as CompatSpan;
}

const text = fc.string({unit: 'binary', maxLength: 8});
const key = fc.oneof(
  fc.constantFrom('http.method', 'error', 'otel.status_code', 'otel.status_description', 'peer.service', '__proto__'),
  text.filter(name => !/^\d+$/.test(name)),
);
const value = fc.oneof(fc.constantFrom('', 'true', 'OK', 'STATUS_CODE_ERROR'), text);
const micros = fc.oneof(fc.constantFrom(1, 1_700_000_040_123_457, Number.MAX_SAFE_INTEGER), fc.maxSafeNat());
const hexId = fc.constantFrom('0000000000000001', '64fe8b2a57d3eff7', 'ffffffffffffffff');
const endpoint = fc.record(
  {
    serviceName: text.filter(name => name !== ''),
    ipv4: fc.ipV4(),
    ipv6: fc.ipV6(),
    port: fc.integer({min: 1, max: 65_535}),
  },
  {requiredKeys: []},
);

/** Traces of any spans that can be stored, not only sensible ones. */
export const anyCompatTrace: fc.Arbitrary<CompatTrace> = fc
  .array(
    fc.record(
      {
        traceId: fc.constant(TRACE_ID),
        id: hexId,
        parentId: hexId,
        kind: fc.constantFrom('CLIENT', 'SERVER', 'PRODUCER', 'CONSUMER', 'OTHER'),
        name: text,
        timestamp: micros,
        duration: micros,
        localEndpoint: endpoint,
        remoteEndpoint: endpoint,
        annotations: fc.array(fc.record({timestamp: micros, value: text}), {maxLength: 3}),
        tags: fc.dictionary(key, value, {maxKeys: 5}).map(tags => new Map(Object.entries(tags))),
        shared: fc.boolean(),
      },
      {requiredKeys: ['traceId', 'id', 'annotations', 'tags']},
    ),
    {maxLength: 6},
  )
  .map(spans => ({traceId: TRACE_ID, spans}));

import fc from 'fast-check';
import type {
  CompatSpan,
  NativeSpan,
  OtlpAttribute,
  OtlpSpan,
  OtlpValue,
  Segment,
  SpanCondition,
  SpanFilter,
} from '../../../core/api/adapter.js';
import {otlpSpan as emptyOtlpSpan} from '../../core/api/otlp-spans.js';

/** Generated spans and segments, from few words so that they meet often. Milliseconds. */
export const START = Math.floor(1_700_000_000_000 / 3_600_000) * 3_600_000;

const words = ['a', 'b', '', 'name', '\u{1F600}', '\uFF5E'];
const word = fc.constantFrom(...words);
const key = fc.constantFrom('http.method', 'name', 'error', 'otel.status_code', '', '\u{1F600}');
const tagValue = fc.oneof(word, fc.constantFrom('true', 'ERROR', 'ok'));

/** Near the edges of hours and of five minutes, and anywhere within some. */
export const time = fc.oneof(
  fc.integer({min: 0, max: 4 * 3_600_000}),
  fc.constantFrom(-1, 0, 1, 299_999, 300_000, 3_599_999, 3_600_000, 7_200_000),
  fc.integer({min: 1_000_000, max: 1_000_020}),
);

const traceId = fc.constantFrom(
  ...Array.from({length: 12}, (_, i) => (i + 1).toString(16).padStart(i % 3 === 0 ? 32 : 16, i % 3 === 0 ? 'f' : '0')),
);

const optional = <T>(arbitrary: fc.Arbitrary<T>) => fc.option(arbitrary, {nil: undefined, freq: 4});

export const compatSpan: fc.Arbitrary<CompatSpan> = fc
  .record({
    traceId,
    id: fc.integer({min: 1, max: 3}),
    kind: optional(fc.constantFrom('CLIENT', 'SERVER', 'ODD')),
    name: optional(word.filter(text => text !== '')),
    timestamp: optional(time),
    duration: optional(fc.integer({min: 1, max: 5_000})),
    service: optional(word.filter(text => text !== '')),
    shared: optional(fc.boolean()),
    tags: fc.dictionary(key, tagValue, {maxKeys: 3, noNullPrototype: true}),
    annotations: fc.array(fc.record({timestamp: time, value: word}), {maxLength: 2}),
  })
  .map(({id, service, timestamp, tags, ...rest}) => {
    const span = {
      ...rest,
      id: id.toString(16).padStart(16, '0'),
      tags: new Map(Object.entries(tags)),
      ...(timestamp === undefined ? {} : {timestamp: (START + timestamp) * 1000}),
      ...(service === undefined ? {} : {localEndpoint: {serviceName: service, port: 80}}),
    };
    return Object.fromEntries(Object.entries(span).filter(([, value]) => value !== undefined)) as unknown as CompatSpan;
  });

const pairs = (arbitrary: fc.Arbitrary<string>) =>
  fc.array(fc.record({key: arbitrary, value: tagValue}), {maxLength: 3});

const nativeSpan: fc.Arbitrary<NativeSpan> = fc
  .record({
    startTime: time,
    length: fc.integer({min: -2, max: 5}),
    operationName: word,
    spanType: fc.constantFrom('Entry', 'Exit', 'Local', ''),
    isError: fc.boolean(),
    tags: pairs(key),
    logs: fc.array(fc.record({time, data: pairs(word)}), {maxLength: 1}),
    component: optional(word),
    seconds: fc.bigInt({min: 0n, max: 2n ** 63n - 1n}),
    nanos: fc.nat(999_999_999),
  })
  .map(({startTime, length, component, seconds, nanos, ...rest}) => ({
    ...rest,
    ...(component === undefined ? {} : {component}),
    spanId: 0,
    parentSpanId: -1,
    startTime: START + startTime,
    endTime: START + startTime + length,
    peer: 'peer',
    spanLayer: 'Http',
    componentId: 3,
    skipAnalysis: false,
    refs: [],
    attachedEvents: [
      {
        startTime: {seconds, nanos},
        endTime: {seconds, nanos},
        event: 'e',
        tags: rest.tags,
        summary: [{key: 'n', value: seconds}],
      },
    ],
  }));

export const segment: fc.Arbitrary<Segment> = fc
  .record({
    traceId: fc.constantFrom('t.1', 'T.1', ' t.1', '0t.1', '\u{1F600}', '\uFF5E', 'x'.repeat(300)),
    traceSegmentId: fc.constantFrom('s1', 's2', 'S1'),
    layer: fc.constant('GENERAL'),
    service: word,
    serviceInstance: word,
    spans: fc.array(nativeSpan, {minLength: 1, maxLength: 3}),
  })
  .map(({spans, ...rest}) => ({...rest, spans: spans.map((span, spanId) => ({...span, spanId}))}));

const otlpAttributes: fc.Arbitrary<readonly OtlpAttribute[]> = fc.array(
  fc.record({key, value: fc.oneof(tagValue, fc.constantFrom<OtlpValue>(1n, 1, true, null, -0, ['a'], 'b'))}),
  {maxLength: 3},
);

export const otlpSpan: fc.Arbitrary<OtlpSpan> = fc
  .record({
    traceId: traceId.map(id => id.padStart(32, '0')),
    id: fc.integer({min: 1, max: 3}),
    parent: fc.integer({min: 0, max: 3}),
    name: word,
    kind: fc.integer({min: 0, max: 6}),
    start: optional(time),
    nanos: fc.constantFrom(0n, 1n, 999n, 1000n),
    length: fc.constantFrom(-1n, 0n, 1n, 999n, 1000n, 5_000_000n),
    service: word,
    attributes: otlpAttributes,
    ofResource: otlpAttributes,
    code: fc.integer({min: 0, max: 3}),
  })
  .map(({traceId, id, parent, name, kind, start, nanos, length, service, attributes, ofResource, code}) => {
    const spanId = (number: number) => number.toString(16).padStart(16, '0');
    const startTime = start === undefined ? 0n : BigInt(START + start) * 1_000_000n + nanos;
    const named = {key: 'service.name', value: service};
    return emptyOtlpSpan({
      traceId,
      spanId: spanId(id),
      ...(parent > 0 && {parentSpanId: spanId(parent)}),
      name,
      kind,
      startTime,
      endTime: startTime === 0n ? 0n : startTime + length,
      attributes,
      status: {code, message: ''},
      resource: {attributes: [named, ...ofResource], droppedAttributesCount: 0, schemaUrl: ''},
    });
  });

const condition: fc.Arbitrary<SpanCondition> = fc.oneof(
  fc.record({on: fc.constantFrom('service', 'name'), value: word}),
  fc.record({on: fc.constant('name-or-tag'), name: word, value: tagValue}),
  fc.record({on: fc.constant('tag'), key, value: tagValue}),
  fc.record({on: fc.constant('kind'), value: fc.constantFrom('UNSPECIFIED', 'INTERNAL', 'SERVER', 'CLIENT')}),
  fc.record({on: fc.constant('status'), value: fc.constantFrom('UNSET', 'OK', 'ERROR')}),
  fc.record({
    on: fc.constant('duration'),
    is: fc.constantFrom('=', '>', '>=', '<', '<='),
    value: fc.oneof(fc.integer({min: -2000, max: 5_000}), fc.constantFrom(0, 1, 1000, 0.5)),
  }),
) as fc.Arbitrary<SpanCondition>;

export const filter: fc.Arbitrary<SpanFilter> = fc.array(condition, {maxLength: 3});

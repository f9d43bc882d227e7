import fc from 'fast-check';
import type {
  OtlpAttribute,
  OtlpEvent,
  OtlpLink,
  OtlpResource,
  OtlpScope,
  OtlpSpan,
  OtlpValue,
} from '../../core/api/adapter.js';

/** Spans of OTLP with everything that the protocol allows, few of them alike. */

const text = fc.oneof(fc.string({unit: 'grapheme'}), fc.constantFrom('', 'service.name', '\u{1F600}', 'a\0b'));
const hex = (bytes: number) =>
  fc.uint8Array({minLength: bytes, maxLength: bytes}).map(id => Buffer.from(id).toString('hex'));
/** Also with zeros at both ends. */
const id = (bytes: number) =>
  fc
    .oneof(hex(bytes), fc.constantFrom('f'.repeat(2 * bytes), '1'.padStart(2 * bytes, '0'), '1'.padEnd(2 * bytes, '0')))
    .filter(digits => /[^0]/.test(digits));
const uint32 = fc.oneof(fc.constantFrom(0, 1, 2 ** 31, 2 ** 32 - 1), fc.nat(300));
const int32 = fc.oneof(fc.constantFrom(-(2 ** 31), -1, 0, 1, 2, 3, 4, 5, 6, 2 ** 31 - 1), fc.integer());
const time = fc.oneof(fc.constantFrom(0n, 1n, 2n ** 63n, 2n ** 64n - 1n), fc.bigInt({min: 0n, max: 2n ** 64n - 1n}));

const scalar: fc.Arbitrary<OtlpValue> = fc.oneof(
  text,
  fc.boolean(),
  fc.bigInt({min: -(2n ** 63n), max: 2n ** 63n - 1n}),
  fc.constantFrom<OtlpValue>(-(2n ** 63n), 2n ** 53n + 1n, 127n, 128n, -1n, 0n),
  fc.double(),
  fc.constantFrom<OtlpValue>(Number.NaN, -0, Number.POSITIVE_INFINITY, null),
  fc.uint8Array({maxLength: 40}),
);

const {value} = fc.letrec<{value: OtlpValue}>(tie => ({
  value: fc.oneof(
    {maxDepth: 4, depthSize: 'small'},
    scalar,
    fc.array(tie('value'), {maxLength: 3}),
    fc.array(fc.record({key: text, value: tie('value')}), {maxLength: 3}).map(entries => ({entries})),
  ),
}));

const attributes: fc.Arbitrary<readonly OtlpAttribute[]> = fc.array(fc.record({key: text, value}), {maxLength: 4});

const event: fc.Arbitrary<OtlpEvent> = fc.record({time, name: text, attributes, droppedAttributesCount: uint32});

const link: fc.Arbitrary<OtlpLink> = fc.record({
  traceId: fc.oneof(hex(16), hex(0), hex(3)),
  spanId: fc.oneof(hex(8), hex(0), hex(40)),
  traceState: text,
  attributes,
  droppedAttributesCount: uint32,
  flags: uint32,
});

const resource: fc.Arbitrary<OtlpResource> = fc.record({attributes, droppedAttributesCount: uint32, schemaUrl: text});

const scope: fc.Arbitrary<OtlpScope> = fc.record({
  name: text,
  version: text,
  attributes,
  droppedAttributesCount: uint32,
  schemaUrl: text,
});

const body = {
  traceState: text,
  flags: uint32,
  name: text,
  kind: int32,
  startTime: time,
  endTime: time,
  attributes,
  droppedAttributesCount: uint32,
  events: fc.array(event, {maxLength: 2}),
  droppedEventsCount: uint32,
  links: fc.array(link, {maxLength: 2}),
  droppedLinksCount: uint32,
  status: fc.record({code: int32, message: text}),
};

const parent = fc.option(id(8), {nil: undefined});

const withParent = <Span extends object>({parentSpanId, ...span}: Span & {parentSpanId: string | undefined}) =>
  parentSpanId === undefined ? span : {...span, parentSpanId};

/** Any span. */
export const anyOtlpSpan: fc.Arbitrary<OtlpSpan> = fc
  .record({...body, traceId: id(16), spanId: id(8), parentSpanId: parent, resource, scope})
  .map(span => withParent(span) as OtlpSpan);

/** The spans of one trace, under few resources and scopes: some of them the same object, some only alike. */
export const anyOtlpTrace: fc.Arbitrary<readonly OtlpSpan[]> = fc
  .record({
    traceId: id(16),
    resources: fc.array(resource, {minLength: 1, maxLength: 2}),
    scopes: fc.array(scope, {minLength: 1, maxLength: 2}),
    spans: fc.uniqueArray(fc.record({...body, spanId: id(8), parentSpanId: parent, of: fc.nat(), by: fc.nat()}), {
      selector: ({spanId}) => spanId,
      minLength: 1,
      maxLength: 5,
    }),
  })
  .map(({traceId, resources, scopes, spans}) =>
    spans.map(({of, by, ...span}) => {
      const resource = resources[of % resources.length] as OtlpResource;
      const scope = scopes[by % scopes.length] as OtlpScope;
      return {...withParent(span), traceId, resource: of % 3 === 0 ? {...resource} : resource, scope} as OtlpSpan;
    }),
  );

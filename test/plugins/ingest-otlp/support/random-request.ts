import fc from 'fast-check';
import type {OtlpAttribute, OtlpEvent, OtlpLink, OtlpSpan, OtlpValue} from '../../../../core/api/plugin.js';

/**
 * Random requests, as the spans that they have: all types of values, nested, at the borders of their ranges.
 */

const text = fc.oneof(
  {weight: 4, arbitrary: fc.string({unit: 'grapheme', maxLength: 12})},
  {weight: 1, arbitrary: fc.constantFrom('', '\0', '\ufffd', '"\\\n\u2028', 'x'.repeat(70), 'é'.repeat(40))},
);

const uint32 = fc.oneof(fc.constantFrom(0, 1, 2 ** 31, 2 ** 32 - 1), fc.integer({min: 0, max: 2 ** 32 - 1}));
const int32 = fc.oneof(fc.integer({min: 0, max: 5}), fc.constantFrom(-1, -(2 ** 31), 2 ** 31 - 1));
const uint64 = fc.oneof(fc.bigInt({min: 0n, max: 2n ** 64n - 1n}), fc.constantFrom(0n, 2n ** 63n, 2n ** 64n - 1n));
const int64 = fc.oneof(
  fc.bigInt({min: -(2n ** 63n), max: 2n ** 63n - 1n}),
  fc.constantFrom(0n, 200n, -1n, 2n ** 53n + 1n, -(2n ** 63n), 2n ** 63n - 1n),
);

function hex(least: number, most = least): fc.Arbitrary<string> {
  return fc.uint8Array({minLength: least, maxLength: most}).map(bytes => Buffer.from(bytes).toString('hex'));
}

const isZero = (id: string): boolean => /^0*$/.test(id);

const leaf: fc.Arbitrary<OtlpValue> = fc.oneof(
  text,
  fc.boolean(),
  int64,
  fc.double(),
  fc.uint8Array({maxLength: 12}),
  fc.constant(null),
);

const {value} = fc.letrec<{value: OtlpValue}>(tie => ({
  value: fc.oneof(
    {depthSize: 'small', withCrossShrink: true},
    leaf,
    fc.array(tie('value'), {maxLength: 3}),
    fc.array(fc.record({key: text, value: tie('value')}), {maxLength: 3}).map(entries => ({entries})),
  ),
}));

const attributes: fc.Arbitrary<OtlpAttribute[]> = fc.array(fc.record({key: text, value}), {maxLength: 4});

const event: fc.Arbitrary<OtlpEvent> = fc.record({
  time: uint64,
  name: text,
  attributes,
  droppedAttributesCount: uint32,
});

const link: fc.Arbitrary<OtlpLink> = fc.record({
  traceId: hex(0, 20),
  spanId: hex(0, 10),
  traceState: text,
  attributes,
  droppedAttributesCount: uint32,
  flags: uint32,
});

const parent = fc.oneof(
  fc.constant({}),
  hex(8)
    .filter(id => !isZero(id))
    .map(parentSpanId => ({parentSpanId})),
);

const span = fc
  .tuple(
    fc.record({
      traceId: hex(16).filter(id => !isZero(id)),
      spanId: hex(8).filter(id => !isZero(id)),
      traceState: text,
      flags: uint32,
      name: text,
      kind: int32,
      startTime: uint64,
      endTime: uint64,
      attributes,
      droppedAttributesCount: uint32,
      events: fc.array(event, {maxLength: 3}),
      droppedEventsCount: uint32,
      links: fc.array(link, {maxLength: 2}),
      droppedLinksCount: uint32,
      status: fc.record({code: int32, message: text}),
    }),
    parent,
  )
  .map(([fields, ofParent]) => ({...fields, ...ofParent}));

const resource = fc.record({
  attributes: fc
    .tuple(attributes, text)
    .map(([others, name]) => [
      ...others.filter(({key}) => key !== 'service.name'),
      {key: 'service.name', value: `service ${name}`},
    ]),
  droppedAttributesCount: uint32,
  schemaUrl: text,
});

const scope = fc.record({name: text, version: text, attributes, droppedAttributesCount: uint32, schemaUrl: text});

/** Under one resource and scope each. */
export const spansUnder: fc.Arbitrary<readonly OtlpSpan[]> = fc
  .tuple(resource, scope, fc.array(span, {maxLength: 3}))
  .map(([ofResource, ofScope, spans]) => spans.map(each => ({...each, resource: ofResource, scope: ofScope})));

/** Of one request: those of several resources, one after the other. */
export const requestSpans: fc.Arbitrary<readonly OtlpSpan[]> = fc
  .array(spansUnder, {maxLength: 3})
  .map(each => each.flat());

/** Requests with changed bytes, or a cut end. */
export const mutatedRequests = (encode: (spans: readonly OtlpSpan[]) => Buffer): fc.Arbitrary<Buffer> =>
  fc
    .tuple(requestSpans, fc.array(fc.tuple(fc.nat(), fc.nat({max: 255})), {maxLength: 6}), fc.nat())
    .map(([spans, changes, cut]) => {
      const bytes = encode(spans);
      for (const [at, byte] of changes) if (bytes.length > 0) bytes[at % bytes.length] = byte;
      return cut % 4 === 0 && bytes.length > 0 ? bytes.subarray(0, cut % bytes.length) : bytes;
    });

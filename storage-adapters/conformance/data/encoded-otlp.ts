import type {EncodedOtlpSpans, OtlpSpan} from '../../../core/api/adapter.js';
import {attributes, otlpSpan, resourceOf} from './otlp-spans.js';

/** Fields of protobuf, written down by hand: nothing longer than 127 bytes. */
const delimited = (field: number, ...content: readonly (Uint8Array | string)[]): Buffer => {
  const bytes = Buffer.concat(content.map(one => Buffer.from(one as string)));
  return Buffer.concat([tag(field, 2), Buffer.from([bytes.length]), bytes]);
};
const varint = (field: number, value: number): Buffer => Buffer.concat([tag(field, 0), Buffer.from([value])]);
const fixed64 = (field: number, value: bigint): Buffer => {
  const bytes = Buffer.alloc(8);
  bytes.writeBigUInt64LE(value);
  return Buffer.concat([tag(field, 1), bytes]);
};
const tag = (field: number, kind: number): Buffer =>
  Buffer.from(field < 16 ? [field * 8 + kind] : [((field * 8 + kind) & 0x7f) | 0x80, (field * 8 + kind) >> 7]);

const attribute = (key: string, value: Buffer): Buffer => delimited(9, delimited(1, key), delimited(2, value));

/**
 * Spans as senders may write them, and as objects: fields in another order, a field that comes again, an id of zeros for no
 * parent, fields that nobody knows, two origins, and bytes between the spans. `time` in nanoseconds.
 */
export function encodedOtlp(traceId: string, time: bigint): {encoded: EncodedOtlpSpans; spans: readonly OtlpSpan[]} {
  const trace = delimited(1, Buffer.from(traceId, 'hex'));
  const first = Buffer.concat([
    delimited(5, 'not this name'),
    fixed64(8, time + 9n),
    fixed64(7, time + 1n),
    delimited(127, 'a field that nobody knows'),
    attribute('text', delimited(1, 'häuser')),
    attribute('int', varint(3, 7)),
    delimited(4, Buffer.alloc(8)),
    delimited(2, Buffer.from('0000000000000001', 'hex')),
    trace,
    delimited(15, varint(3, 2)),
    attribute('text', delimited(1, 'the last counts')),
    delimited(15, delimited(2, 'failed')),
    varint(6, 3),
    delimited(5, 'encoded'),
  ]);
  const second = Buffer.concat([trace, delimited(2, Buffer.from('0000000000000002', 'hex')), fixed64(7, time + 2n)]);
  const between = Buffer.from([1, 2, 3]);
  const at = between.length;
  const scope = delimited(1, 'library');
  return {
    encoded: {
      bytes: Buffer.concat([between, first, between, second]),
      spans: Uint32Array.of(1, at, at + first.length, 0, 2 * at + first.length, 2 * at + first.length + second.length),
      origins: [
        {resource: resource('other'), resourceSchemaUrl: '', scope: new Uint8Array(), scopeSchemaUrl: ''},
        {resource: resource('app'), resourceSchemaUrl: 'of the resource', scope, scopeSchemaUrl: 'of the scope'},
      ],
    },
    spans: [
      otlpSpan(traceId, 1, {
        name: 'encoded',
        kind: 3,
        startTime: time + 1n,
        endTime: time + 9n,
        attributes: [...attributes({text: 'häuser', int: 7n}), ...attributes({text: 'the last counts'})],
        status: {code: 2, message: 'failed'},
        resource: {...resourceOf('app'), schemaUrl: 'of the resource'},
        scope: {
          name: 'library',
          version: '',
          attributes: [],
          droppedAttributesCount: 0,
          schemaUrl: 'of the scope',
        },
      }),
      otlpSpan(traceId, 2, {startTime: time + 2n, resource: resourceOf('other')}),
    ],
  };
}

function resource(service: string): Uint8Array {
  return delimited(1, delimited(1, 'service.name'), delimited(2, delimited(1, service)));
}

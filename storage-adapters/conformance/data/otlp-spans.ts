import type {
  OtlpAttribute,
  OtlpEvent,
  OtlpLink,
  OtlpResource,
  OtlpScope,
  OtlpSpan,
  OtlpStatus,
  OtlpValue,
} from '../../../core/api/adapter.js';

/** Names no service where it is empty. */
export function resourceOf(service: string): OtlpResource {
  const attributes = service === '' ? [] : [{key: 'service.name', value: service}];
  return {attributes, droppedAttributesCount: 0, schemaUrl: ''};
}

/** An OTLP span with nothing in it but what is given. */
export function otlpSpan(traceId: string, id: number, more: Partial<OtlpSpan> = {}): OtlpSpan {
  return {
    traceId,
    spanId: id.toString(16).padStart(16, '0'),
    traceState: '',
    flags: 0,
    name: '',
    kind: 0,
    startTime: 0n,
    endTime: 0n,
    attributes: [],
    droppedAttributesCount: 0,
    events: [],
    droppedEventsCount: 0,
    links: [],
    droppedLinksCount: 0,
    status: {code: 0, message: ''},
    resource: resourceOf('app'),
    scope: {name: '', version: '', attributes: [], droppedAttributesCount: 0, schemaUrl: ''},
    ...more,
  };
}

/** One of every type, with what is easily lost of it, and all of them within one another. */
export const EVERY_VALUE: readonly OtlpAttribute[] = attributes({
  text: "it's \n\u{1F600}",
  empty: '',
  yes: true,
  no: false,
  int: 9_007_199_254_740_993n,
  least: -9_223_372_036_854_775_808n,
  zero: 0n,
  double: 0.1,
  whole: 200,
  minus: -0,
  nan: Number.NaN,
  infinity: Number.NEGATIVE_INFINITY,
  bytes: new Uint8Array([0, 1, 254, 255]),
  'no bytes': new Uint8Array(),
  nothing: null,
  array: ['a', 1n, 1, [true, null], new Uint8Array([7])],
  'no array': [],
  list: {
    entries: [
      {key: '9', value: {entries: [{key: '', value: ['deep']}]}},
      {key: '1', value: 'x'},
    ],
  },
  'no list': {entries: []},
});

/** In the order of the keys, which is not that of text. */
export function attributes(values: Readonly<Record<string, OtlpValue>>): readonly OtlpAttribute[] {
  return Object.entries(values).map(([key, value]) => ({key, value}));
}

/**
 * A span that has every member of the contract, none of them with its default. A member that the contract gains does not
 * compile until it is here. `time` in nanoseconds.
 */
export function fullOtlpSpan(traceId: string, id: number, time: bigint): Required<OtlpSpan> {
  const twice = [...attributes({number: BigInt(id), twice: 'first'}), ...attributes({twice: 'second', ' ': ''})];
  const event: Required<OtlpEvent> = {
    time: time + 1n,
    name: 'exception',
    attributes: EVERY_VALUE,
    droppedAttributesCount: 1,
  };
  const link: Required<OtlpLink> = {
    traceId: '000102030405060708090a0b0c0d0eff',
    spanId: 'fffefdfcfbfaf9f8',
    traceState: 'vendor=value,other=1',
    attributes: twice,
    droppedAttributesCount: 4_294_967_295,
    flags: 0x0000_0301,
  };
  const status: Required<OtlpStatus> = {code: 2, message: 'no \u{1F600}'};
  const resource: Required<OtlpResource> = {
    attributes: attributes({'service.name': 'Full "Service"', replicas: 3n, 'host.ip': ['10.0.0.1', '::1']}),
    droppedAttributesCount: 2,
    schemaUrl: 'https://opentelemetry.io/schemas/1.27.0',
  };
  const scope: Required<OtlpScope> = {
    name: '@scope/lib',
    version: '1.2.3',
    attributes: attributes({short: true}),
    droppedAttributesCount: 3,
    schemaUrl: 'https://opentelemetry.io/schemas/1.26.0',
  };
  return {
    traceId,
    spanId: id.toString(16).padStart(16, '0'),
    traceState: 'rojo=00f067aa0ba902b7',
    parentSpanId: (id + 0xff).toString(16).padStart(16, '0'),
    flags: 0xffff_ffff,
    name: `GET /${id}`,
    kind: 5,
    startTime: time,
    endTime: time + 1_234_567_891n,
    attributes: [...EVERY_VALUE, ...twice],
    droppedAttributesCount: 5,
    events: [event, {time: 0n, name: '', attributes: [], droppedAttributesCount: 0}],
    droppedEventsCount: 6,
    links: [link, {traceId: '', spanId: '01', traceState: '', attributes: [], droppedAttributesCount: 0, flags: 0}],
    droppedLinksCount: 7,
    status,
    resource,
    scope,
  };
}

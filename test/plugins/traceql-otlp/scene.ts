import type {OtlpAttribute, OtlpSpan, OtlpValue} from '../../../core/api/adapter.js';
import {otlpSpan} from '../../core/api/otlp-spans.js';

/** What the tests of the plugin ask about, and the answers, which no storage may change. */

const T0 = 1_700_000_000;
export const AROUND = {start: String(T0 - 60), end: String(T0 + 60)};
export const NANOS = BigInt(T0) * 1_000_000_000n;

const attributes = (values: Readonly<Record<string, OtlpValue>>): readonly OtlpAttribute[] =>
  Object.entries(values).map(([key, value]) => ({key, value}));
const resource = (values: Readonly<Record<string, OtlpValue>>) => ({
  attributes: attributes(values),
  droppedAttributesCount: 0,
  schemaUrl: 'https://schemas/1',
});

const SHOP = resource({'service.name': 'Shop', 'service.version': '1.2.3', replicas: 3n});
export const TRACE = '000000000000000000000000000000a1';

/** One trace of two services, and one of a function that names no `service.name`. */
export const SPANS: readonly OtlpSpan[] = [
  otlpSpan({
    spanId: '00000000000000b1',
    name: 'GET /',
    kind: 2,
    startTime: NANOS + 1n,
    endTime: NANOS + 1_500_001n,
    attributes: attributes({'http.request.method': 'GET', 'http.response.status_code': 200n, ratio: 0.5, cached: true}),
    events: [{time: NANOS + 5n, name: 'e', attributes: attributes({at: [1n, null]}), droppedAttributesCount: 1}],
    status: {code: 1, message: ''},
    resource: SHOP,
  }),
  otlpSpan({
    spanId: '00000000000000b2',
    parentSpanId: '00000000000000b1',
    name: 'query',
    kind: 3,
    startTime: NANOS + 900_000n,
    endTime: NANOS + 901_001n,
    attributes: attributes({'db.rows': '200', list: ['a', 1n], 'http.response.status_code': '200', cached: 'true'}),
    links: [{traceId: 'ff', spanId: '', traceState: '', attributes: [], droppedAttributesCount: 0, flags: 1}],
    status: {code: 2, message: 'no'},
    resource: {...SHOP},
  }),
  otlpSpan({
    traceId: '000000000000000000000000000000a2',
    spanId: '00000000000000b3',
    parentSpanId: '00000000000000ff',
    name: 'handle',
    kind: 9,
    startTime: NANOS + 2_000_000_000n,
    endTime: NANOS + 2_000_000_000n,
    attributes: attributes({'': 'no query names it', share: Number.NaN}),
    resource: resource({'faas.name': 'resize', region: 'eu', '': 'nor this'}),
  }),
];

export const FOUND: readonly (readonly [q: string, found: string])[] = [
  ['{}', 'handle: b3; GET /: b1 b2'],
  ['{resource.service.name="Shop"}', 'GET /: b1 b2'],
  ['{resource.service.name="shop"}', ''],
  ['{.service.name="resize"}', 'handle: b3'],
  ['{resource.service.version="1.2.3"}', 'GET /: b1 b2'],
  ['{resource.replicas=3}', 'GET /: b1 b2'],
  ['{resource.replicas="3"}', 'GET /: b1 b2'],
  ['{resource."replicas"=4}', ''],
  ['{span.http.response.status_code=200}', 'GET /: b1 b2'],
  ['{span.http.response.status_code="200"}', 'GET /: b1 b2'],
  ['{.http.response.status_code=200 && kind=server}', 'GET /: b1'],
  ['{span.http.response.status_code=200.0}', ''],
  ['{span.ratio=0.5}', 'GET /: b1'],
  ['{span.share="NaN"}', 'handle: b3'],
  ['{span.cached=true}', 'GET /: b1 b2'],
  ['{span.list="[\\"a\\",1]"}', 'GET /: b2'],
  ['{span.replicas=3}', ''],
  ['{name="query" && resource.service.version="1.2.3"}', 'GET /: b2'],
  ['{status=error}', 'GET /: b2'],
  ['{status=unset}', 'handle: b3'],
  ['{kind=internal}', 'handle: b3'],
  ['{duration=1.001us}', 'GET /: b2'],
  ['{duration>1ms}', 'GET /: b1'],
  ['{resource.a.b!="x"}', '400 "!=" (inequality) is not in this subset'],
  ['{event.name="e"}', '400 the scope "event" of "event.name" is not in this subset'],
  ['{link.traceID="ff"}', '400 the scope "link" of "link.traceID" is not in this subset'],
  ['{resource.replicas>2}', '400 ">" compares duration alone: "resource.replicas" takes ='],
  ['{resource.="x"}', '400 "resource." lacks the name of the attribute'],
];

export const VALUES: readonly (readonly [tag: string, v2: readonly string[], v1?: readonly string[]])[] = [
  ['span.http.response.status_code', ['int 200', 'string 200'], ['200']],
  ['span.share', ['string NaN']],
  ['span.cached', ['bool true', 'string true'], ['true']],
  ['span.ratio', ['float 0.5']],
  ['span.list', ['string ["a",1]']],
  ['resource.replicas', ['int 3']],
  ['resource.service.name', ['string Shop', 'string resize']],
  ['.service.name', ['string Shop', 'string resize']],
  ['service.name', ['string Shop', 'string resize']],
  ['resource.nothing', []],
  ['span.replicas', []],
  ['kind', ['string server', 'string client', 'string internal']],
  ['status', ['string ok', 'string error', 'string unset']],
  ['name', ['string GET /', 'string query', 'string handle']],
  ['duration', []],
  ['event.name', []],
];

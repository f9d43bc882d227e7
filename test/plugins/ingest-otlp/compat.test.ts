import test from 'ava';
import type {CompatSpan, OtlpSpan} from '../../../core/api/plugin.js';
import {ask} from '../../support/http.js';
import {ownerOf} from '../../support/owner.js';
import {CALL} from '../ingest/support.js';
import {protobufOf} from './support/encode.js';
import {newTraceId, openReceiver, type Receiver, SPAN, spanOf} from './support/receiver.js';

const owner = ownerOf(test);
let both: Receiver;

test.before('a receiver for both kinds', async () => {
  both = await openReceiver(owner, {config: {compat: true}, limits: {spanTags: 12}});
});

async function converted(span: OtlpSpan): Promise<CompatSpan> {
  const headers = {'content-type': 'application/x-protobuf'};
  const answer = await ask(both.traces, {method: 'POST', headers, body: protobufOf([span])});
  if (answer.status !== 200) throw new Error(answer.text);
  const trace = await both.readers['traces.compat.v1'].trace(span.traceId, CALL);
  return trace?.spans[0] as CompatSpan;
}

const text = (key: string, value: string) => ({key, value});

/** What of a span becomes what of a compat span, as SkyWalking maps it. */
const MAPPED: readonly (readonly [
  title: string,
  span: Partial<OtlpSpan>,
  compat: object,
  tags?: Record<string, string>,
])[] = [
  [
    'names are lower case, times whole microseconds',
    {},
    {
      name: 'get /users',
      kind: 'SERVER',
      timestamp: 1_700_000_000_000_000,
      duration: 5000,
      localEndpoint: {serviceName: 'users'},
    },
    {'service.name': 'users'},
  ],
  ['a span shorter than a microsecond took one', {endTime: SPAN.startTime + 5n}, {duration: 1}],
  ['INTERNAL is a tag', {kind: 1}, {kind: undefined}, {'span.kind': 'internal'}],
  ['UNSPECIFIED is no kind', {kind: 0}, {kind: undefined}],
  ['the parent', {parentSpanId: 'abcdefabcdefabcd'}, {parentId: 'abcdefabcdefabcd'}],
  [
    'an error',
    {status: {code: 2, message: 'no'}},
    {},
    {error: 'true', 'otel.status_code': 'STATUS_CODE_ERROR', 'otel.status_description': 'no'},
  ],
  [
    'success takes away a tag error',
    {status: {code: 1, message: ''}, attributes: [text('error', 'x')]},
    {},
    {'otel.status_code': 'STATUS_CODE_OK'},
  ],
  [
    'the scope and the state',
    {scope: {...SPAN.scope, name: 'lib', version: '2'}, traceState: 'a=b'},
    {},
    {'otel.library.name': 'lib', 'otel.library.version': '2', 'w3c.tracestate': 'a=b'},
  ],
  [
    'values of all types are text, and the span wins over its resource',
    {
      attributes: [
        {key: 'n', value: 200n},
        {key: 'd', value: 0.5},
        {key: 'b', value: true},
        {key: 'l', value: [1n, 'x']},
        text('service.name', 'own'),
      ],
    },
    {},
    {n: '200', d: '0.5', b: 'true', l: '[1,"x"]', 'service.name': 'own'},
  ],
  [
    'events',
    {
      events: [
        {time: 1_700_000_000_000_002_500n, name: 'plain', attributes: [], droppedAttributesCount: 0},
        {
          time: 1_700_000_000_000_003_500n,
          name: 'full',
          attributes: [{key: 'k', value: 1n}],
          droppedAttributesCount: 2,
        },
      ],
    },
    {
      annotations: [
        {timestamp: 1_700_000_000_000_002, value: 'plain'},
        {timestamp: 1_700_000_000_000_003, value: 'full|{"k":1}|2'},
      ],
    },
  ],
  [
    'links, with ids in decimal',
    {
      links: [
        {
          traceId: '00000000000000000000000000000010',
          spanId: '00000000000000ff',
          traceState: 's',
          attributes: [text('k', 'v')],
          droppedAttributesCount: 1,
          flags: 0,
        },
      ],
    },
    {},
    {'otlp.link.0': '16|255|s|{"k":"v"}|1'},
  ],
  [
    'a remote endpoint by its service',
    {attributes: [text('peer.service', 'Stock'), text('net.peer.ip', '10.0.0.1'), {key: 'net.peer.port', value: 80n}]},
    {remoteEndpoint: {serviceName: 'stock', ipv4: '10.0.0.1', port: 80}},
  ],
  [
    'a remote endpoint by its name, or the address that stands there',
    {attributes: [text('net.peer.name', '::ffff:10.0.0.2')]},
    {remoteEndpoint: {ipv4: '10.0.0.2'}},
  ],
  [
    'the address of the local endpoint',
    {attributes: [text('net.host.ip', '10.0.0.3'), text('net.host.port', '8080')]},
    {localEndpoint: {serviceName: 'users', ipv4: '10.0.0.3', port: 8080}},
  ],
  [
    'a service named by another attribute',
    {resource: {...SPAN.resource, attributes: [text('faas.name', 'Job')]}},
    {localEndpoint: {serviceName: 'job'}},
    {'otlp.service.name.source': 'faas.name'},
  ],
  ['what compat spans cannot hold', {name: 'a\0b', attributes: [text('k', '\0')]}, {name: 'a\ufffdb'}, {k: '\ufffd'}],
];

for (const [title, span, compat, tags = {'service.name': 'users'}] of MAPPED) {
  test(`compat: ${title}`, async t => {
    const found = await converted(spanOf(newTraceId(), span));
    for (const [key, value] of Object.entries(compat)) t.deepEqual(found[key as keyof CompatSpan], value, key);
    for (const [key, value] of Object.entries(tags)) t.is(found.tags.get(key), value, key);
    t.false(found.tags.has('net.peer.ip') || found.tags.has('net.host.ip'));
  });
}

test('compat: the tag error is gone where the status says success', async t => {
  const found = await converted(
    spanOf(newTraceId(), {attributes: [text('error', 'x')], status: {code: 1, message: ''}}),
  );
  t.false(found.tags.has('error'));
});

test('compat: of too many tags the first are stored, marked and counted', async t => {
  const attributes = Array.from({length: 20}, (_, n) => text(`key ${n}`, 'v'));
  const id = newTraceId();
  const found = await converted(spanOf(id, {attributes}));
  t.is(found.tags.get('cut.tags'), '12 of 21');
  t.is((await both.stored(id))[0]?.attributes.length, 20);
});

test('compat alone runs where the storage takes no spans of OTLP', async t => {
  const receiver = await openReceiver(t, {without: ['ingest.otlp.v1'], config: {compat: true}});
  const headers = {'content-type': 'application/x-protobuf'};
  const id = newTraceId();
  t.is((await ask(receiver.traces, {method: 'POST', headers, body: protobufOf([spanOf(id)])})).status, 200);
  t.is((await receiver.readers['traces.compat.v1'].trace(id, CALL))?.spans.length, 1);
  t.is((await receiver.stored(id)).length, 0);
});

test('with neither capability every request is 501 with a Status', async t => {
  const receiver = await openReceiver(t, {without: ['ingest.otlp.v1', 'ingest.compat.v1'], config: {compat: true}});
  const answer = await ask(receiver.traces, {
    method: 'POST',
    headers: {'content-type': 'application/json'},
    body: '{}',
  });
  t.is(answer.status, 501);
  t.deepEqual(answer.json(), {
    code: 12,
    message: 'the configured storage cannot take spans of OTLP: it does not supply the capability ingest.otlp.v1',
  });
});

import {gzipSync} from 'node:zlib';
import test from 'ava';
import type {OtlpSpan} from '../../../core/api/plugin.js';
import {type Answer, ask} from '../../support/http.js';
import {ownerOf} from '../../support/owner.js';
import {decodeMessage, jsonOf, protobufOf} from './support/encode.js';
import {newTraceId, openReceiver, type Receiver, spanOf} from './support/receiver.js';

const owner = ownerOf(test);
let receiver: Receiver;

test.before('one receiver for all', async () => {
  receiver = await openReceiver(owner, {limits: {ingestBody: 20_000}});
});

const TYPES = {protobuf: 'application/x-protobuf', json: 'application/json'} as const;
type Encoding = keyof typeof TYPES;
const ENCODINGS: readonly Encoding[] = ['protobuf', 'json'];

const bodyOf = (spans: readonly OtlpSpan[], encoding: Encoding): string | Buffer =>
  encoding === 'json' ? jsonOf(spans) : protobufOf(spans);

function post(body: string | Uint8Array, encoding: Encoding, headers: Record<string, string> = {}): Promise<Answer> {
  return ask(receiver.traces, {method: 'POST', body, headers: {'content-type': TYPES[encoding], ...headers}});
}

interface Status {
  readonly code: number;
  readonly message: string;
  readonly details?: readonly Record<string, unknown>[];
}

interface StatusMessage extends Omit<Status, 'details'> {
  readonly details?: readonly {readonly typeUrl: string; readonly value: string}[];
}

/** The status of an error in the encoding of its answer, which is that of the request. */
function statusOf({headers, bytes, text}: Answer): Status {
  if (headers['content-type'] === TYPES.json) return JSON.parse(text) as Status;
  const {details = [], ...status} = decodeMessage<StatusMessage>('RpcStatus', bytes);
  const read = details.map(({typeUrl, value}) => {
    const type = typeUrl.slice(typeUrl.lastIndexOf('.') + 1);
    return {'@type': typeUrl, ...decodeMessage<object>(type, Buffer.from(value, 'base64'))};
  });
  return {...status, ...(read.length > 0 && {details: read})};
}

interface PartialSuccess {
  readonly rejectedSpans: string;
  readonly errorMessage: string;
}

function partialOf(answer: Answer, encoding: Encoding): PartialSuccess | undefined {
  const response =
    encoding === 'json'
      ? answer.json<{partialSuccess?: PartialSuccess}>()
      : decodeMessage<{partialSuccess?: PartialSuccess}>('ExportTraceServiceResponse', answer.bytes);
  return response.partialSuccess;
}

/** The titles begin with the section of the OTLP specification, and end with its word. */
for (const encoding of ENCODINGS) {
  test(`OTLP/HTTP Request, ${encoding}: the default path takes POST, and the answer has the type of the request (MUST)`, async t => {
    const id = newTraceId();
    const answer = await post(bodyOf([spanOf(id)], encoding), encoding);
    t.is(answer.status, 200);
    t.is(answer.headers['content-type'], TYPES[encoding]);
    t.deepEqual(await receiver.stored(id), [spanOf(id)]);
  });

  test(`OTLP/HTTP Response, ${encoding}: where all is stored partial_success is unset (MUST)`, async t => {
    const answer = await post(bodyOf([spanOf(newTraceId())], encoding), encoding);
    t.is(answer.text, encoding === 'json' ? '{}' : '');
  });

  test(`OTLP/HTTP Response, ${encoding}: an empty request succeeds (SHOULD)`, async t => {
    for (const body of ['', encoding === 'json' ? '{}' : '', encoding === 'json' ? '{"resourceSpans":[]}' : '\n\0']) {
      const answer = await post(body, encoding);
      t.is(answer.status, 200, answer.text);
      t.is(answer.text, encoding === 'json' ? '{}' : '');
    }
  });

  test(`Compression, ${encoding}: gzip is taken (MUST), and x-gzip, deflate and identity`, async t => {
    for (const [name, encode] of [
      ['gzip', gzipSync],
      ['x-gzip', gzipSync],
      ['identity', Buffer.from],
    ] as const) {
      const id = newTraceId();
      const body = encode(Buffer.from(bodyOf([spanOf(id)], encoding)));
      const answer = await post(body, encoding, {'content-encoding': name});
      t.is(answer.status, 200, answer.text);
      t.is((await receiver.stored(id)).length, 1, name);
    }
  });

  test(`Compression, ${encoding}: an unknown encoding is 415`, async t => {
    const answer = await post('x', encoding, {'content-encoding': 'zstd'});
    t.is(answer.status, 415);
    t.is(statusOf(answer).message, 'found the content-encoding "zstd", expected one of gzip, x-gzip, deflate or none');
  });

  test(`OTLP/HTTP Partial Success, ${encoding}: 200 with the number of rejected spans and a message (MUST), the others stored`, async t => {
    const id = newTraceId();
    const nameless = {...spanOf(id).resource, attributes: []};
    const spans = [
      spanOf(id, {resource: nameless}),
      spanOf(id),
      spanOf(id, {resource: nameless, spanId: '0'.repeat(15).concat('2')}),
    ];
    const answer = await post(bodyOf(spans, encoding), encoding);
    t.is(answer.status, 200);
    const partial = partialOf(answer, encoding);
    t.is(partial?.rejectedSpans, '2');
    const reason =
      'its resource has no text under any of the attributes service.name, faas.name, k8s.deployment.name, process.executable.name';
    t.is(
      partial?.errorMessage,
      `resourceSpans[0].scopeSpans[0].spans[0]: ${reason}; resourceSpans[2].scopeSpans[0].spans[0]: ${reason}`,
    );
    t.is((await receiver.stored(id)).length, 1);
  });

  test(`OTLP/HTTP Partial Success, ${encoding}: 200 also when no span can be taken, and a message that does not grow`, async t => {
    const spans = Array.from({length: 40}, () => spanOf(newTraceId(), {spanId: '0'.repeat(16)}));
    const answer = await post(bodyOf(spans, encoding), encoding);
    t.is(answer.status, 200);
    const partial = partialOf(answer, encoding);
    t.is(partial?.rejectedSpans, '40');
    t.regex(partial?.errorMessage ?? '', /; and 37 more$/);
  });

  test(`OTLP/HTTP Bad Data, ${encoding}: 400 (MUST) with a Status in the encoding of the request (MUST) and a BadRequest (SHOULD)`, async t => {
    const answer = await post(encoding === 'json' ? '{"resourceSpans":[{]}' : Buffer.from([0x0a, 5, 1]), encoding);
    t.is(answer.status, 400);
    t.is(answer.headers['content-type'], TYPES[encoding]);
    const {code, message, details} = statusOf(answer);
    t.is(code, 3);
    t.regex(
      message,
      encoding === 'json' ? /the JSON is wrong before character 19/ : /the message is damaged before byte 2/,
    );
    t.like(details?.[0], {
      '@type': 'type.googleapis.com/google.rpc.BadRequest',
      fieldViolations: [{description: message}],
    });
  });

  test(`OTLP/HTTP Bad Data, ${encoding}: text that is no UTF-8 is 400`, async t => {
    const body = Buffer.from(bodyOf([spanOf(newTraceId(), {name: 'NAME'})], encoding));
    body[body.indexOf('NAME')] = 0xff;
    t.is((await post(body, encoding)).status, 400);
  });

  test(`OTLP/HTTP Request, ${encoding}: a body over the limit is 413, before and after decompression (MUST)`, async t => {
    const large = bodyOf([spanOf(newTraceId(), {traceState: 'x'.repeat(30_000)})], encoding);
    const raw = await post(large, encoding);
    t.is(raw.status, 413);
    t.is(statusOf(raw).message, 'the body is larger than limits.ingestBody, 20000 bytes');
    const packed = await post(gzipSync(large), encoding, {'content-encoding': 'gzip'});
    t.is(packed.status, 413);
    t.is(statusOf(packed).message, 'the body is larger than limits.ingestBody, 20000 bytes after decompression');
  });

  test(`OTLP/HTTP All Other Responses, ${encoding}: other methods and paths have a Status too (MUST)`, async t => {
    const headers = {'content-type': TYPES[encoding]};
    const put = await ask(receiver.traces, {method: 'PUT', headers, body: ''});
    t.is(put.status, 405);
    t.is(put.headers.allow, 'POST');
    t.true(statusOf(put).message.length > 0);
    const path = await ask(receiver.traces.replace('traces', 'logs'), {method: 'POST', headers, body: ''});
    t.is(path.status, 404);
    t.is(statusOf(path).code, 5);
  });

  test(`Unknown fields are ignored (MUST), ${encoding}`, async t => {
    const id = newTraceId();
    const body =
      encoding === 'json'
        ? jsonOf([spanOf(id)]).replace('"spans":[{', '"later":{"a":[1,{}]},"spans":[{"later":[[],"]"],')
        : Buffer.concat([
            Buffer.from([0x9a, 0x06, 2, 1, 2]),
            protobufOf([spanOf(id)]),
            Buffer.from([0xa3, 6, 0x08, 1, 0xa4, 6]),
          ]);
    const answer = await post(body, encoding);
    t.is(answer.status, 200, answer.text);
    t.deepEqual(await receiver.stored(id), [spanOf(id)]);
  });
}

test('OTLP/HTTP Request: another content type is 415, with a Status in JSON', async t => {
  for (const type of ['text/plain', 'application/x-thrift', 'application/jsonl']) {
    const answer = await ask(receiver.traces, {method: 'POST', headers: {'content-type': type}, body: 'x'});
    t.is(answer.status, 415, type);
    t.is(answer.headers['content-type'], TYPES.json);
    const expected = 'expected "application/x-protobuf" or "application/json"';
    t.is(statusOf(answer).message, `found the content type "${type}", ${expected}`);
  }
  const parameters = {'content-type': 'application/json; charset=utf-8'};
  t.is((await ask(receiver.traces, {method: 'POST', headers: parameters, body: '{}'})).status, 200);
});

const HEX = 'A'.repeat(32);

/** JSON of a span's keys, and what is stored of them. */
const JSON_FORMS: readonly (readonly [title: string, keys: string, stored: object])[] = [
  ['ids are hex in any case (MUST)', `"traceId":"${HEX}","spanId":"ABCDEFABCDEFABCD"`, {spanId: 'abcdefabcdefabcd'}],
  [
    '64-bit integers are text or numbers, with all digits',
    '"startTimeUnixNano":1700000000000000001,"endTimeUnixNano":"18446744073709551615"',
    {startTime: 1_700_000_000_000_000_001n, endTime: 2n ** 64n - 1n},
  ],
  [
    'integers may have an exponent or a fraction of zeros',
    '"startTimeUnixNano":1.7e18,"endTimeUnixNano":1700000000000000001.000',
    {startTime: 1_700_000_000_000_000_000n, endTime: 1_700_000_000_000_000_001n},
  ],
  [
    'enumerations are numbers (MUST), and names',
    '"kind":3,"status":{"code":"STATUS_CODE_ERROR"}',
    {kind: 3, status: {code: 2, message: ''}},
  ],
  ['numbers of later enumerations are kept', '"kind":77', {kind: 77}],
  ['a parent of zeros is none', '"parentSpanId":"0000000000000000","flags":1', {flags: 1, parentSpanId: undefined}],
  [
    'null is what is not there',
    '"name":null,"attributes":null,"events":null,"status":null,"parentSpanId":null',
    {name: ''},
  ],
  ['keys in snake case are not known', '"trace_state":"x"', {traceState: ''}],
];

for (const [title, keys, stored] of JSON_FORMS) {
  test(`JSON Protobuf Encoding: ${title}`, async t => {
    const id = keys.includes(HEX) ? HEX.toLowerCase() : newTraceId();
    const span = `{"traceId":"${id}","spanId":"1112131415161718",${keys}}`;
    const resource = '{"attributes":[{"key":"service.name","value":{"stringValue":"a"}}]}';
    const answer = await post(
      `{"resourceSpans":[{"scopeSpans":[{"spans":[${span}]}],"resource":${resource}}]}`,
      'json',
    );
    t.is(answer.status, 200, answer.text);
    t.is(answer.text, '{}');
    t.like((await receiver.stored(id))[0], stored);
  });
}

/** What is no request of OTLP in JSON, and the answer. */
const JSON_REFUSED: readonly (readonly [body: string, message: RegExp])[] = [
  [
    '{"resourceSpans":[{"scopeSpans":[{"spans":[{"traceId":"xyz"}]}]}]}',
    /found "\\?"xyz.*, expected hex digits, two for each byte/,
  ],
  ['{"resourceSpans":[{"scopeSpans":[{"spans":[{"name":5}]}]}]}', /found "5.*expected a text/],
  [
    '{"resourceSpans":[{"scopeSpans":[{"spans":[{"startTimeUnixNano":-1}]}]}]}',
    /expected an integer of 64 bits without a sign/,
  ],
  ['{"resourceSpans":[{"scopeSpans":[{"spans":[],"spans":[]}]}]}', /expected "spans" once/],
  ['{"resourceSpans":[{"scopeSpans":[],"scopeSpans":null}]}', /expected "scopeSpans" once/],
  [
    '{"resourceSpans":[{"scopeSpans":[{"spans":[{"attributes":[{"key":"a","value":{"bytesValue":"abcda"}}]}]}]}]}',
    /expected bytes in base64/,
  ],
  ['{"resourceSpans":{}}', /expected an array/],
  ['[]', /expected an object/],
  ['{} {}', /something stands behind the value/],
];

for (const [body, message] of JSON_REFUSED) {
  test(`JSON Protobuf Encoding: ${body} is 400`, async t => {
    const answer = await post(body, 'json');
    t.is(answer.status, 400);
    t.regex(statusOf(answer).message, message);
  });
}

/** Of a span that is rejected alone, what is wrong, and the message. */
const REJECTED: readonly (readonly [title: string, fields: Partial<OtlpSpan>, message: RegExp])[] = [
  ['a trace id of 8 bytes', {traceId: 'a'.repeat(16)}, /its trace id has 8 bytes, expected 16$/],
  ['a trace id of zeros', {traceId: '0'.repeat(32)}, /its trace id is zero$/],
  ['a span id of 4 bytes', {spanId: 'a'.repeat(8)}, /its span id has 4 bytes, expected 8$/],
  ['a span id of zeros', {spanId: '0'.repeat(16)}, /its span id is zero$/],
  ['a parent id of 3 bytes', {parentSpanId: 'abcdef'}, /its parent span id has 3 bytes, expected 8$/],
  ['a name of 1,025 bytes', {name: 'é'.repeat(512).concat('x')}, /its name has 1025 bytes, expected at most 1024$/],
  [
    'a service of 1,025 bytes',
    {resource: {...spanOf(HEX).resource, attributes: [{key: 'service.name', value: 's'.repeat(1025)}]}},
    /the name of its service has 1025 bytes, expected at most 1024$/,
  ],
  [
    'a key of 1,025 bytes',
    {attributes: [{key: 'k'.repeat(1025), value: 1n}]},
    /a key has 1025 bytes, expected at most 1024$/,
  ],
];

for (const [title, fields, message] of REJECTED) {
  test(`${title} costs its span alone, in both encodings`, async t => {
    for (const encoding of ENCODINGS) {
      const id = newTraceId();
      const answer = await post(bodyOf([spanOf(id, fields), spanOf(id)], encoding), encoding);
      t.is(answer.status, 200, answer.text);
      const partial = partialOf(answer, encoding);
      t.is(partial?.rejectedSpans, '1', encoding);
      t.regex(partial?.errorMessage ?? '', message);
      t.is((await receiver.stored(id)).length, 1);
    }
  });
}

test('a number that its type has no room for costs its span alone, as exporters write it in JSON', async t => {
  for (const [value, what] of [
    ['"intValue":10000000000000000000', 'an integer of more than 64 bits'],
    ['"doubleValue":1e999', 'a number beyond those of 64 bits with a point'],
  ]) {
    const id = newTraceId();
    const span = (number: number, attributes: string): string =>
      `{"traceId":"${id}","spanId":"${String(number).repeat(16)}","name":"x","attributes":[${attributes}]}`;
    const spans = [span(1, `{"key":"n","value":{${value}}}`), span(2, '')];
    const resource = '{"attributes":[{"key":"service.name","value":{"stringValue":"a"}}]}';
    const body = `{"resourceSpans":[{"resource":${resource},"scopeSpans":[{"spans":[${spans}]}]}]}`;
    const answer = await post(body, 'json');
    t.is(answer.status, 200, answer.text);
    t.is(partialOf(answer, 'json')?.errorMessage, `resourceSpans[0].scopeSpans[0].spans[0]: a value is ${what}`);
    t.deepEqual(
      (await receiver.stored(id)).map(({spanId}) => spanId),
      ['2'.repeat(16)],
    );
  }
});

test('rejected spans are counted by reason', async t => {
  await post(bodyOf([spanOf(newTraceId(), {spanId: '0'.repeat(16)})], 'json'), 'json');
  const {text} = await ask(`${receiver.urls.admin}/metrics`);
  t.regex(text, /query_gateway_otlp_rejected_spans_total\{[^}]*reason="span_id"[^}]*\} [1-9]/);
});

import test from 'ava';
import type {ConvertedSpan, ConvertedTrace} from '../../../../plugins/traceql/otlp/model.js';
import {decodeTrace, decodeTraceByIdResponse} from '../../../support/otlp-protobuf.js';
import {encodeTrace, encodeTraceByIdResponse, traceJson} from '../../../support/whole-trace.js';
import {SPAN, traceOf} from './trace.js';

const jsonOf = (trace: ConvertedTrace): unknown => JSON.parse(Buffer.concat([...traceJson(trace)]).toString('utf8'));

const SPANS: readonly (readonly [what: string, span: Partial<ConvertedSpan>])[] = [
  ['no more than it must have', {}],
  ['a parent', {parentSpanId: '00f0'}],
  ['an empty name', {name: ''}],
  ['ids of many bytes', {spanId: 'ab'.repeat(60), parentSpanId: 'cd'.repeat(200)}],
  ['no time', {startTimeUnixNano: '0', endTimeUnixNano: '0'}],
  ['times below a second', {startTimeUnixNano: '999999999', endTimeUnixNano: '1000000000'}],
  ['the latest time that the field holds', {endTimeUnixNano: '18446744073709551615'}],
  ['the kind UNSPECIFIED', {kind: 'UNSPECIFIED'}],
  ['the kind INTERNAL', {kind: 'INTERNAL'}],
  ['the kind CLIENT', {kind: 'CLIENT'}],
  ['the kind PRODUCER', {kind: 'PRODUCER'}],
  ['the kind CONSUMER', {kind: 'CONSUMER'}],
  ['the status OK', {status: {code: 'OK'}}],
  ['a failure', {status: {code: 'ERROR', message: 'Error occurred'}}],
  ['an attribute with an empty value', {attributes: [{key: 'error', value: ''}]}],
  ['an attribute with an empty key', {attributes: [{key: '', value: 'x'}]}],
  [
    'attributes named like parts of objects',
    {attributes: ['__proto__', 'constructor', 'toString', 'hasOwnProperty'].map(key => ({key, value: `of ${key}`}))},
  ],
  ['text beyond ASCII', {name: 'x\u{1F600}', attributes: [{key: 'Straße', value: '歌曲'}]}],
  [
    'events',
    {
      events: [
        {timeUnixNano: '1700000040000000002', name: 'log', attributes: [{key: 'event', value: ''}]},
        {timeUnixNano: '0', name: '', attributes: []},
      ],
    },
  ],
];

for (const [what, span] of SPANS) {
  test(`in protobuf a span with ${what} says what it says in JSON`, async t => {
    const trace = traceOf(span);
    t.deepEqual(decodeTrace(Buffer.concat(await encodeTrace(trace))), jsonOf(trace));
    t.deepEqual(decodeTraceByIdResponse(Buffer.concat(await encodeTraceByIdResponse(trace))), jsonOf(trace));
  });
}

test('spans stay grouped by service, each with its own resource and scope', async t => {
  const trace: ConvertedTrace = {
    ...traceOf(),
    resources: [
      {serviceName: 'app', spans: [SPAN, {...SPAN, spanId: '02'}]},
      {serviceName: 'songs', spans: [{...SPAN, spanId: '03'}]},
    ],
  };
  t.deepEqual(decodeTrace(Buffer.concat(await encodeTrace(trace))), jsonOf(trace));
});

for (const count of [63, 64, 65, 1000]) {
  test(`${count} spans of a service stand in one element, in their order`, async t => {
    const spans = Array.from({length: count}, (_, i) => ({...SPAN, spanId: (i + 1).toString(16).padStart(4, '0')}));
    const trace: ConvertedTrace = {
      ...traceOf(),
      resources: ['app', 'songs'].map(serviceName => ({serviceName, spans})),
    };
    t.deepEqual(decodeTrace(Buffer.concat(await encodeTrace(trace))), jsonOf(trace));
    t.deepEqual(decodeTraceByIdResponse(Buffer.concat(await encodeTraceByIdResponse(trace))), jsonOf(trace));
  });
}

test('a large trace comes in pieces, of which none is large', async t => {
  const spans = Array.from({length: 5000}, (_, i) => ({...SPAN, name: `${i}`.repeat(50)}));
  const trace: ConvertedTrace = {...traceOf(), resources: [{serviceName: 'app', spans}]};
  for (const pieces of [[...traceJson(trace)], await encodeTrace(trace)]) {
    t.true(pieces.length > 10);
    t.true(pieces.every(({length}) => length < 200_000));
  }
});

test('attributes whose keys are array indexes come first, and none is lost', async t => {
  const trace = traceOf({attributes: ['b', '10', 'a', '2'].map(key => ({key, value: key}))});
  const sorted = traceOf({attributes: ['2', '10', 'b', 'a'].map(key => ({key, value: key}))});
  t.deepEqual(decodeTrace(Buffer.concat(await encodeTrace(trace))), jsonOf(sorted));
});

test('a trace without spans is an empty message, and in a response a message that is there', async t => {
  const trace: ConvertedTrace = {...traceOf(), resources: []};
  t.deepEqual([...Buffer.concat(await encodeTrace(trace))], []);
  t.deepEqual([...Buffer.concat(await encodeTraceByIdResponse(trace))], [0x0a, 0]);
});

for (const length of [100, 127, 128, 300, 16_383, 16_384, 40_000, 2_100_000]) {
  test(`a response holds the bytes of the trace as its first field: a name of ${length} letters`, async t => {
    const trace = traceOf({name: 'x'.repeat(length)});
    const bytes = Buffer.concat(await encodeTrace(trace));
    const response = Buffer.concat(await encodeTraceByIdResponse(trace));
    t.is(response[0], 0x0a);
    t.true(Buffer.from(response.subarray(response.length - bytes.length)).equals(bytes));
    t.deepEqual(decodeTraceByIdResponse(response), jsonOf(trace));
  });
}

import test from 'ava';
import {decodeSegments, NATIVE_SPAN, SEGMENT, STORED_SEGMENT} from './traces-support.js';

const EMPTY_SPAN = {
  spanId: 0,
  parentSpanId: -1,
  startTime: 5,
  endTime: 5,
  operationName: '',
  peer: '',
  spanType: '',
  spanLayer: 'Unknown',
  componentId: 0,
  isError: false,
  skipAnalysis: false,
  tags: [],
  logs: [],
  refs: [],
  attachedEvents: [],
};

const EMPTY_REFERENCE = {
  refType: 'CrossProcess',
  traceId: '',
  parentTraceSegmentId: '',
  parentSpanId: 0,
  parentService: '',
  parentServiceInstance: '',
  parentEndpoint: '',
  networkAddressUsedAtPeer: '',
};

const around = (span: object): object => ({traceId: 't', traceSegmentId: 's', spans: [span]});

test('a complete segment is stored as it is, in an array or alone', async t => {
  for (const body of [JSON.stringify([SEGMENT]), JSON.stringify(SEGMENT), ` ${JSON.stringify(SEGMENT, null, 2)}\n`]) {
    const {items, bad} = await decodeSegments([body]);
    t.deepEqual(bad, []);
    t.deepEqual(items as readonly unknown[], [STORED_SEGMENT]);
  }
});

test('what a segment leaves out has the default of its type', async t => {
  const {items} = await decodeSegments([JSON.stringify(around({startTime: 5}))]);
  t.deepEqual(items as readonly unknown[], [
    {traceId: 't', traceSegmentId: 's', layer: 'GENERAL', service: '', serviceInstance: '', spans: [EMPTY_SPAN]},
  ]);
});

type Row = readonly [title: string, sent: object, stored: object];

const event = (change: object): object => ({attachedEvents: [{startTime: {seconds: 1}, ...change}]});
const storedEvent = (change: object): object => ({
  attachedEvents: [
    {startTime: {seconds: 1n, nanos: 0}, endTime: {seconds: 1n, nanos: 0}, event: '', tags: [], summary: [], ...change},
  ],
});

const STORED: readonly Row[] = [
  ['types and layers may be numbers', {spanType: 1, spanLayer: 5}, {spanType: 'Exit', spanLayer: 'Cache'}],
  ['type 0 is an entry', {spanType: 0, spanLayer: 0}, {spanType: 'Entry', spanLayer: 'Unknown'}],
  ['other words are kept', {spanType: 'Batch', spanLayer: 'Grid'}, {spanType: 'Batch', spanLayer: 'Grid'}],
  ['types and layers may be numbers as text', {spanType: '2', spanLayer: '3'}, {spanType: 'Local', spanLayer: 'Http'}],
  ['other numbers are kept as text', {spanType: 99, spanLayer: '99'}, {spanType: '99', spanLayer: '99'}],
  [
    'times may be decimal text',
    {startTime: '1700000040000', endTime: '1700000040001'},
    {startTime: 1700000040000, endTime: 1700000040001},
  ],
  ['the fraction of a time is cut', {startTime: 7.9, endTime: 9.9}, {startTime: 7, endTime: 9}],
  ['an end before the start is the start', {startTime: 7, endTime: 3}, {startTime: 7, endTime: 7}],
  ['a span that has a number has the parent 0 unless it says another', {spanId: 3}, {spanId: 3, parentSpanId: 0}],
  [
    'numbers may be decimal text',
    {spanId: '3', parentSpanId: '-1', componentId: '49'},
    {spanId: 3, parentSpanId: -1, componentId: 49},
  ],
  ['a component may be a name', {component: 'Tomcat'}, {component: 'Tomcat'}],
  [
    'null is absent',
    Object.fromEntries(Object.keys(NATIVE_SPAN).flatMap(key => (key === 'startTime' ? [] : [[key, null]]))),
    {},
  ],
  ['keys that the protocol does not know are passed over', {isAsync: true, links: [{}]}, {}],
  [
    'tags keep their order and repeat',
    {tags: [{key: 'b', value: '1'}, {key: 'a', value: 2}, {key: 'b'}]},
    {
      tags: [
        {key: 'b', value: '1'},
        {key: 'a', value: '2'},
        {key: 'b', value: ''},
      ],
    },
  ],
  [
    'half of a surrogate pair becomes U+FFFD, wherever it stands',
    {
      operationName: '\ud83d',
      peer: 'p\udc00',
      spanType: '\ud83d',
      tags: [{key: '\ud83d', value: 'cut \ud83d'}],
      logs: [{time: 1, data: [{key: 'k\ud83d', value: '\ud83d'}]}],
    },
    {
      operationName: '\uFFFD',
      peer: 'p\uFFFD',
      spanType: '\uFFFD',
      tags: [{key: '\uFFFD', value: 'cut \uFFFD'}],
      logs: [{time: 1, data: [{key: 'k\uFFFD', value: '\uFFFD'}]}],
    },
  ],
  ['a log without a time has the time 0', {logs: [{}]}, {logs: [{time: 0, data: []}]}],
  [
    'a reference may say its type as a number',
    {refs: [{refType: 1, parentSpanId: '2'}]},
    {refs: [{...EMPTY_REFERENCE, refType: 'CrossThread', parentSpanId: 2}]},
  ],
  ['an event ends when it starts unless it says otherwise', event({event: 'e'}), storedEvent({event: 'e'})],
  [
    'a sum of 64 bits may be decimal text',
    event({summary: [{key: 'n', value: '-9223372036854775808'}]}),
    storedEvent({summary: [{key: 'n', value: -(2n ** 63n)}]}),
  ],
];

for (const [title, sent, stored] of STORED) {
  test(title, async t => {
    const {items, bad} = await decodeSegments([JSON.stringify([around({startTime: 5, ...sent})])]);
    t.deepEqual(bad, []);
    t.deepEqual(items[0]?.spans as readonly unknown[], [{...EMPTY_SPAN, ...stored}]);
  });
}

test('an integer of 64 bits that is written as a number keeps all its digits', async t => {
  const body = JSON.stringify(
    around({startTime: 5, ...event({summary: [{key: '"n": 9223372036854775807', value: 1}]})}),
  );
  const {items} = await decodeSegments([body.replace('"value":1', '"value": 9223372036854775807')]);
  t.deepEqual(items[0]?.spans[0]?.attachedEvents[0]?.summary, [
    {key: '"n": 9223372036854775807', value: 2n ** 63n - 1n},
  ]);
});

type BadRow = readonly [title: string, segment: object, key: string, says: RegExp];

const withSpan = (change: object): object => around({startTime: 5, ...change});

const BAD: readonly BadRow[] = [
  ['no trace id', {...SEGMENT, traceId: undefined}, 'traceId', /missing/],
  ['a compat span', {traceId: 'a1', id: 'b1', name: 'get'}, 'traceSegmentId', /missing: this is a compat span/],
  ['no segment id', {...SEGMENT, traceSegmentId: undefined, spans: undefined}, 'traceSegmentId', /^[^:]*: missing$/],
  ['an empty segment id', {...SEGMENT, traceSegmentId: ''}, 'traceSegmentId', /empty/],
  ['a trace id that is a number', {...SEGMENT, traceId: 5}, 'traceId', /found 5, expected a text/],
  ['no spans', {...SEGMENT, spans: undefined}, 'spans', /at least one span/],
  ['spans that are an object', {...SEGMENT, spans: {}}, 'spans', /found an object, expected an array/],
  ['a span that is null', {...SEGMENT, spans: [NATIVE_SPAN, null]}, 'spans[1]', /found null, expected an object/],
  [
    'a number that two spans have',
    {...SEGMENT, spans: [NATIVE_SPAN, NATIVE_SPAN]},
    'spans[1].spanId',
    /found 0 more than once/,
  ],
  [
    'a negative number of a span',
    withSpan({spanId: -1}),
    'spans[0].spanId',
    /found -1, expected a whole number from 0 to 2147483647/,
  ],
  ['a span that is its own parent', withSpan({spanId: 1, parentSpanId: 1}), 'spans[0].parentSpanId', /the span itself/],
  ['no start', withSpan({startTime: undefined}), 'spans[0].startTime', /missing/],
  ['a time in microseconds', withSpan({startTime: 1700000040000000}), 'spans[0].startTime', /look like microseconds/],
  [
    'a time that no double holds',
    withSpan({startTime: '9007199254740993'}),
    'spans[0].startTime',
    /: found 9007199254740993, expected milliseconds/,
  ],
  ['a negative time', withSpan({endTime: -5}), 'spans[0].endTime', /found -5, expected milliseconds/],
  [
    'a type that is a fraction',
    withSpan({spanType: 1.5}),
    'spans[0].spanType',
    /found 1.5, expected a whole number from -2147483648 to 2147483647/,
  ],
  [
    'a component that is no number',
    withSpan({componentId: 'Tomcat'}),
    'spans[0].componentId',
    /found "Tomcat", expected a number/,
  ],
  ['tags that are an object', withSpan({tags: {a: 'b'}}), 'spans[0].tags', /found an object, expected an array/],
  [
    'a tag that is an array',
    withSpan({tags: [{key: 'a', value: []}]}),
    'spans[0].tags[0].value',
    /found an array, expected a text/,
  ],
  ['a flag that is a number', withSpan({isError: 1}), 'spans[0].isError', /found 1, expected true or false/],
  [
    'a sum of more than 64 bits',
    withSpan(event({summary: [{value: '9223372036854775808'}]})),
    'spans[0].attachedEvents[0].summary[0].value',
    /64 bits/,
  ],
  [
    'a sum with a fraction',
    withSpan(event({summary: [{value: 0.5}]})),
    'spans[0].attachedEvents[0].summary[0].value',
    /found 0.5, expected an integer of 64 bits/,
  ],
  [
    'too many nanoseconds',
    withSpan(event({startTime: {seconds: 1, nanos: 1e9}})),
    'spans[0].attachedEvents[0].startTime.nanos',
    /999999999/,
  ],
  [
    'seconds that are milliseconds',
    withSpan(event({startTime: {seconds: 1700000040000}})),
    'spans[0].attachedEvents[0].startTime.seconds',
    /seconds/,
  ],
];

for (const [title, segment, key, says] of BAD) {
  test(`${title} is refused with its index and key`, async t => {
    const {items, bad} = await decodeSegments([JSON.stringify([SEGMENT, segment])]);
    t.is(items.length, 1);
    t.is(bad[0]?.index, 1);
    const reason = bad[0]?.reason ?? '';
    t.true(reason.startsWith(`key ${JSON.stringify(key)}: `), reason);
    t.regex(reason, says);
  });
}

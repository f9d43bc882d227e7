import test from 'ava';
import {decodeSpans, SPAN} from './traces-support.js';

const MINIMAL = {traceId: '000000000000000a', id: '000000000000000b'};
const NOTHING_MORE = {...MINIMAL, annotations: [], tags: new Map()};

type Row = readonly [title: string, sent: object, stored: object];

/** What is stored of a span with only its ids and these keys. */
const STORED: readonly Row[] = [
  ['a short trace id is filled up to 16 digits', {traceId: 'a'}, {}],
  [
    'a trace id of 17 digits is filled up to 32',
    {traceId: `1${'0'.repeat(16)}`},
    {traceId: `1${'0'.repeat(16)}`.padStart(32, '0')},
  ],
  ['a trace id of 32 digits stays', {traceId: SPAN.traceId}, {traceId: SPAN.traceId}],
  [
    'a trace id whose upper half is zero has 16 digits',
    {traceId: `${'0'.repeat(16)}48485a3953bb6124`},
    {traceId: '48485a3953bb6124'},
  ],
  ['ids are folded to lower case', {traceId: 'ABC', id: 'DEF'}, {traceId: '0000000000000abc', id: '0000000000000def'}],
  ['a short parent id is filled up', {parentId: '1'}, {parentId: '0000000000000001'}],
  ['a parent id of zero is no parent', {parentId: '0000000000000000'}, {}],
  ['an empty parent id is no parent', {parentId: ''}, {}],
  ['a span is not its own parent', {parentId: 'b'}, {}],
  ['names are folded to lower case', {name: 'GET /Users', kind: 'client'}, {name: 'get /users', kind: 'CLIENT'}],
  ['a kind that is not known is kept', {kind: 'INTERNAL'}, {kind: 'INTERNAL'}],
  ['an empty name and kind are absent', {name: '', kind: ''}, {}],
  [
    'times may be decimal text',
    {timestamp: '1472470996199000', duration: '7'},
    {timestamp: 1472470996199000, duration: 7},
  ],
  ['the fraction of a time as text is cut', {timestamp: '5.5', duration: '12.9'}, {timestamp: 5, duration: 12}],
  ['the key of a tag may be empty', {tags: {'': 'a'}}, {tags: new Map([['', 'a']])}],
  ['times may have an exponent', JSON.parse('{"timestamp":1.472470996199e15}'), {timestamp: 1472470996199000}],
  [
    'the fraction of a time is cut',
    {timestamp: 1472470996199000.5, duration: 7.9},
    {timestamp: 1472470996199000, duration: 7},
  ],
  ['less than a microsecond counts as one', {timestamp: 5, duration: 0.25}, {timestamp: 5, duration: 1}],
  ['times of zero are absent', {timestamp: 0, duration: 0}, {}],
  ['negative times are absent', {timestamp: -1, duration: -5}, {}],
  [
    'null is absent',
    Object.fromEntries(Object.keys(SPAN).flatMap(key => (key === 'id' || key === 'traceId' ? [] : [[key, null]]))),
    {},
  ],
  ['false is absent', {debug: false, shared: false}, {}],
  ['keys that the API does not know are passed over', {links: [{a: {}}], constructor: 1}, {}],
  [
    'a service name is folded to lower case',
    {localEndpoint: {serviceName: 'FrontEnd'}},
    {localEndpoint: {serviceName: 'frontend'}},
  ],
  [
    'an endpoint without anything is absent',
    {localEndpoint: {}, remoteEndpoint: {serviceName: '', ipv4: '', port: 0}},
    {},
  ],
  [
    'an address that is none is dropped',
    {localEndpoint: {ipv4: '1.2.3', ipv6: 'fe80::1%eth0', port: 1}},
    {localEndpoint: {port: 1}},
  ],
  [
    'an IPv6 address is written in its canonical form',
    {localEndpoint: {ipv6: '2001:DB8:0:0:0:0:0:1'}},
    {localEndpoint: {ipv6: '2001:db8::1'}},
  ],
  [
    'an IPv4 address in IPv6 form is one of IPv4',
    {localEndpoint: {ipv6: '::FFFF:192.168.0.1'}},
    {localEndpoint: {ipv4: '192.168.0.1'}},
  ],
  [
    'an address under the key of the other family is taken',
    {localEndpoint: {ipv4: '::1', ipv6: '10.0.0.1'}},
    {localEndpoint: {ipv4: '10.0.0.1', ipv6: '::1'}},
  ],
  ['a port may be decimal text', {localEndpoint: {port: '65535'}}, {localEndpoint: {port: 65535}}],
  ['a negative port is absent', {localEndpoint: {serviceName: 'a', port: -1}}, {localEndpoint: {serviceName: 'a'}}],
  [
    'numbers and booleans in tags become text',
    {tags: {a: 200, b: true, c: 0.5, d: ''}},
    {
      tags: new Map([
        ['a', '200'],
        ['b', 'true'],
        ['c', '0.5'],
        ['d', ''],
      ]),
    },
  ],
  [
    'half of a surrogate pair becomes U+FFFD, wherever it stands',
    {
      name: 'cut \ud83d',
      kind: '\udc00',
      localEndpoint: {serviceName: '\ud83d'},
      annotations: [{timestamp: 1, value: 'a\ud800b'}],
      tags: {'\ud83d': '1', '\udc00': '2', '\uFFFE': '3', a: 'cut \ud83d', b: '\u{1F600}'},
    },
    {
      name: 'cut \uFFFD',
      kind: '\uFFFD',
      localEndpoint: {serviceName: '\uFFFD'},
      annotations: [{timestamp: 1, value: 'a\uFFFDb'}],
      tags: new Map([
        ['a', 'cut \uFFFD'],
        ['b', '\u{1F600}'],
        ['\uFFFD', '2'],
        ['\uFFFE', '3'],
      ]),
    },
  ],
  [
    'any key is a tag',
    JSON.parse('{"tags":{"__proto__":"p","constructor":"c","10":"x","9":"y"}}'),
    {
      tags: new Map([
        ['10', 'x'],
        ['9', 'y'],
        ['__proto__', 'p'],
        ['constructor', 'c'],
      ]),
    },
  ],
  [
    'tags are in the order of code points',
    {tags: {'\u{1F600}': '1', '\uFF00': '2', a: '3'}},
    {
      tags: new Map([
        ['a', '3'],
        ['\uFF00', '2'],
        ['\u{1F600}', '1'],
      ]),
    },
  ],
  [
    'annotations are in the order of time and value, without repetitions',
    {
      annotations: [
        {timestamp: 2, value: 'b'},
        {timestamp: 1, value: 'z', endpoint: {}},
        {timestamp: 2, value: 'a'},
        {timestamp: 2, value: 'b'},
      ],
    },
    {
      annotations: [
        {timestamp: 1, value: 'z'},
        {timestamp: 2, value: 'a'},
        {timestamp: 2, value: 'b'},
      ],
    },
  ],
];

for (const [title, sent, stored] of STORED) {
  test(title, async t => {
    const {items, bad} = await decodeSpans([JSON.stringify([{...MINIMAL, ...sent}])]);
    t.deepEqual(bad, []);
    const [span] = items;
    t.deepEqual(span, {...NOTHING_MORE, ...stored});
    // deepEqual does not look at the order of a map.
    const expected = (stored as {tags?: ReadonlyMap<string, string>}).tags ?? new Map();
    t.deepEqual([...(span?.tags ?? [])], [...expected]);
  });
}

test('a complete span is stored as it is', async t => {
  const {items} = await decodeSpans([JSON.stringify([SPAN])]);
  t.deepEqual(items as readonly unknown[], [{...SPAN, tags: new Map(Object.entries(SPAN.tags))}]);
});

test('an integer in a tag keeps all its digits', async t => {
  const text = JSON.stringify([{...MINIMAL, tags: {a: 'NUMBER', b: '"NUMBER'}}]).replace(
    '"NUMBER"',
    '12345678901234567890',
  );
  const {items} = await decodeSpans([text]);
  t.deepEqual(
    [...(items[0]?.tags ?? [])],
    [
      ['a', '12345678901234567890'],
      ['b', '"NUMBER'],
    ],
  );
});

type BadRow = readonly [title: string, sent: object | string, key: string, says: RegExp];

/** Sent as a number. */
const BEYOND_DOUBLES = '9007199254740993';

const long = (bytes: number): string => 'x'.repeat(bytes);

const BAD: readonly BadRow[] = [
  ['no trace id', {traceId: undefined}, 'traceId', /missing/],
  ['an empty trace id', {traceId: ''}, 'traceId', /found "", expected hex digits/],
  ['a trace id of zeros', {traceId: '0'.repeat(32)}, 'traceId', /not all zero/],
  ['a trace id of 33 digits', {traceId: long(33).replaceAll('x', 'a')}, 'traceId', /1 to 32 hex digits/],
  ['a trace id with a prefix', {traceId: '0x12'}, 'traceId', /found "0x12", expected 1 to 32 hex digits/],
  ['a trace id that is a number', {traceId: 12}, 'traceId', /found 12, expected a text/],
  ['no id', {id: undefined}, 'id', /missing/],
  ['an id of 17 digits', {id: '12345678901234567'}, 'id', /1 to 16 hex digits/],
  ['an id of zeros', {id: '0'}, 'id', /not all zero/],
  ['a parent id that is no hex', {parentId: 'xyz'}, 'parentId', /found "xyz", expected 1 to 16 hex digits/],
  ['a name that is a number', {name: 5}, 'name', /found 5, expected a text/],
  ['a name of 1,025 bytes', {name: long(1025)}, 'name', /found 1025 bytes, expected at most 1024/],
  ['a timestamp that is no number', {timestamp: 'now'}, 'timestamp', /found "now", expected a number/],
  [
    'a timestamp in nanoseconds',
    {timestamp: 1472470996199000000},
    'timestamp',
    /expected microseconds up to 9007199254740991; these look like nanoseconds/,
  ],
  ['a timestamp that no double holds', {timestamp: BEYOND_DOUBLES}, 'timestamp', /: found 9007199254740993, expected/],
  [
    'a time of an annotation that no double holds',
    {annotations: [{timestamp: BEYOND_DOUBLES, value: 'a'}]},
    'annotations[0].timestamp',
    /: found 9007199254740993, expected/,
  ],
  [
    'a duration after which no time is left',
    {timestamp: 9e15, duration: 9e15},
    'duration',
    /expected an end up to 9007199254740991 microseconds/,
  ],
  ['a port that is none', {localEndpoint: {port: 65536}}, 'localEndpoint.port', /found 65536, expected 0 to 65535/],
  ['an endpoint that is a text', {remoteEndpoint: 'backend'}, 'remoteEndpoint', /found "backend", expected an object/],
  ['tags that are an array', {tags: [{key: 'a', value: 'b'}]}, 'tags', /found an array, expected an object/],
  ['a tag that is null', {tags: {'a.b': null}}, 'tags.a.b', /found null, expected a text/],
  ['a tag that is an object', {tags: {a: {}}}, 'tags.a', /found an object, expected a text/],
  ['a key of 1,025 bytes', {tags: {[long(1025)]: 'a'}}, `tags.${long(1025)}`, /in the key itself: found 1025 bytes/],
  ['a tag with a null character', {tags: {a: 'x\0y'}}, 'tags.a', /U\+0000/],
  ['an id of half a character', {id: '\ud800'}, 'id', /found "\uFFFD", expected 1 to 16 hex digits/],
  ['a span of version 1', {binaryAnnotations: []}, 'binaryAnnotations', /version 1 of the Zipkin API/],
  [
    'an annotation of version 1',
    {annotations: [{timestamp: 1, value: 'sr', endpoint: {serviceName: 'frontend', ipv4: '10.0.0.1'}}]},
    'annotations[0].endpoint',
    /version 1 of the Zipkin API; spans of version 2 are taken here/,
  ],
  [
    'an annotation without a value',
    {annotations: [{timestamp: 1, value: 'a'}, {timestamp: 1}]},
    'annotations[1].value',
    /missing/,
  ],
  ['an annotation without a time', {annotations: [{value: 'a'}]}, 'annotations[0].timestamp', /missing/],
  ['an annotation that is a text', {annotations: ['a']}, 'annotations[0]', /found "a", expected an object/],
  ['annotations that are an object', {annotations: {}}, 'annotations', /found an object, expected an array/],
  [
    'a native segment',
    {id: undefined, traceSegmentId: 's', spans: []},
    'id',
    /missing: this is a native segment, and no compat span/,
  ],
  ['a flag that is a text', {shared: 'true'}, 'shared', /found "true", expected true or false/],
];

for (const [title, sent, key, says] of BAD) {
  test(`${title} is refused with its index and key`, async t => {
    const body = JSON.stringify([MINIMAL, {...MINIMAL, ...(sent as object)}, MINIMAL]);
    const {items, bad} = await decodeSpans([body.replaceAll(`"${BEYOND_DOUBLES}"`, BEYOND_DOUBLES)]);
    t.is(items.length, 2);
    t.deepEqual(
      bad.map(({index, line}) => [index, line]),
      [[1, undefined]],
    );
    const reason = bad[0]?.reason ?? '';
    t.true(reason.startsWith(`key ${JSON.stringify(key)}: `), reason);
    t.regex(reason, says);
  });
}

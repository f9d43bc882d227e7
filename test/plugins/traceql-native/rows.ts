import type {NativeSpan} from '../../../core/api/plugin.js';
import {attributes} from '../traceql/otlp/read.js';
import {reference} from './segments.js';

export const hex = (text: string): string => Buffer.from(text, 'utf8').toString('hex');

/** What the default span becomes: every key that a span of the answer has. */
export const CONVERTED = {
  traceId: hex('a12.38.17739924187687539'),
  spanId: hex('a12.38.1S0'),
  name: 'POST:/users',
  kind: 'SPAN_KIND_SERVER',
  startTimeUnixNano: '1700000040000000000',
  endTimeUnixNano: '1700000040123000000',
  attributes: attributes('component=Tomcat', 'layer=Http'),
  events: [] as unknown[],
  status: {code: 'STATUS_CODE_OK'} as {code: string; message?: string},
};

const pairs = (...texts: readonly string[]): {key: string; value: string}[] =>
  attributes(...texts).map(({key, value}) => ({key, value: value.stringValue}));

const instant = (seconds: bigint, nanos: number): {seconds: bigint; nanos: number} => ({seconds, nanos});

type Row = readonly [
  rule: string,
  span: Partial<NativeSpan>,
  expected: Partial<typeof CONVERTED> & {readonly parentSpanId?: string},
];

const FIELDS: readonly Row[] = [
  ['a span without more becomes no more', {}, {}],
  ['the type Exit is a client', {spanType: 'Exit'}, {kind: 'SPAN_KIND_CLIENT'}],
  ['the type Local is internal', {spanType: 'Local'}, {kind: 'SPAN_KIND_INTERNAL'}],
  ['an absent type is unspecified', {spanType: ''}, {kind: 'SPAN_KIND_UNSPECIFIED'}],
  ['another type is internal', {spanType: 'Batch'}, {kind: 'SPAN_KIND_INTERNAL'}],
  [
    'an error has a status and a message',
    {isError: true},
    {status: {code: 'STATUS_CODE_ERROR', message: 'Error occurred'}},
  ],
  ['a span without a name is called by its type', {operationName: ''}, {name: 'Entry'}],
  [
    'a span with neither name nor type is unknown',
    {operationName: '', spanType: ''},
    {name: 'unknown', kind: 'SPAN_KIND_UNSPECIFIED'},
  ],
  [
    'milliseconds are exact',
    {startTime: 1, endTime: 9_007_199_254_740},
    {startTimeUnixNano: '1000000', endTimeUnixNano: '9007199254740000000'},
  ],
  ['no time is 0', {startTime: 0, endTime: 0}, {startTimeUnixNano: '0', endTimeUnixNano: '0'}],
  [
    'tags come first, in their order, then the peer, the component and the layer',
    {tags: pairs('url=http://users', 'http.method=POST', 'empty='), peer: '10.0.0.1:80'},
    {
      attributes: attributes(
        'url=http://users',
        'http.method=POST',
        'empty=',
        'peer.address=10.0.0.1:80',
        'component=Tomcat',
        'layer=Http',
      ),
    },
  ],
  [
    'of a repeated tag the last value stands, where the first stood',
    {tags: pairs('a=1', 'b=2', 'a=3')},
    {attributes: attributes('a=3', 'b=2', 'component=Tomcat', 'layer=Http')},
  ],
  [
    'a repeated tag among many is one too',
    {tags: pairs(...Array.from({length: 20}, (_, index) => `tag${index}=${index}`), 'tag0=last')},
    {
      attributes: attributes(
        'tag0=last',
        ...Array.from({length: 19}, (_, index) => `tag${index + 1}=${index + 1}`),
        'component=Tomcat',
        'layer=Http',
      ),
    },
  ],
  [
    'a tag wins over an added attribute of the same key',
    {tags: pairs('layer=mine', 'component=', 'peer.address=there'), peer: '10.0.0.1:80'},
    {attributes: attributes('layer=mine', 'component=', 'peer.address=there')},
  ],
  ['a component of another number', {componentId: 5}, {attributes: attributes('component=Mysql', 'layer=Http')}],
  ['no component', {componentId: 0}, {attributes: attributes('component=N/A', 'layer=Http')}],
  ['an unknown component', {componentId: 99_999}, {attributes: attributes('component=N/A', 'layer=Http')}],
  [
    'a component by name',
    {componentId: 0, component: 'HomeMade'},
    {attributes: attributes('component=HomeMade', 'layer=Http')},
  ],
  [
    'the number of a component wins over its name',
    {componentId: 5, component: 'HomeMade'},
    {attributes: attributes('component=Mysql', 'layer=Http')},
  ],
  ['the layer Unknown is shown', {spanLayer: 'Unknown'}, {attributes: attributes('component=Tomcat', 'layer=Unknown')}],
  [
    'logs become events, their data attributes, of a repeated key the last value',
    {
      logs: [
        {time: 1_700_000_040_050, data: pairs('event=error', 'stack=a\nb', 'event=again')},
        {time: 1_700_000_040_051, data: []},
      ],
    },
    {
      events: [
        {timeUnixNano: '1700000040050000000', name: 'log', attributes: attributes('event=again', 'stack=a\nb')},
        {timeUnixNano: '1700000040051000000', name: 'log', attributes: []},
      ],
    },
  ],
  [
    'attached events follow the logs, exact to the nanosecond, with tags and summary',
    {
      logs: [{time: 1_700_000_040_100, data: []}],
      attachedEvents: [
        {
          startTime: instant(1_700_000_040n, 5),
          endTime: instant(1_700_000_041n, 9),
          event: 'tcp connect',
          tags: pairs('k=v', 'n=tag'),
          summary: [
            {key: 'n', value: 3n},
            {key: 'big', value: 9_223_372_036_854_775_807n},
            {key: 'low', value: -1n},
          ],
        },
        {startTime: instant(0n, 0), endTime: instant(0n, 0), event: '', tags: [], summary: []},
      ],
    },
    {
      events: [
        {timeUnixNano: '1700000040100000000', name: 'log', attributes: []},
        {
          timeUnixNano: '1700000040000000005',
          name: 'tcp connect',
          attributes: attributes('k=v', 'n=3', 'big=9223372036854775807', 'low=-1'),
        },
        {timeUnixNano: '0', name: '', attributes: []},
      ],
    },
  ],
];

export const ours = reference({parentTraceSegmentId: 'a12.38.0', parentSpanId: 2});
const foreign = reference({traceId: 'b', parentTraceSegmentId: 'b.1'});
const PARENTS: readonly (readonly [rule: string, span: Partial<NativeSpan>, parent: string | undefined])[] = [
  ['a first span without a caller is a root', {}, undefined],
  ['a span within a segment', {spanId: 3, parentSpanId: 2}, 'a12.38.1S2'],
  ['a span within a segment, whatever references it has', {spanId: 3, parentSpanId: 2, refs: [ours]}, 'a12.38.1S2'],
  ['a called segment', {refs: [ours]}, 'a12.38.0S2'],
  ['a segment continued in another thread', {refs: [{...ours, refType: 'CrossThread'}]}, 'a12.38.0S2'],
  ['the first of several callers', {refs: [ours, {...ours, parentSpanId: 7}]}, 'a12.38.0S2'],
  ['callers of another trace are none', {refs: [foreign, ours]}, 'a12.38.0S2'],
  ['only callers of another trace', {refs: [foreign]}, undefined],
  [
    'a span that names itself as its caller',
    {refs: [{...ours, parentTraceSegmentId: 'a12.38.1', parentSpanId: 0}]},
    undefined,
  ],
  ['a parent beyond ASCII', {refs: [{...ours, parentTraceSegmentId: 'é'}]}, 'éS2'],
];

function parentRow([whose, span, parent]: (typeof PARENTS)[number]): Row {
  const expected = {
    ...(span.spanId === undefined ? {} : {spanId: hex(`a12.38.1S${span.spanId}`)}),
    ...(parent === undefined ? {} : {parentSpanId: hex(parent)}),
  };
  return [`the parent of ${whose}`, span, expected];
}

/** Every rule of the conversion that one span shows. */
export const ROWS: readonly Row[] = [...FIELDS, ...PARENTS.map(parentRow)];

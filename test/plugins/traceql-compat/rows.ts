import {attributes} from '../traceql/otlp/read.js';
import {type SpanChange, TRACE_ID} from './spans.js';

/** What the default span becomes: every key that a span of the answer has. */
export const CONVERTED = {
  traceId: TRACE_ID,
  spanId: '64fe8b2a57d3eff7',
  name: 'get /songs',
  kind: 'SPAN_KIND_SERVER',
  startTimeUnixNano: '1700000040123457000',
  endTimeUnixNano: '1700000040125802000',
  attributes: attributes(),
  events: [] as unknown[],
  status: {code: 'STATUS_CODE_UNSET'} as {code: string; message?: string},
};

const tags = (...pairs: readonly string[]): Map<string, string> =>
  new Map(attributes(...pairs).map(({key, value}) => [key, value.stringValue]));

type Row = readonly [
  rule: string,
  span: SpanChange,
  expected: Partial<typeof CONVERTED> & {readonly parentSpanId?: string},
];

const FIELDS: readonly Row[] = [
  ['a span without more becomes no more', {}, {}],
  ['the kind CLIENT', {kind: 'CLIENT'}, {kind: 'SPAN_KIND_CLIENT'}],
  ['the kind PRODUCER', {kind: 'PRODUCER'}, {kind: 'SPAN_KIND_PRODUCER'}],
  ['the kind CONSUMER', {kind: 'CONSUMER'}, {kind: 'SPAN_KIND_CONSUMER'}],
  ['an absent kind is UNSPECIFIED', {kind: undefined}, {kind: 'SPAN_KIND_UNSPECIFIED'}],
  ['another kind is INTERNAL', {kind: 'BROKER'}, {kind: 'SPAN_KIND_INTERNAL'}],
  ['an absent name is empty', {name: undefined}, {name: ''}],
  ['an absent duration ends at the start', {duration: undefined}, {endTimeUnixNano: '1700000040123457000'}],
  ['an absent time is 0', {timestamp: undefined}, {startTimeUnixNano: '0', endTimeUnixNano: '2345000'}],
  [
    'neither time nor duration is 0',
    {timestamp: undefined, duration: undefined},
    {startTimeUnixNano: '0', endTimeUnixNano: '0'},
  ],
  [
    'microseconds are exact to the last one',
    {timestamp: 9_007_199_254_740_990, duration: 1},
    {startTimeUnixNano: '9007199254740990000', endTimeUnixNano: '9007199254740991000'},
  ],
  [
    'tags stay in their order, those that tell the status too',
    {tags: tags('a=', 'error=true', 'http.method=GET', 'otel.status_code=OK', 'otel.status_description=fine')},
    {
      attributes: attributes(
        'a=',
        'error=true',
        'http.method=GET',
        'otel.status_code=OK',
        'otel.status_description=fine',
      ),
      status: {code: 'STATUS_CODE_OK', message: 'fine'},
    },
  ],
  [
    'endpoints become attributes after the tags, in a fixed order',
    {
      tags: tags('z=1'),
      localEndpoint: {serviceName: 'songs', ipv4: '172.23.0.5', port: 8080},
      remoteEndpoint: {serviceName: 'backend', ipv4: '172.23.0.4', port: 9000},
    },
    {
      attributes: attributes(
        'z=1',
        'net.host.ip=172.23.0.5',
        'net.host.port=8080',
        'net.peer.name=backend',
        'peer.service=backend',
        'net.peer.ip=172.23.0.4',
        'net.peer.port=9000',
      ),
    },
  ],
  [
    'an IPv6 address stands where there is no IPv4 address',
    {localEndpoint: {serviceName: 'songs', ipv6: '2001:db8::1'}, remoteEndpoint: {ipv6: '2001:db8::2'}},
    {attributes: attributes('net.host.ip=2001:db8::1', 'net.peer.ip=2001:db8::2')},
  ],
  [
    'of two addresses the IPv4 address stands',
    {
      localEndpoint: {serviceName: 'songs', ipv4: '10.0.0.1', ipv6: '2001:db8::1'},
      remoteEndpoint: {ipv4: '10.0.0.2', ipv6: '2001:db8::2'},
    },
    {attributes: attributes('net.host.ip=10.0.0.1', 'net.peer.ip=10.0.0.2')},
  ],
  [
    'a tag wins over an endpoint of the same key, and each key stands once',
    {
      tags: tags('net.host.ip=tag', 'net.host.port=', 'net.peer.ip=tag', 'net.peer.port=tag', 'peer.service=tag'),
      localEndpoint: {serviceName: 'songs', ipv4: '10.0.0.1', port: 80},
      remoteEndpoint: {serviceName: 'backend', ipv4: '10.0.0.2', port: 81},
    },
    {
      attributes: attributes(
        'net.host.ip=tag',
        'net.host.port=',
        'net.peer.ip=tag',
        'net.peer.port=tag',
        'peer.service=tag',
        'net.peer.name=backend',
      ),
    },
  ],
  [
    'annotations become events without attributes',
    {
      annotations: [
        {timestamp: 1_700_000_040_123_458, value: 'ws'},
        {timestamp: 1_700_000_040_123_459, value: ''},
      ],
    },
    {
      events: [
        {timeUnixNano: '1700000040123458000', name: 'ws', attributes: []},
        {timeUnixNano: '1700000040123459000', name: '', attributes: []},
      ],
    },
  ],
  ['flags are not shown', {debug: true, shared: true}, {}],
  [
    'a parent is written as it is stored, also one that the trace does not have',
    {parentId: '00000000000000ab'},
    {parentSpanId: '00000000000000ab'},
  ],
];

const STATUSES: readonly (readonly [tags: readonly string[], code: string, message?: string])[] = [
  [['otel.status_code=STATUS_CODE_OK'], 'OK'],
  [['otel.status_code=STATUS_CODE_ERROR'], 'ERROR'],
  [['otel.status_code=STATUS_CODE_UNSET'], 'UNSET'],
  [['otel.status_code=OK'], 'OK'],
  [['otel.status_code=error'], 'ERROR'],
  [['error=true', 'otel.status_code=Unset'], 'UNSET'],
  [['error=true', 'otel.status_code=STATUS_CODE_OK'], 'OK'],
  [['otel.status_code=UNRECOGNIZED'], 'UNSET'],
  [['error=true', 'otel.status_code=2'], 'ERROR'],
  [['error=true'], 'ERROR'],
  [['error=TRUE'], 'ERROR'],
  [['error=True'], 'ERROR'],
  [['error=false'], 'UNSET'],
  [['error='], 'UNSET'],
  [['error=500'], 'UNSET'],
  [['error= true '], 'UNSET'],
  [['otel.status_description=because'], 'UNSET', 'because'],
  [['error=true', 'otel.status_description=because'], 'ERROR', 'because'],
  [['error=true', 'otel.status_description='], 'ERROR'],
];

function statusRow([pairs, code, message]: (typeof STATUSES)[number]): Row {
  const status = {code: `STATUS_CODE_${code}`, ...(message === undefined ? {} : {message})};
  const rule = `the status by ${pairs.join(' and ')} is ${code}${message === undefined ? '' : ` (${message})`}`;
  return [rule, {tags: tags(...pairs)}, {attributes: attributes(...pairs), status}];
}

/** Every rule of the conversion that one span shows. */
export const ROWS: readonly Row[] = [...FIELDS, ...STATUSES.map(statusRow)];

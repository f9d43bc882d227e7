import type {Segment} from '../../../core/api/plugin.js';
import {nativeSpan} from '../../../storage-adapters/conformance/data/spans.js';
import type {PlainSpan} from '../../fixtures/memory-adapter.js';

/** Unix seconds at which the scene begins. */
export const T0 = 1_700_000_040;

const at = (milliseconds: number): number => T0 * 1_000_000 + milliseconds * 1000;

/** A request through two services; both halves of the call between them share an id. The oldest trace. */
export const SHOP = '463ac35c9f6413ad463ac35c9f6413ad';
/** One span of 0.4 ms, ten seconds later. */
export const CART = '00000000000000ca';
/** Two spans whose parent was never received, twenty seconds later. */
export const ORPHANS = '0af7651916cd43dd8448eb211c80319c';
/** A span without a time: found by its id alone. */
export const TIMELESS = '00000000000000ff';

export const COMPAT_SPANS: readonly PlainSpan[] = [
  {
    traceId: SHOP,
    id: '0000000000000003',
    parentId: '0000000000000002',
    kind: 'SERVER',
    shared: true,
    name: 'get /api',
    timestamp: at(12),
    duration: 46_000,
    localEndpoint: {serviceName: 'backend', ipv4: '172.23.0.4', port: 9000},
    tags: {error: 'true', 'http.method': 'GET', 'http.status_code': '500'},
  },
  {
    traceId: SHOP,
    id: '0000000000000003',
    parentId: '0000000000000002',
    kind: 'CLIENT',
    name: 'get',
    timestamp: at(10),
    duration: 50_000,
    localEndpoint: {serviceName: 'frontend', ipv4: '172.23.0.5'},
    remoteEndpoint: {serviceName: 'backend', ipv4: '172.23.0.4', port: 9000},
    tags: {'http.method': 'GET', 'http.path': '/api'},
  },
  {
    traceId: SHOP,
    id: '0000000000000002',
    kind: 'SERVER',
    name: 'post /',
    timestamp: at(0),
    duration: 100_000,
    localEndpoint: {serviceName: 'frontend', ipv4: '172.23.0.5'},
    annotations: [{timestamp: at(5), value: 'wr'}],
    tags: {'http.method': 'POST', 'http.path': '/'},
  },
  {
    traceId: CART,
    id: '00000000000000c1',
    name: 'sub',
    timestamp: at(10_000),
    duration: 400,
    localEndpoint: {serviceName: 'cart'},
    tags: {empty: '', error: 'Ooops!', 'foo bar': 'baz', name: 'Tagged', 'otel.status_code': 'Ok', 'quo"te': 'a\nb'},
  },
  {
    traceId: ORPHANS,
    id: '00000000000000b2',
    parentId: '00000000000000b1',
    kind: 'CONSUMER',
    name: 'later',
    timestamp: at(20_001),
    duration: 1,
    localEndpoint: {serviceName: 'worker'},
    tags: {'mq.topic': 'orders/new'},
  },
  {
    traceId: ORPHANS,
    id: '00000000000000b3',
    parentId: '00000000000000b1',
    kind: 'ODD',
    timestamp: at(20_000),
    tags: {'mq.topic': 'orders/old', 'span.kind': 'odd'},
  },
  {traceId: TIMELESS, id: '00000000000000f1', name: 'timeless', tags: {lost: 'yes'}},
];

/** Native ids are any text. */
export const USERS = 'abc123=.test';
export const USERS_HEX = '6162633132333d2e74657374';

const milliseconds = (offset: number): number => T0 * 1000 + offset;

const span = nativeSpan(0, 0, {spanLayer: 'Http', componentId: 1});

export const SEGMENTS: readonly Segment[] = [
  {
    traceId: USERS,
    traceSegmentId: 'seg.b',
    layer: 'GENERAL',
    service: 'provider',
    serviceInstance: 'provider1',
    spans: [
      {
        ...span,
        spanId: 0,
        parentSpanId: -1,
        startTime: milliseconds(20),
        endTime: milliseconds(80),
        operationName: 'POST:/users',
        spanType: 'Entry',
        isError: true,
        tags: [
          {key: 'http.method', value: 'GET'},
          {key: 'http.method', value: 'POST'},
          {key: 'http.status_code', value: '500'},
        ],
        refs: [
          {
            refType: 'CrossProcess',
            traceId: USERS,
            parentTraceSegmentId: 'seg.a',
            parentSpanId: 1,
            parentService: 'consumer',
            parentServiceInstance: 'consumer1',
            parentEndpoint: 'POST:/users',
            networkAddressUsedAtPeer: 'provider:9090',
          },
        ],
      },
    ],
  },
  {
    traceId: USERS,
    traceSegmentId: 'seg.a',
    layer: 'GENERAL',
    service: 'consumer',
    serviceInstance: 'consumer1',
    spans: [
      {
        ...span,
        spanId: 1,
        parentSpanId: 0,
        startTime: milliseconds(10),
        endTime: milliseconds(90),
        operationName: '/users',
        spanType: 'Exit',
        peer: 'provider:9090',
        tags: [{key: 'http.method', value: 'POST'}],
      },
      {
        ...span,
        spanId: 0,
        parentSpanId: -1,
        startTime: milliseconds(0),
        endTime: milliseconds(123),
        operationName: 'POST:/users',
        spanType: 'Entry',
        tags: [{key: 'http.method', value: 'POST'}],
        refs: [
          {
            refType: 'CrossProcess',
            traceId: USERS,
            parentTraceSegmentId: 'never.received',
            parentSpanId: 0,
            parentService: '',
            parentServiceInstance: '',
            parentEndpoint: '',
            networkAddressUsedAtPeer: '',
          },
        ],
      },
    ],
  },
];

export const spanHex = (text: string): string => Buffer.from(text).toString('hex');

import {recorded} from '../../core/rehearse/scene.js';

/** The start of an hour, in Unix seconds: all data lie in the hour from here, and in the one before. */
export const HOUR = 1_700_002_800;
const MINUTES = 12;

export interface MetricRecord {
  record: string;
  metric?: string;
  name?: string;
  time?: number;
  value?: number;
  labels?: Record<string, string>;
  [key: string]: unknown;
}

export interface SubjectSpan {
  id: string;
  tags: Record<string, string>;
  timestamp: number;
  duration: number;
  [key: string]: unknown;
}

export interface SubjectSegment {
  traceSegmentId: string;
  spans: Record<string, unknown>[];
  [key: string]: unknown;
}

export interface SubjectOtlpSpan {
  spanId: string;
  attributes: {key: string; value: Record<string, unknown>}[];
  events: Record<string, unknown>[];
  links: Record<string, unknown>[];
  [key: string]: unknown;
}

/** What a storage holds of one service that nothing else shares: its metrics too are its own. */
export interface SubjectData {
  metrics: MetricRecord[];
  spans: SubjectSpan[];
  segments: SubjectSegment[];
  otlp: SubjectOtlpSpan[];
}

const hex = (number: number, digits: number): string => number.toString(16).padStart(digits, '0');
const compatId = (i: number, n: number): string => hex(0x1000_0000 + i * 16 + n, 32);
const otlpId = (i: number): string => hex(0x2000_0000 + i, 32);
const nativeId = (i: number): string => `1.2.${i}`;
export const serviceOf = (i: number): string => `s${i}`;

export function subject(i: number): SubjectData {
  return {
    metrics: metrics(i),
    spans: [0, 1].flatMap(n => spans(i, n)),
    segments: [0, 1].map(n => segment(i, n)),
    otlp: otlp(i),
  };
}

function metrics(i: number): MetricRecord[] {
  const service = {layer: 'GENERAL', service: serviceOf(i)};
  const records: MetricRecord[] = [
    {record: 'metric', name: `own_${i}`, scope: 'Service', kind: 'common', type: 'gauge', help: 'calls', unit: 'ms'},
    {record: 'metric', name: `labeled_${i}`, scope: 'Service', kind: 'labeled', valueLabels: ['p']},
    {record: 'metric', name: `pods_${i}`, scope: 'ServiceInstance', kind: 'common'},
    {record: 'metric', name: `calls_${i}`, scope: 'ServiceRelation', kind: 'common'},
    {record: 'metric', name: `slow_${i}`, scope: 'Service', kind: 'sampled-record'},
    ...['/a', '/b'].map(endpoint => ({record: 'entity', scope: 'Endpoint', ...service, endpoint, time: HOUR})),
  ];
  const sample = (metric: string, minute: number, value: number, more: object = {}): void =>
    void records.push({
      record: 'sample',
      metric: `${metric}_${i}`,
      ...service,
      ...more,
      time: HOUR + 60 * minute,
      value,
    });
  for (let minute = 0; minute < MINUTES; minute++) {
    sample('own', minute - 2, (i + 7 * minute + 1) / 3);
    for (const p of ['50', '99']) sample('labeled', minute, Number(p) + minute, {labels: {p}});
    // Two of the three are alike.
    for (const [n, serviceInstance] of ['pod-a', 'pod-b', 'pod-c'].entries())
      sample('pods', minute, n === 2 ? 9 : 4, {serviceInstance});
    sample('calls', minute, minute, {destLayer: 'GENERAL', destService: `${serviceOf(i)}-db`});
  }
  for (const [n, content] of ['select 1', 'select 2', 'select 3'].entries()) {
    records.push({
      record: 'sampled-record',
      metric: `slow_${i}`,
      ...service,
      content,
      time: HOUR + n,
      value: 10 - n,
      traceId: `t${n}`,
    });
  }
  return records;
}

function spans(i: number, n: number): SubjectSpan[] {
  const at = (HOUR + 60 * n) * 1_000_000;
  return ['a', 'b', 'c'].map((letter, depth) => ({
    traceId: compatId(i, n),
    id: letter.repeat(16),
    ...(depth === 0 ? {} : {parentId: 'a'.repeat(16)}),
    name: `get ${letter}`,
    kind: depth === 0 ? 'SERVER' : 'CLIENT',
    timestamp: at + depth * 1000,
    duration: 9000 - 1000 * depth,
    localEndpoint: {serviceName: serviceOf(i), ipv4: '10.0.0.1', port: 80},
    remoteEndpoint: {serviceName: 'db', ipv4: '10.0.0.2'},
    annotations: [{timestamp: at + 1, value: 'wait'}],
    tags: {'http.method': 'GET', 'http.status_code': '200'},
  }));
}

function segment(i: number, n: number): SubjectSegment {
  const traceId = nativeId(i);
  const start = HOUR * 1000 + n * 10;
  const refs = [
    {
      refType: 'CrossProcess',
      traceId,
      parentTraceSegmentId: `${traceId}.0`,
      parentSpanId: 1,
      parentService: serviceOf(i),
      parentServiceInstance: 'pod-0',
      parentEndpoint: '/a',
      networkAddressUsedAtPeer: '10.0.0.1:80',
    },
  ];
  return {
    traceId,
    traceSegmentId: `${traceId}.${n}`,
    service: serviceOf(i),
    serviceInstance: `pod-${n}`,
    spans: [0, 1].map(spanId => ({
      spanId,
      parentSpanId: spanId - 1,
      startTime: start + spanId,
      endTime: start + 100 - spanId,
      operationName: `/op/${spanId}`,
      peer: 'db:5432',
      spanType: spanId === 0 ? 'Entry' : 'Exit',
      spanLayer: 'Http',
      componentId: 2,
      isError: false,
      skipAnalysis: false,
      tags: [
        {key: 'http.method', value: 'GET'},
        {key: 'db.type', value: 'sql'},
      ],
      logs: [{time: start + 1, data: [{key: 'event', value: 'error'}]}],
      refs: n === 1 && spanId === 0 ? refs : [],
      attachedEvents: [],
    })),
  };
}

function otlp(i: number): SubjectOtlpSpan[] {
  return ['d', 'e'].map((letter, depth) => ({
    traceId: otlpId(i),
    spanId: letter.repeat(16),
    parentSpanId: depth === 0 ? '' : 'd'.repeat(16),
    traceState: 'a=b',
    name: `op ${letter}`,
    kind: 2,
    startTimeUnixNano: `${HOUR}00000000${depth}`,
    endTimeUnixNano: `${HOUR}50000000${depth}`,
    status: {code: 1},
    droppedAttributesCount: 1,
    attributes: [
      {key: 'text', value: {stringValue: '5'}},
      {key: 'whole', value: {intValue: '5'}},
      {key: 'half', value: {doubleValue: 0.5}},
      {key: 'yes', value: {boolValue: true}},
      {key: 'list', value: {arrayValue: {values: [{intValue: '1'}, {intValue: '2'}]}}},
    ],
    events: [{timeUnixNano: `${HOUR}000000100`, name: 'event', attributes: [{key: 'n', value: {intValue: '1'}}]}],
    links: [{traceId: 'f'.repeat(32), spanId: 'f'.repeat(16), traceState: 'l=1'}],
  }));
}

/** As an OTLP request in JSON: each span under a resource of its service. */
export function otlpRequest(i: number, spans: readonly SubjectOtlpSpan[]): string {
  const resource = {attributes: [{key: 'service.name', value: {stringValue: serviceOf(i)}}]};
  const resourceSpans = spans.map(({scope = {name: 'lib', version: '1'}, resource: own = resource, ...span}) => ({
    resource: own,
    scopeSpans: [{scope, spans: [span]}],
  }));
  return JSON.stringify({resourceSpans});
}

const WINDOW = {start: String(HOUR - 600), end: String(HOUR + 2400)};
const HOURS = {start: String(HOUR - 7200), end: String(HOUR + 3599)};

/** What a dashboard asks about a subject, as lines of a recording. */
export function requestsOf(i: number): readonly string[] {
  const labels = `layer='GENERAL',service='${serviceOf(i)}'`;
  const ranked = (order: string): string =>
    `pods_${i}{layer='GENERAL',parent_service='${serviceOf(i)}',top_n='5',order='${order}'}`;
  const metric = (path: string, parameters: Readonly<Record<string, string>>): string =>
    recorded('promql-subset', `/api/v1/${path}`, parameters);
  const traced = (kind: string, path: string, parameters: Readonly<Record<string, string>> = {}): string =>
    recorded(`traceql-${kind}`, `/${kind}/api/${path}`, parameters);
  const search = (kind: string): readonly string[] => {
    const q = `{resource.service.name="${serviceOf(i)}"}`;
    return [
      traced(kind, 'search', {q, ...WINDOW}),
      traced(kind, 'v2/search/tags', {q, ...WINDOW}),
      ...['span.http.method', 'span.text', 'name'].map(tag =>
        traced(kind, `v2/search/tag/${tag}/values`, {q, ...WINDOW}),
      ),
    ];
  };
  return [
    metric('query_range', {query: `own_${i}{${labels}}`, ...WINDOW}),
    metric('query_range', {query: `own_${i}{${labels}}`, ...HOURS}),
    metric('query', {query: `own_${i}{${labels}}`, time: String(HOUR + 300)}),
    metric('query_range', {query: `labeled_${i}{${labels}}`, ...WINDOW}),
    metric('query_range', {
      query: `calls_${i}{${labels},dest_layer='GENERAL',dest_service='${serviceOf(i)}-db'}`,
      ...WINDOW,
    }),
    metric('query_range', {query: ranked('DES'), ...WINDOW}),
    metric('query_range', {query: ranked('ASC'), ...WINDOW}),
    metric('query_range', {
      query: `slow_${i}{layer='GENERAL',parent_service='${serviceOf(i)}',top_n='5',order='DES'}`,
      ...WINDOW,
    }),
    metric('metadata', {metric: `own_${i}`}),
    metric('label/p/values', {'match[]': `labeled_${i}{${labels}}`, end: WINDOW.end}),
    metric('series', {'match[]': `endpoint_traffic{${labels}}`, ...WINDOW}),
    metric('series', {'match[]': `instance_traffic{${labels}}`, ...WINDOW}),
    ...[0, 1].map(n => traced('compat', `v2/traces/${compatId(i, n)}`)),
    traced('native', `v2/traces/${Buffer.from(nativeId(i)).toString('hex')}`),
    traced('otlp', `v2/traces/${otlpId(i)}`),
    ...['compat', 'native', 'otlp'].flatMap(search),
  ];
}

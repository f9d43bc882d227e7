import type {BadRecord, IngestFormat} from '../../../core/api/ingest-format.js';
import type {CompatSpan, Readers, Segment} from '../../../core/api/plugin.js';
import {CompatSpans} from '../../../plugins/ingest/formats/compat-spans/format.js';
import {NativeSegments} from '../../../plugins/ingest/formats/native-segments/format.js';
import {CALL} from './support.js';

export interface DecodedItems<Item> {
  readonly items: readonly Item[];
  readonly bad: readonly BadRecord[];
  /** How many values were cut. */
  readonly cut: number;
}

type Pieces = readonly (string | Uint8Array)[];

/** Decodes a body of compat spans that comes in these pieces. */
export const decodeSpans = (pieces: Pieces): Promise<DecodedItems<CompatSpan>> =>
  decode(new CompatSpans({spanTags: 1000}), pieces);

export const decodeSegments = (pieces: Pieces): Promise<DecodedItems<Segment>> =>
  decode(new NativeSegments({spanTags: 1000}), pieces);

async function decode<Item>(format: IngestFormat, pieces: Pieces): Promise<DecodedItems<Item>> {
  const items: Item[] = [];
  const write = async (batch: readonly unknown[]): Promise<void> => {
    items.push(...(batch as readonly Item[]));
  };
  const writers: Readers = {'ingest.compat.v1': {write}, 'ingest.native.v1': {write}};
  const bad: BadRecord[] = [];
  const intake = await format.begin(writers, CALL);
  for (const piece of pieces) await intake.decode(Buffer.from(piece), each => bad.push(each));
  await intake.finish(each => bad.push(each));
  if (intake.pending > 0) await intake.write();
  return {items, bad, cut: intake.cut};
}

/** The same bytes in pieces of this size. */
export function cut(bytes: Uint8Array, size: number): readonly Uint8Array[] {
  return Array.from({length: Math.ceil(bytes.length / size)}, (_, i) => bytes.subarray(i * size, (i + 1) * size));
}

export const SPAN = {
  traceId: '463ac35c9f6413ad48485a3953bb6124',
  id: 'a2fb4a1d1a96d312',
  parentId: '72485a3953bb6124',
  kind: 'SERVER',
  name: 'get /api',
  timestamp: 1472470996199000,
  duration: 207000,
  localEndpoint: {serviceName: 'frontend', ipv4: '127.0.0.1', port: 8080},
  remoteEndpoint: {serviceName: 'backend', ipv6: '2001:db8::c001', port: 9000},
  annotations: [{timestamp: 1472470996238000, value: 'foo'}],
  tags: {'http.method': 'GET', 'http.path': '/api'},
  debug: true,
  shared: true,
} as const;

export const NATIVE_SPAN = {
  spanId: 0,
  parentSpanId: -1,
  startTime: 1700000040000,
  endTime: 1700000040123,
  operationName: 'POST:/users',
  peer: '10.0.0.1:80',
  spanType: 'Entry',
  spanLayer: 'Http',
  componentId: 1,
  isError: true,
  skipAnalysis: false,
  tags: [
    {key: 'http.method', value: 'POST'},
    {key: 'http.method', value: 'PUT'},
  ],
  logs: [{time: 1700000040050, data: [{key: 'event', value: 'error'}]}],
  refs: [
    {
      refType: 'CrossProcess',
      traceId: 'a12.38.17739924187687539',
      parentTraceSegmentId: 'a12.38.1',
      parentSpanId: 1,
      parentService: 'gateway',
      parentServiceInstance: 'gateway1',
      parentEndpoint: '/',
      networkAddressUsedAtPeer: '10.0.0.2:80',
    },
  ],
  attachedEvents: [
    {
      startTime: {seconds: 1700000040, nanos: 5},
      event: 'tcp connect',
      endTime: {seconds: 1700000040, nanos: 9},
      tags: [{key: 'k', value: 'v'}],
      summary: [{key: 'n', value: 3}],
    },
  ],
} as const;

export const SEGMENT = {
  traceId: 'a12.38.17739924187687539',
  traceSegmentId: 'a12.38.17739924187687538',
  service: 'consumer',
  serviceInstance: 'consumer1',
  spans: [NATIVE_SPAN],
} as const;

/** The attached event of `NATIVE_SPAN` as it is stored. */
export const STORED_EVENT = {
  ...NATIVE_SPAN.attachedEvents[0],
  startTime: {seconds: 1700000040n, nanos: 5},
  endTime: {seconds: 1700000040n, nanos: 9},
  summary: [{key: 'n', value: 3n}],
};

export const STORED_SEGMENT = {
  ...SEGMENT,
  layer: 'GENERAL',
  spans: [{...NATIVE_SPAN, attachedEvents: [STORED_EVENT]}],
};

import {fileURLToPath} from 'node:url';
import type {ExecutionContext} from 'ava';
import type {Call, OtlpSpan, Readers} from '../../../../core/api/plugin.js';
import memory from '../../../fixtures/memory-adapter.js';
import {type OpenGateway, openGateway} from '../../../support/library.js';
import {CALL} from '../../ingest/support.js';

export const ADAPTER = fileURLToPath(new URL('../../../fixtures/memory-adapter.js', import.meta.url));

export interface Receiver extends OpenGateway {
  /** Of OTLP over HTTP, with its path. */
  readonly traces: string;
  readonly grpc: string;
  /** What reads the storage. */
  readonly readers: Required<Readers>;
  /** All spans of a trace, none when it is not stored. */
  stored(traceId: string): Promise<readonly OtlpSpan[]>;
}

export interface ReceiverOptions {
  readonly config?: object;
  readonly without?: readonly string[];
  readonly limits?: object;
}

let spaces = 0;

/** A gateway in this process that receives OTLP into the memory of the conformance kit. */
export async function openReceiver(
  t: Pick<ExecutionContext, 'teardown'>,
  {config = {}, without = [], limits = {}}: ReceiverOptions = {},
): Promise<Receiver> {
  const space = `receiver ${spaces++}`;
  const gateway = await openGateway(t as ExecutionContext, {
    listeners: {otlp: {port: 0}, admin: {port: 0}},
    storage: {use: ADAPTER, config: {space, without}},
    plugins: [{use: 'ingest-otlp', config: {grpcListenAddr: '127.0.0.1:0', ...config}}],
    limits,
  });
  const {log} = CALL;
  const settings = {compatSpans: [], segments: [], pause: 0, without: [], space};
  const adapter = memory.create({config: settings, log, meter: undefined as never});
  const readers = (await adapter.start(CALL.signal)) as Required<Readers>;
  const call: Call = CALL;
  return {
    ...gateway,
    traces: `${gateway.urls.otlp}/v1/traces`,
    grpc: gateway.urls.otlpGrpc ?? '',
    readers,
    stored: async traceId => (await readers['traces.otlp.v1'].trace(traceId, call))?.spans ?? [],
  };
}

export const SPAN: OtlpSpan = {
  traceId: '0102030405060708090a0b0c0d0e0f10',
  spanId: '1112131415161718',
  traceState: '',
  flags: 0,
  name: 'GET /users',
  kind: 2,
  startTime: 1_700_000_000_000_000_001n,
  endTime: 1_700_000_000_005_000_002n,
  attributes: [],
  droppedAttributesCount: 0,
  events: [],
  droppedEventsCount: 0,
  links: [],
  droppedLinksCount: 0,
  status: {code: 0, message: ''},
  resource: {attributes: [{key: 'service.name', value: 'users'}], droppedAttributesCount: 0, schemaUrl: ''},
  scope: {name: '', version: '', attributes: [], droppedAttributesCount: 0, schemaUrl: ''},
};

/** A span of a trace of its own. */
export const spanOf = (traceId: string, fields: Partial<OtlpSpan> = {}): OtlpSpan => ({...SPAN, traceId, ...fields});

let traces = 1;

/** An id that no other test has. */
export const newTraceId = (): string => (traces++).toString(16).padStart(32, 'a');

import {fileURLToPath} from 'node:url';
import test from 'ava';
import {ask} from '../../support/http.js';
import {openGateway} from '../../support/library.js';
import {decodeMessage, protobufOf} from './support/encode.js';
import {exporterTo} from './support/export.js';
import {newTraceId, spanOf} from './support/receiver.js';

const ADAPTER = fileURLToPath(new URL('../../fixtures/failing-writers.js', import.meta.url));

interface Failure {
  readonly title: string;
  readonly failures: Readonly<Record<string, string>>;
  readonly http: number;
  readonly grpc: number;
  /** Whether a sender is told to try again. */
  readonly isRetried: boolean;
}

const OTLP = 'ingest.otlp.v1';
const COMPAT = 'ingest.compat.v1';

const FAILURES: readonly Failure[] = [
  {title: 'an overload', failures: {[OTLP]: 'overloaded'}, http: 503, grpc: 14, isRetried: true},
  {
    title: 'a storage that cannot be reached',
    failures: {[OTLP]: 'storage_unavailable'},
    http: 503,
    grpc: 14,
    isRetried: true,
  },
  {title: 'a storage that fails', failures: {[OTLP]: 'storage_failed'}, http: 503, grpc: 14, isRetried: true},
  {title: 'a storage that takes too long', failures: {[OTLP]: 'timeout'}, http: 503, grpc: 14, isRetried: true},
  {title: 'one of two writes', failures: {[COMPAT]: 'storage_failed'}, http: 503, grpc: 14, isRetried: true},
  {title: 'what the storage refuses', failures: {[OTLP]: 'bad_request'}, http: 400, grpc: 3, isRetried: false},
  {title: 'a defect', failures: {[OTLP]: 'internal'}, http: 500, grpc: 13, isRetried: false},
];

interface Status {
  readonly details?: readonly {readonly typeUrl?: string}[];
}

for (const {title, failures, http, grpc, isRetried} of FAILURES) {
  test(`Failures: ${title} is ${http} and ${grpc}, ${isRetried ? 'with' : 'without'} when to try again`, async t => {
    const {urls} = await openGateway(t, {
      listeners: {otlp: {port: 0}},
      storage: {use: ADAPTER, config: {failures}},
      plugins: [{use: 'ingest-otlp', config: {grpcListenAddr: '127.0.0.1:0', compat: true}}],
    });
    const body = protobufOf([spanOf(newTraceId())]);
    const headers = {'content-type': 'application/x-protobuf'};
    const answer = await ask(`${urls.otlp}/v1/traces`, {method: 'POST', headers, body});
    t.is(answer.status, http);
    t.is(answer.headers['retry-after'], isRetried ? '1' : undefined);

    const {code, error} = await exporterTo(t, urls.otlpGrpc ?? '')(body);
    t.is(code, grpc);
    const [trailer] = error?.metadata.get('grpc-status-details-bin') ?? [];
    const status = trailer === undefined ? {} : decodeMessage<Status>('RpcStatus', trailer as Buffer);
    const isTold = status.details?.[0]?.typeUrl === 'type.googleapis.com/google.rpc.RetryInfo';
    t.is(isTold, isRetried);
    if (grpc === 13) t.false(error?.details.includes('the write fails'));
  });
}

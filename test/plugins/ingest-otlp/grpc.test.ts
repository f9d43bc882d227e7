import test from 'ava';
import {ownerOf} from '../../support/owner.js';
import {decodeMessage, protobufOf} from './support/encode.js';
import {EXPORT, exporterTo} from './support/export.js';
import {newTraceId, openReceiver, type Receiver, spanOf} from './support/receiver.js';

const owner = ownerOf(test);
let receiver: Receiver;
let without: Receiver;

test.before('a receiver for all, and one whose storage takes no spans', async () => {
  receiver = await openReceiver(owner, {limits: {ingestBody: 20_000}});
  without = await openReceiver(owner, {without: ['ingest.otlp.v1'], config: {compat: false}});
});

interface Answered {
  readonly code: number;
  readonly details: string;
  readonly body: Buffer | undefined;
  readonly trailer:
    | {readonly code?: number; readonly message?: string; readonly details?: readonly {readonly typeUrl: string}[]}
    | undefined;
}

async function call(address: string, sent: Buffer, {isPacked = false, path = EXPORT} = {}): Promise<Answered> {
  // 2 is gzip.
  const options = isPacked ? {'grpc.default_compression_algorithm': 2} : {};
  const {code, error, body} = await exporterTo(owner, address, {options})(sent, {path});
  const [trailer] = error?.metadata.get('grpc-status-details-bin') ?? [];
  return {
    code,
    details: error?.details ?? '',
    body,
    trailer: trailer === undefined ? undefined : decodeMessage('RpcStatus', trailer as Buffer),
  };
}

test('OTLP/gRPC Response: what is answered OK is stored, and partial_success is unset (MUST)', async t => {
  const id = newTraceId();
  const answer = await call(receiver.grpc, protobufOf([spanOf(id)]));
  t.is(answer.code, 0, answer.details);
  t.is(answer.body?.length, 0);
  t.deepEqual(await receiver.stored(id), [spanOf(id)]);
});

test('OTLP/gRPC Compression: gzip is taken (MUST)', async t => {
  const id = newTraceId();
  const answer = await call(receiver.grpc, protobufOf([spanOf(id, {traceState: 'x'.repeat(5000)})]), {isPacked: true});
  t.is(answer.code, 0, answer.details);
  t.is((await receiver.stored(id)).length, 1);
});

test('OTLP/gRPC Response: an empty request succeeds (SHOULD)', async t => {
  t.is((await call(receiver.grpc, Buffer.alloc(0))).code, 0);
});

test('OTLP/gRPC Partial Success: OK with the number of rejected spans and a message (MUST)', async t => {
  const id = newTraceId();
  const answer = await call(receiver.grpc, protobufOf([spanOf(id, {spanId: '0'.repeat(16)}), spanOf(id)]));
  t.is(answer.code, 0);
  t.deepEqual(decodeMessage('ExportTraceServiceResponse', answer.body ?? Buffer.alloc(0)), {
    partialSuccess: {rejectedSpans: '1', errorMessage: 'resourceSpans[0].scopeSpans[0].spans[0]: its span id is zero'},
  });
  t.is((await receiver.stored(id)).length, 1);
});

test('OTLP/gRPC Failures: bad data is INVALID_ARGUMENT (SHOULD) with a BadRequest', async t => {
  const answer = await call(receiver.grpc, Buffer.from([0x0a, 5, 1]));
  t.is(answer.code, 3);
  t.is(answer.trailer?.code, 3);
  t.is(answer.trailer?.details?.[0]?.typeUrl, 'type.googleapis.com/google.rpc.BadRequest');
});

test('OTLP/gRPC Request: a message over the limit is RESOURCE_EXHAUSTED without RetryInfo, before and after decompression', async t => {
  const large = protobufOf([spanOf(newTraceId(), {traceState: 'x'.repeat(30_000)})]);
  for (const isPacked of [false, true]) {
    const answer = await call(receiver.grpc, large, {isPacked});
    t.is(answer.code, 8);
    t.is(answer.trailer, undefined);
  }
});

test('OTLP/gRPC: other services, and a storage without the capability, are UNIMPLEMENTED', async t => {
  t.is(
    (
      await call(receiver.grpc, Buffer.alloc(0), {
        path: '/opentelemetry.proto.collector.logs.v1.LogsService/Export',
      })
    ).code,
    12,
  );
  const answer = await call(without.grpc, protobufOf([spanOf(newTraceId())]));
  t.is(answer.code, 12);
  t.regex(answer.details, /it does not supply the capability ingest\.otlp\.v1$/);
});

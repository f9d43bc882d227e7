import type {ServerUnaryCall, sendUnaryData} from '@grpc/grpc-js';
import {GatewayError, type Logger, type PluginLimits} from '../../../core/api/plugin.js';
import {GrpcServer, type GrpcServerOptions} from '../../../core/toolkit/grpc/grpc-server.js';
import {grpcFailure} from '../../../core/toolkit/grpc/grpc-status.js';
import {LogOnce} from '../../../core/toolkit/log-once.js';
import {responseBytes} from '../encoding.js';
import type {SpanIntake} from '../span-intake.js';

/** Messages of `limits.ingestBody` that are worked on at once: as many as bodies over HTTP. */
const MESSAGES = 3;

const asBytes = (bytes: Buffer): Buffer => bytes;

const SERVICE = {
  Export: {
    path: '/opentelemetry.proto.collector.trace.v1.TraceService/Export',
    requestStream: false,
    responseStream: false,
    requestSerialize: asBytes,
    requestDeserialize: asBytes,
    responseSerialize: asBytes,
    responseDeserialize: asBytes,
  },
} as const;

type ExportCall = ServerUnaryCall<Buffer, Buffer>;

/** `TraceService` of OTLP over gRPC. */
export class TraceServer {
  readonly #intake: SpanIntake;
  readonly #log: Logger;
  readonly #limits: PluginLimits;
  readonly #server: GrpcServer;
  readonly #once = new LogOnce();
  #held = 0;
  #isDraining = false;

  constructor(intake: SpanIntake, limits: PluginLimits, options: GrpcServerOptions) {
    this.#intake = intake;
    this.#log = options.log;
    this.#limits = limits;
    this.#server = new GrpcServer({...options, maxMessageKey: 'limits.ingestBody'});
    this.#server.add(SERVICE, {
      Export: (call: ExportCall, answer: sendUnaryData<Buffer>) => this.#export(call, answer),
    });
  }

  /** Opens the address and gives it with the real port. */
  listen(...place: Parameters<GrpcServer['listen']>): Promise<string> {
    return this.#server.listen(...place);
  }

  /** From now on calls are refused, so that senders go elsewhere; those under way end. */
  drain(): void {
    this.#isDraining = true;
  }

  stop(): Promise<void> {
    return this.#server.stop();
  }

  async #export(call: ExportCall, answer: sendUnaryData<Buffer>): Promise<void> {
    const bytes = call.request;
    const ended = new AbortController();
    call.once('cancelled', () => ended.abort(new GatewayError('cancelled', 'client disconnected')));
    const signal = AbortSignal.any([ended.signal, AbortSignal.timeout(this.#limits.ingestTimeout)]);
    this.#held += bytes.length;
    try {
      this.#refuseOverload();
      const partial = await this.#intake.take(bytes, 'protobuf', {signal, log: this.#log});
      this.#once.ends('failure');
      answer(null, responseBytes(partial));
    } catch (error) {
      this.#tell(error);
      answer(grpcFailure(error));
    } finally {
      this.#held -= bytes.length;
    }
  }

  #refuseOverload(): void {
    if (this.#isDraining) throw new GatewayError('overloaded', 'the gateway stops');
    if (this.#held <= MESSAGES * this.#limits.ingestBody) return;
    throw new GatewayError('overloaded', 'the gateway holds as many messages as it has memory for; try again');
  }

  /** Senders try again for as long as something lasts. */
  #tell(error: unknown): void {
    const {code, message} = GatewayError.from(error);
    const isOurs = code === 'internal' || code === 'storage_failed' || code === 'storage_unavailable';
    if (isOurs && this.#once.begins('failure', code)) this.#log.error('spans cannot be stored', {code, err: error});
    else this.#log.debug('an export was refused', {code, reason: message});
  }
}

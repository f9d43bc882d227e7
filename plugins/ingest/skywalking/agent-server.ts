import type {ServerUnaryCall, sendUnaryData, UntypedHandleCall} from '@grpc/grpc-js';
import type {SegmentWriter} from '../../../core/api/plugin.js';
import {GrpcServer, type GrpcServerOptions} from '../../../core/toolkit/grpc/grpc-server.js';
import type {Fields} from '../formats/refusal.js';
import {decodePing, decodeProperties, MANAGEMENT_SERVICE, TRACE_SERVICE} from './contract.js';
import type {Instances} from './instances.js';
import {SegmentSink, type SinkServices} from './segment-sink.js';
import {answered, TraceSegmentService} from './trace-service.js';

/** The largest message of an agent, in bytes: a span that has more is not stored whole either. */
const LARGEST_MESSAGE = 16 * 1024 * 1024;

/**
 * The gRPC address of SkyWalking's agents. They report much else: profiles, logs, metrics of their runtime; that is
 * answered UNIMPLEMENTED, which agents take as it is meant.
 */
export class AgentServer {
  readonly #server: GrpcServer;

  /** Without a writer of segments, traces are UNIMPLEMENTED too. */
  constructor(
    segments: SegmentWriter | undefined,
    instances: Instances,
    services: SinkServices,
    options: GrpcServerOptions,
  ) {
    const {log, limits} = services;
    const sink = segments && new SegmentSink(segments, services);
    this.#server = new GrpcServer({
      ...options,
      ...(options.maxMessageSize <= LARGEST_MESSAGE
        ? {maxMessageKey: 'limits.ingestBody'}
        : {maxMessageSize: LARGEST_MESSAGE}),
      onTooLarge: (message, peer) =>
        sink?.refuse(`${message}; what the agent had still to say in its call is lost`, peer),
    });
    if (sink !== undefined) {
      const service = new TraceSegmentService(sink);
      const collect: UntypedHandleCall = service.collect.bind(service);
      const collectInSync: UntypedHandleCall = service.collectInSync.bind(service);
      this.#server.add(TRACE_SERVICE, {collect, collectInSync});
    }
    const observe =
      (decode: (bytes: Buffer) => Fields) =>
      (call: ServerUnaryCall<Buffer, object>, answer: sendUnaryData<object>): Promise<void> =>
        answered(answer, () => {
          const signal = AbortSignal.timeout(limits.ingestTimeout);
          return instances.observe(decode(call.request), {signal, log});
        });
    this.#server.add(MANAGEMENT_SERVICE, {
      reportInstanceProperties: observe(decodeProperties),
      keepAlive: observe(decodePing),
    });
  }

  /** Opens the address and gives it with the real port. */
  listen(...place: Parameters<GrpcServer['listen']>): Promise<string> {
    return this.#server.listen(...place);
  }

  stop(): Promise<void> {
    return this.#server.stop();
  }
}

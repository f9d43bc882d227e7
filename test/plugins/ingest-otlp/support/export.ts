import {
  type ChannelCredentials,
  type ChannelOptions,
  Client,
  credentials,
  Metadata,
  type ServiceError,
} from '@grpc/grpc-js';
import type {Owner} from '../../../support/gateway.js';

/** The method of OTLP over gRPC that takes spans. */
export const EXPORT = '/opentelemetry.proto.collector.trace.v1.TraceService/Export';

export interface Exported {
  /** 0 is OK. */
  readonly code: number;
  readonly error: ServiceError | null;
  readonly body: Buffer | undefined;
}

export interface Connection {
  readonly secured?: ChannelCredentials;
  readonly options?: ChannelOptions;
}

export interface ExportCall {
  /** Another method than that for spans. */
  readonly path?: string;
  readonly metadata?: Readonly<Record<string, string>>;
}

/** Sends messages that are encoded already on one connection, which is closed with its owner. */
export type Exporter = (body: Buffer, call?: ExportCall) => Promise<Exported>;

const asBytes = (bytes: Buffer): Buffer => bytes;

export function exporterTo(t: Owner, address: string, {secured, options = {}}: Connection = {}): Exporter {
  const client = new Client(address, secured ?? credentials.createInsecure(), options);
  t.teardown(() => client.close());
  return (body, {path = EXPORT, metadata = {}} = {}) => {
    const sent = new Metadata();
    for (const [key, value] of Object.entries(metadata)) sent.set(key, value);
    return new Promise(resolve => {
      client.makeUnaryRequest(path, asBytes, asBytes, body, sent, (error, answer) =>
        resolve({code: error?.code ?? 0, error, body: answer}),
      );
    });
  };
}

import {fromJSON, type MessageTypeDefinition, type ServiceDefinition} from '@grpc/proto-loader';
import {descriptor} from './descriptor.generated.js';

/**
 * The wire contract from its descriptor. Decoded messages have every field: absent messages are `null`, 64-bit integers
 * decimal text, enums their names (an unknown value its number). Of a oneof only the member that is there is set, and
 * the name of the oneof says which: `{int: {value: '5'}, value: 'int'}`.
 */
const definitions = fromJSON(descriptor as Parameters<typeof fromJSON>[0], {
  keepCase: true,
  longs: String,
  enums: String,
  defaults: true,
  arrays: true,
  objects: true,
  oneofs: true,
});

/** A message to be sent: what is left out has its default. */
export type OutgoingMessage<T> = T extends object
  ? T extends Uint8Array
    ? T
    : {readonly [K in keyof T]?: OutgoingMessage<T[K]> | undefined}
  : T;

/** One method, ready for @grpc/grpc-js on either side. */
export interface GrpcMethod<Request, Response> {
  readonly path: string;
  readonly requestStream: boolean;
  readonly responseStream: boolean;
  readonly requestSerialize: (message: OutgoingMessage<Request>) => Buffer;
  readonly requestDeserialize: (bytes: Buffer) => Request;
  readonly responseSerialize: (message: OutgoingMessage<Response>) => Buffer;
  readonly responseDeserialize: (bytes: Buffer) => Response;
}

/** `service` is the full name, package included. */
export function method<Request, Response>(service: string, name: string): GrpcMethod<Request, Response> {
  const definition = (definitions[service] as ServiceDefinition)[name];
  return definition as unknown as GrpcMethod<Request, Response>;
}

/**
 * A message that travels inside another as bytes. `decode` throws for bytes that are no message; one that is cut inside
 * its last text passes with a shorter text.
 */
export interface Codec<T> {
  readonly encode: (message: OutgoingMessage<T>) => Buffer;
  readonly decode: (bytes: Uint8Array) => T;
}

export function codec<T extends object>(name: string): Codec<T> {
  const {serialize, deserialize} = definitions[name] as unknown as MessageTypeDefinition<OutgoingMessage<T>, T>;
  // The decoder reads from any bytes; its declared type is narrower.
  return {encode: serialize, decode: bytes => deserialize(bytes as Buffer)};
}

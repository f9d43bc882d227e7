import {createRequire} from 'node:module';
import {Client, credentials, type ServiceError} from '@grpc/grpc-js';
import type {Owner} from '../../../support/gateway.js';

/** The messages as the agent's own generated code makes them: `new SegmentObject().setTraceid("…")`. */
interface Message {
  serializeBinary(): Uint8Array;
  readonly [setter: `set${string}`]: (value: unknown) => Message;
}

const require = createRequire(import.meta.url);
const tracing = require('skywalking-backend-js/lib/proto/language-agent/Tracing_pb.js');
const common = require('skywalking-backend-js/lib/proto/common/Common_pb.js');
const management = require('skywalking-backend-js/lib/proto/management/Management_pb.js');

const CLASSES: Readonly<Record<string, new () => Message>> = {...tracing, ...common, ...management};

/** The classes of the messages that stand in a message under a key. */
const NESTED: Readonly<Record<string, string>> = {
  spans: 'SpanObject',
  refs: 'SegmentReference',
  tags: 'KeyStringValuePair',
  data: 'KeyStringValuePair',
  properties: 'KeyStringValuePair',
  logs: 'Log',
  segments: 'SegmentObject',
};

/** Makes a message of the agent's from an object with the keys of its JSON form. */
export function message(name: string, fields: object): Message {
  const Class = CLASSES[name];
  if (Class === undefined) throw new Error(`the agent has no message ${name}`);
  const made = new Class();
  for (const [key, value] of Object.entries(fields)) {
    const isList = Array.isArray(value);
    const setter = `set${key.charAt(0).toUpperCase()}${key.slice(1).toLowerCase()}${isList ? 'List' : ''}` as const;
    const nested = NESTED[key];
    const items = isList && nested !== undefined ? value.map((each: object) => message(nested, each)) : value;
    made[setter]?.call(made, items);
  }
  return made;
}

export const bytesOf = (name: string, fields: object): Buffer => Buffer.from(message(name, fields).serializeBinary());

/** How a call ended: 0 is OK. */
export interface Ended {
  readonly code: number;
  readonly details: string;
  readonly trailers: ServiceError['metadata'] | undefined;
}

const asBytes = (bytes: Buffer): Buffer => bytes;

/** Calls the services of an address with bytes, on one connection. */
export class AgentClient {
  readonly #client: Client;

  constructor(t: Owner, address: string) {
    this.#client = new Client(address, credentials.createInsecure());
    t.teardown(() => this.#client.close());
  }

  unary(method: string, body: Buffer): Promise<Ended> {
    return new Promise(resolve => {
      this.#client.makeUnaryRequest(`/skywalking.v3.${method}`, asBytes, asBytes, body, error => resolve(ended(error)));
    });
  }

  /** Sends the messages in one stream. */
  stream(method: string, messages: readonly Buffer[]): Promise<Ended> {
    return new Promise(resolve => {
      const call = this.#client.makeClientStreamRequest(`/skywalking.v3.${method}`, asBytes, asBytes, error =>
        resolve(ended(error)),
      );
      for (const each of messages) call.write(each);
      call.end();
    });
  }
}

const ended = (error: ServiceError | null): Ended => ({
  code: error?.code ?? 0,
  details: error?.details ?? '',
  trailers: error?.metadata,
});

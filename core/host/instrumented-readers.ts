import type {Readers} from '../api/capabilities.js';
import {GatewayError} from '../api/errors.js';
import type {Counter, Histogram, Labelled, Meter} from '../api/telemetry.js';

type Method = (...parameters: unknown[]) => unknown;

/** The same readers, with the duration and the errors of every call counted by capability and method. */
export function instrumentReaders(readers: Readers, meter: Meter): Readers {
  const seconds = meter.histogram('query_gateway_storage_call_seconds', 'Duration of calls to the storage.', [
    'capability',
    'method',
  ]);
  const errors = meter.counter(
    'query_gateway_storage_errors_total',
    'Calls to the storage that failed, by error code.',
    ['capability', 'method', 'code'],
  );
  return Object.fromEntries(
    Object.entries(readers).map(([capability, reader]) => [
      capability,
      reader === undefined ? undefined : wrap(reader, capability, seconds, errors),
    ]),
  ) as Readers;
}

function wrap(reader: object, capability: string, seconds: Labelled<Histogram>, errors: Labelled<Counter>): object {
  const result: Record<string, Method> = {};
  for (const [name, method] of methodsOf(reader)) {
    const duration = seconds.with({capability, method: name});
    const failed = (error: unknown) => {
      errors.with({capability, method: name, code: GatewayError.from(error).code}).add();
    };
    result[name] = timed(method.bind(reader), duration, failed);
  }
  return result;
}

function timed(method: Method, duration: Histogram, failed: (error: unknown) => void): Method {
  return (...parameters) => {
    const begin = performance.now();
    const end = () => duration.observe((performance.now() - begin) / 1000);
    const fail = (error: unknown): never => {
      end();
      failed(error);
      throw error;
    };
    try {
      const result = method(...parameters);
      if (result instanceof Promise) {
        return result.then(value => {
          end();
          return value;
        }, fail);
      }
      if (isAsyncIterable(result)) return iterate(result, end, fail);
      end();
      return result;
    } catch (error) {
      return fail(error);
    }
  };
}

/** Until the consumer stops, by itself or at the end: its own time between pages counts too. */
async function* iterate(
  pages: AsyncIterable<unknown>,
  end: () => void,
  fail: (error: unknown) => never,
): AsyncGenerator<unknown> {
  let failed = false;
  try {
    yield* pages;
  } catch (error) {
    failed = true;
    fail(error);
  } finally {
    if (!failed) end();
  }
}

function isAsyncIterable(value: unknown): value is AsyncIterable<unknown> {
  return typeof value === 'object' && value !== null && Symbol.asyncIterator in value;
}

/** Of an object literal or of a class and its bases. */
function methodsOf(reader: object): ReadonlyMap<string, Method> {
  const methods = new Map<string, Method>();
  for (let object = reader; object !== Object.prototype && object !== null; object = Object.getPrototypeOf(object)) {
    for (const name of Object.getOwnPropertyNames(object)) {
      const member = (reader as Readonly<Record<string, unknown>>)[name];
      if (name !== 'constructor' && typeof member === 'function') methods.set(name, member as Method);
    }
  }
  return methods;
}

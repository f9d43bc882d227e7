import {GatewayError, type HttpRequest, type IngestFormat, type Reply} from '../../../core/api/plugin.js';
import {quote} from '../../../core/toolkit/messages.js';
import {beginningOf} from '../formats/json/first-keys.js';

/** Senders of the same data in a binary form say so; JSON comes under any type, or none. */
const BINARY = /protobuf|thrift|grpc/i;

/** What OTLP's JSON begins with, as its field names are and as they are in the protocol file. */
const OTLP = [
  'resourceSpans',
  'resource_spans',
  'resourceMetrics',
  'resource_metrics',
  'resourceLogs',
  'resource_logs',
];

/** Enough to hold the first keys. */
const HEAD_BYTES = 4096;

/** The answer to a body whose type says that it is not JSON; undefined for any other. */
export function refuseBinary({name}: IngestFormat, {headers}: HttpRequest): Reply | undefined {
  const type = String(headers['content-type'] ?? '');
  if (!BINARY.test(type)) return undefined;
  const error = `found the content type ${quote(type)}, expected ${name} as JSON`;
  return {status: 415, body: JSON.stringify({error})};
}

/** Refuses what was meant for another protocol's path, and would read as records that lack everything. */
export function refuseOtlp({name}: IngestFormat, body: Uint8Array): void {
  const keys = beginningOf(body.subarray(0, HEAD_BYTES))?.keys;
  const found = OTLP.find(key => keys?.has(key));
  if (found === undefined) return;
  throw new GatewayError('bad_request', `found OTLP (the key "${found}"), expected ${name}`);
}

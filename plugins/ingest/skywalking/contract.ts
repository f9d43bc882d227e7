import {fromJSON, type ServiceDefinition} from '@grpc/proto-loader';
import {GatewayError} from '../../../core/api/plugin.js';
import type {Fields} from '../formats/refusal.js';
import {descriptor} from './proto/descriptor.generated.js';
import type {SegmentCollection} from './proto/messages.generated.js';

/**
 * What agents of SkyWalking report, as plain objects with the keys that the same messages have in JSON: what has its
 * default is absent, enums are numbers, 64-bit integers decimal text. So one reading checks both forms.
 */
const definitions = fromJSON(descriptor as Parameters<typeof fromJSON>[0], {keepCase: true, longs: String});

function serviceOf(name: string): ServiceDefinition {
  const service = definitions[`skywalking.v3.${name}`] as ServiceDefinition;
  const asBytes = (bytes: Buffer): Buffer => bytes;
  // Requests stay bytes: a damaged one is an answer, not the end of the call.
  return Object.fromEntries(
    Object.entries(service).map(([method, definition]) => [method, {...definition, requestDeserialize: asBytes}]),
  );
}

export const TRACE_SERVICE = serviceOf('TraceSegmentReportService');
export const MANAGEMENT_SERVICE = serviceOf('ManagementService');

function decoderOf<Message>(service: string, method: string): (bytes: Uint8Array) => Message {
  const decode = (definitions[`skywalking.v3.${service}`] as ServiceDefinition)[method]?.requestDeserialize;
  return bytes => {
    try {
      return decode?.(bytes as Buffer) as Message;
    } catch (cause) {
      throw new GatewayError('bad_request', `the message is damaged: ${(cause as Error).message}`, {cause});
    }
  };
}

/** All of them throw `bad_request` where the bytes are damaged. */
export const decodeSegment = decoderOf<Fields>('TraceSegmentReportService', 'collect');
export const decodeCollection = decoderOf<Partial<SegmentCollection>>('TraceSegmentReportService', 'collectInSync');
export const decodeProperties = decoderOf<Fields>('ManagementService', 'reportInstanceProperties');
export const decodePing = decoderOf<Fields>('ManagementService', 'keepAlive');

import {isUtf8} from 'node:buffer';
import {GatewayError, type OtlpSpan} from '../../../core/api/plugin.js';
import type {Steps} from '../../../core/toolkit/yielder.js';
import {decodeJson} from './json/request.js';
import {decodeProtobuf} from './protobuf/request.js';
import {type OnRejected, SpanCollector} from './span-collector.js';

/**
 * Decodes an `ExportTraceServiceRequest`: the spans that can be stored, in their order. Throws `bad_request` for what is none,
 * and `too_large` for one of too many parts. An empty request has no spans.
 */
export function* decodeTraces(
  bytes: Uint8Array,
  encoding: 'protobuf' | 'json',
  onRejected: OnRejected,
): Steps<readonly OtlpSpan[]> {
  const collector = new SpanCollector(onRejected);
  if (encoding === 'protobuf') yield* decodeProtobuf(bytes, collector);
  else if (bytes.length > 0) yield* decodeJson(textOf(bytes), collector);
  return collector.spans;
}

function textOf(bytes: Uint8Array): string {
  if (!isUtf8(bytes)) throw new GatewayError('bad_request', 'the body is no UTF-8');
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('utf8');
}

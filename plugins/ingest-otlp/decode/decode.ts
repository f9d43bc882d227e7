import {isUtf8} from 'node:buffer';
import {type EncodedOtlpSpans, GatewayError, type OtlpSpan} from '../../../core/api/plugin.js';
import type {Steps} from '../../../core/toolkit/yielder.js';
import {decodeJson} from './json/request.js';
import {SpanCollector} from './json/span-collector.js';
import {readRequest} from './protobuf/request.js';
import {decodeSpans} from './protobuf/spans.js';
import {type OnRejected, RequestChecks} from './request-checks.js';

/**
 * Decodes an `ExportTraceServiceRequest`: the spans that can be stored, in their order. Throws `bad_request` for what is none,
 * and `too_large` for one of too many parts. An empty request has no spans.
 */
export function* decodeTraces(
  bytes: Uint8Array,
  encoding: 'protobuf' | 'json',
  onRejected: OnRejected,
): Steps<readonly OtlpSpan[]> {
  if (encoding === 'protobuf') return yield* decodeSpans(yield* encodedTraces(bytes, onRejected));
  const collector = new SpanCollector(onRejected);
  if (bytes.length > 0) {
    yield* requireUtf8(bytes);
    yield* decodeJson(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length), collector);
  }
  return collector.spans;
}

/** The same spans of a request in protobuf, found and checked but not decoded. */
export function encodedTraces(bytes: Uint8Array, onRejected: OnRejected): Steps<EncodedOtlpSpans> {
  return readRequest(bytes, new RequestChecks(onRejected));
}

/** Bytes that are looked at in a step. */
const PIECE = 256 * 1024;

function* requireUtf8(bytes: Uint8Array): Steps<void> {
  for (let from = 0, to = 0; from < bytes.length; from = to) {
    to = Math.min(from + PIECE, bytes.length);
    // Not between the bytes of a character, of which at most three go on.
    for (let more = 0; more < 3 && isContinuation(bytes[to]); more++) to++;
    if (!isUtf8(bytes.subarray(from, to))) throw new GatewayError('bad_request', 'the body is no UTF-8');
    yield;
  }
}

function isContinuation(byte = 0): boolean {
  return (byte & 0xc0) === 0x80;
}

import type {HttpRequest, Reply} from '../../../core/api/plugin.js';
import {pause} from '../../../core/toolkit/yielder.js';
import {traceJson} from '../otlp/json.js';
import type {ConvertedTrace} from '../otlp/model.js';
import {encodeTrace, encodeTraceByIdResponse} from '../otlp/protobuf.js';

export interface Encoding {
  /** Of the path. Both have the same JSON; in protobuf the second wraps the trace. */
  readonly version: 'v1' | 'v2';
  readonly isProtobuf: boolean;
}

/** The answer in the form that the client prefers, which caches are to tell apart. */
export async function traceReply(
  trace: ConvertedTrace,
  {version, isProtobuf}: Encoding,
  request: HttpRequest,
): Promise<Reply> {
  const vary = 'accept';
  if (!isProtobuf) return {status: 200, headers: {vary}, body: bodyOf(traceJson(trace), request)};
  const encode = version === 'v1' ? encodeTrace : encodeTraceByIdResponse;
  const pieces = await encode(trace, request);
  const headers = {'content-type': 'application/protobuf', vary};
  return {status: 200, headers, body: bodyOf(batched(pieces), request)};
}

/** What is short is sent whole; what is long in pieces, each made when the client has taken the one before. */
function bodyOf(pieces: Iterator<Uint8Array, void>, request: HttpRequest): Reply['body'] {
  const first = pieces.next().value ?? new Uint8Array();
  const second = pieces.next();
  return second.done ? first : rest(first, second.value, pieces, request);
}

async function* rest(
  first: Uint8Array,
  second: Uint8Array,
  pieces: Iterator<Uint8Array, void>,
  request: HttpRequest,
): AsyncGenerator<Uint8Array> {
  yield first;
  yield second;
  for (let next = pieces.next(); !next.done; next = pieces.next()) {
    yield next.value;
    await pause(request);
  }
}

const LEAST_SENT = 2 ** 16;

/** The same bytes in fewer pieces: each that is sent costs a system call. */
function* batched(pieces: readonly Uint8Array[]): Generator<Uint8Array, void> {
  let batch: Uint8Array[] = [];
  let length = 0;
  for (const piece of pieces) {
    batch.push(piece);
    length += piece.length;
    if (length < LEAST_SENT) continue;
    yield Buffer.concat(batch);
    batch = [];
    length = 0;
  }
  if (length > 0) yield Buffer.concat(batch);
}

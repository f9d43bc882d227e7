import type {Call} from '../../../core/api/plugin.js';
import type {Pieces, TraceForm} from './form.js';
import {traceJson} from './json.js';
import type {ConvertedTrace} from './model.js';
import {encodeTrace, encodeTraceByIdResponse} from './protobuf.js';

/** The answer of a trace that was converted from another kind. */
export async function encodeConverted(
  trace: ConvertedTrace,
  {version, isProtobuf}: TraceForm,
  call: Call,
): Promise<Pieces> {
  if (!isProtobuf) return traceJson(trace);
  const encode = version === 'v1' ? encodeTrace : encodeTraceByIdResponse;
  return batched(await encode(trace, call));
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

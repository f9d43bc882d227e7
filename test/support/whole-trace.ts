import {TraceJson} from '../../plugins/traceql/otlp/json.js';
import type {ConvertedTrace} from '../../plugins/traceql/otlp/model.js';
import {TraceProtobuf, wrapped} from '../../plugins/traceql/otlp/protobuf.js';

/** The pieces of the JSON answer of a trace that is there whole. */
export function* traceJson(trace: ConvertedTrace): Generator<Uint8Array, void> {
  const answer = new TraceJson();
  yield* answer.add(trace);
  yield answer.finish();
}

/** The same in protobuf, as version 1 of the API answers it. */
export async function encodeTrace(trace: ConvertedTrace): Promise<readonly Uint8Array[]> {
  const answer = new TraceProtobuf();
  await answer.add(trace);
  return answer.finish();
}

/** As version 2 answers it. */
export async function encodeTraceByIdResponse(trace: ConvertedTrace): Promise<readonly Uint8Array[]> {
  return wrapped(await encodeTrace(trace));
}

import type {Reply} from '../../../core/api/plugin.js';
import {writeTraceJson} from '../otlp/json.js';
import type {ConvertedTrace} from '../otlp/model.js';
import {encodeTrace, encodeTraceByIdResponse} from '../otlp/protobuf.js';

export interface Encoding {
  /** Of the path. Both have the same JSON; in protobuf the second wraps the trace. */
  readonly version: 'v1' | 'v2';
  readonly isProtobuf: boolean;
}

/** The answer in the form that the client prefers, which caches are to tell apart. */
export async function traceReply(trace: ConvertedTrace, {version, isProtobuf}: Encoding): Promise<Reply> {
  const vary = 'accept';
  if (!isProtobuf) return {status: 200, headers: {vary}, body: writeTraceJson(trace)};
  const body = version === 'v1' ? await encodeTrace(trace) : await encodeTraceByIdResponse(trace);
  return {status: 200, headers: {'content-type': 'application/protobuf', vary}, body};
}

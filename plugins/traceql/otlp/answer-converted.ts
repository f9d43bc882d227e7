import type {Call, TraceReader} from '../../../core/api/plugin.js';
import type {Pieces, TraceForm} from './form.js';
import {TraceJson} from './json.js';
import type {ConvertedTrace} from './model.js';
import {TraceProtobuf, wrapped} from './protobuf.js';

/**
 * The answer of a trace that is converted from another kind, some spans at a time where the reader gives it so. JSON is sent
 * as it is made, so that of a large trace little is held at once; protobuf has lengths before its contents, and so is made
 * before it is sent.
 */
export async function answerConverted<Trace>(
  reader: Pick<TraceReader<Trace>, 'trace' | 'traceInOrder'>,
  id: string,
  convert: (trace: Trace) => ConvertedTrace,
  {version, isProtobuf}: TraceForm,
  call: Call,
): Promise<Pieces | undefined> {
  const parts = reader.traceInOrder === undefined ? await whole(reader, id, call) : await reader.traceInOrder(id, call);
  if (parts === undefined) return undefined;
  if (!isProtobuf) return json(parts, convert);
  const answer = new TraceProtobuf();
  for await (const part of parts) await answer.add(convert(part), call);
  const pieces = answer.finish();
  return batched(version === 'v1' ? pieces : wrapped(pieces));
}

async function whole<Trace>(
  reader: Pick<TraceReader<Trace>, 'trace'>,
  id: string,
  call: Call,
): Promise<Iterable<Trace> | undefined> {
  const trace = await reader.trace(id, call);
  return trace && [trace];
}

async function* json<Trace>(
  parts: Iterable<Trace> | AsyncIterable<Trace>,
  convert: (trace: Trace) => ConvertedTrace,
): AsyncGenerator<Uint8Array, void> {
  const answer = new TraceJson();
  for await (const part of parts) yield* answer.add(convert(part));
  yield answer.finish();
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

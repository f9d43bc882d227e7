import type {HttpRequest, Reply} from '../../../core/api/plugin.js';
import {pause} from '../../../core/toolkit/yielder.js';
import type {Pieces, TraceForm} from '../otlp/form.js';

/** The answer in the form that the client prefers, which caches are to tell apart. */
export async function traceReply(pieces: Pieces, {isProtobuf}: TraceForm, request: HttpRequest): Promise<Reply> {
  const vary = 'accept';
  const headers = isProtobuf ? {'content-type': 'application/protobuf', vary} : {vary};
  return {status: 200, headers, body: await bodyOf(pieces, request)};
}

/** What is short is sent whole; what is long in pieces, each made when the client has taken the one before. */
async function bodyOf(pieces: Pieces, request: HttpRequest): Promise<Reply['body']> {
  const first = (await pieces.next()).value ?? new Uint8Array();
  const second = await pieces.next();
  return second.done ? first : rest(first, second.value, pieces, request);
}

async function* rest(
  first: Uint8Array,
  second: Uint8Array,
  pieces: Pieces,
  request: HttpRequest,
): AsyncGenerator<Uint8Array> {
  try {
    yield first;
    yield second;
    for (let next = await pieces.next(); !next.done; next = await pieces.next()) {
      yield next.value;
      await pause(request);
    }
  } finally {
    await pieces.return?.();
  }
}

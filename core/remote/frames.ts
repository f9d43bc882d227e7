import {deserialize, serialize} from 'node:v8';

const HEAD_BYTES = 4;

/** A value of data alone (maps, typed arrays and big integers among it) as bytes that say where they end. */
export function encodeFrame(value: unknown): Uint8Array {
  const body = serialize(value);
  const frame = Buffer.allocUnsafe(HEAD_BYTES + body.length);
  frame.writeUInt32LE(body.length);
  body.copy(frame, HEAD_BYTES);
  return frame;
}

/** The values of frames that arrive cut anywhere. Throws for bytes that are none, or that end within one. */
export async function* decodeFrames(chunks: AsyncIterable<Uint8Array> | Iterable<Uint8Array>): AsyncGenerator<unknown> {
  let parts: Uint8Array[] = [];
  let held = 0;
  let wanted = HEAD_BYTES;
  for await (const chunk of chunks) {
    parts.push(chunk);
    held += chunk.length;
    if (held < wanted) continue;
    let rest = Buffer.concat(parts, held);
    for (;;) {
      wanted = HEAD_BYTES + (rest.length < HEAD_BYTES ? 0 : rest.readUInt32LE());
      if (rest.length < HEAD_BYTES || rest.length < wanted) break;
      yield deserialize(rest.subarray(HEAD_BYTES, wanted));
      rest = rest.subarray(wanted);
    }
    parts = [rest];
    held = rest.length;
  }
  if (held > 0) throw new Error(`the bytes end within a frame, after ${held} of ${wanted}`);
}

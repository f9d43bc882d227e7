import {PIECE} from '../families/piece-writer.js';

/** Brings parts together to pieces that are worth a write each. */
export async function* toPieces(parts: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  let piece: Uint8Array[] = [];
  let size = 0;
  for await (const part of parts) {
    piece.push(part);
    size += part.length;
    if (size < PIECE) continue;
    yield Buffer.concat(piece, size);
    piece = [];
    size = 0;
  }
  if (size > 0) yield Buffer.concat(piece, size);
}

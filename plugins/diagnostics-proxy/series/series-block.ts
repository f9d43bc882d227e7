/** What a filter looks at. */
export interface Filterable {
  readonly role: string | undefined;
  readonly pod: string | undefined;
}

export type Filter = (series: Filterable) => boolean;

/**
 * Series that stand one after the other and that a filter takes or leaves together, as they are sent. Bytes, because
 * half a million texts would keep the garbage collector busy.
 */
export interface Block extends Filterable {
  readonly text: Buffer;
}

/** Makes blocks of texts in their order. */
export function toBlocks<T extends Filterable>(
  items: Iterable<T>,
  textOf: (item: T) => string,
  separator = '',
): readonly Block[] {
  const blocks: Block[] = [];
  let current: Filterable | undefined;
  let text = '';
  const close = (): void => {
    if (current !== undefined) blocks.push({role: current.role, pod: current.pod, text: Buffer.from(text)});
  };
  for (const item of items) {
    if (current !== undefined && current.role === item.role && current.pod === item.pod) {
      text += separator + textOf(item);
      continue;
    }
    close();
    current = item;
    text = textOf(item);
  }
  close();
  return blocks;
}

/** How many bytes become one piece of a body. */
const PIECE = 131_072;

/** Brings parts together to pieces that are worth a write each. */
export async function* toPieces(parts: AsyncIterable<Uint8Array> | Iterable<Uint8Array>): AsyncGenerator<Uint8Array> {
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

/**
 * Native ids are any text; in public they are the lower case hex of its UTF-8 bytes, so that they are accepted where
 * only hex is an id, and a client that shows an id's bytes as hex shows what other answers call it.
 */
export function encodeId(text: string): string {
  return Buffer.from(text, 'utf8').toString('hex');
}

/** The native id, from hex in any case. Undefined: not hex, half a byte at the end, not UTF-8, or empty. */
export function decodeId(hex: string): string | undefined {
  if (hex.length % 2 !== 0 || !/^[0-9a-f]+$/i.test(hex)) return undefined;
  try {
    return decoder.decode(Buffer.from(hex, 'hex'));
  } catch {
    return undefined;
  }
}

/** A byte order mark is part of an id as any other character is. */
const decoder = new TextDecoder('utf-8', {fatal: true, ignoreBOM: true});

import {GatewayError, type Position} from '../../api/errors.js';
import {excerpt} from '../messages.js';

/**
 * String literals as Go writes them, which query languages of that family have: in double or single quotes with escapes, or
 * in backticks as they stand.
 */

const SIMPLE_ESCAPES: Readonly<Record<string, number>> = {
  a: 7,
  b: 8,
  f: 12,
  n: 10,
  r: 13,
  t: 9,
  v: 11,
  '\\': 92,
  "'": 39,
  '"': 34,
};

const ESCAPE = /\\(?:x([0-9a-fA-F]{2})|([0-7]{3})|u([0-9a-fA-F]{4})|U([0-9a-fA-F]{8})|(.?))/gsu;

/**
 * The value of a literal, which is given with its quotes. `\x` and octal escapes are bytes of UTF-8, so one character may take
 * several. Throws a `GatewayError` with the code `syntax` at `position` for what Go does not read: a line break in quotes, an
 * escape that there is none (of the quotes, that which opens the string has one), bytes that are no UTF-8.
 */
export function decodeGoString(text: string, position: Position): string {
  const inner = text.slice(1, -1);
  if (text.startsWith('`')) return inner;
  if (inner.includes('\n')) {
    const message = `the string that ${text[0]} opens goes over a line break: write \\n, or put it in backticks`;
    throw new GatewayError('syntax', message, {position});
  }
  if (!inner.includes('\\')) return inner;
  const parts: Uint8Array[] = [];
  let end = 0;
  for (const match of inner.matchAll(ESCAPE)) {
    parts.push(Buffer.from(inner.slice(end, match.index)), bytesOf(match, text.charAt(0), position));
    end = match.index + match[0].length;
  }
  parts.push(Buffer.from(inner.slice(end)));
  try {
    return new TextDecoder('utf-8', {fatal: true, ignoreBOM: true}).decode(Buffer.concat(parts));
  } catch (cause) {
    throw new GatewayError('syntax', `the escapes in ${excerpt(text)} do not make valid UTF-8`, {position, cause});
  }
}

function bytesOf(
  [whole, hex, octal, short, long, simple = '']: RegExpMatchArray,
  opening: string,
  position: Position,
): Uint8Array {
  if (hex !== undefined) return Uint8Array.of(Number.parseInt(hex, 16));
  if (octal !== undefined && Number.parseInt(octal, 8) <= 255) return Uint8Array.of(Number.parseInt(octal, 8));
  const digits = short ?? long;
  if (digits !== undefined) {
    const point = Number.parseInt(digits, 16);
    if (point <= 0x10ffff && !(point >= 0xd800 && point <= 0xdfff)) return Buffer.from(String.fromCodePoint(point));
  }
  const byte = /["']/.test(simple) && simple !== opening ? undefined : SIMPLE_ESCAPES[simple];
  if (byte !== undefined) return Uint8Array.of(byte);
  throw new GatewayError('syntax', `"${whole}" is not an escape: write \\\\ for a backslash`, {position});
}

const LETTERS: Readonly<Record<string, string>> = {
  '\u0007': '\\a',
  '\b': '\\b',
  '\f': '\\f',
  '\n': '\\n',
  '\r': '\\r',
  '\t': '\\t',
  '\v': '\\v',
  '"': '\\"',
  '\\': '\\\\',
};

/**
 * The literal in double quotes whose value this is, as Go prints it: what is neither a letter, mark, number, punctuation,
 * symbol nor the plain space is escaped. `decodeGoString` gives it back, unless it has halves of surrogate pairs, which no text
 * that was UTF-8 has.
 */
export function encodeGoString(value: string): string {
  const escaped = value.replace(/["\\]|[^\p{L}\p{M}\p{N}\p{P}\p{S} ]/gu, character => {
    const point = character.codePointAt(0) ?? 0;
    const letter = LETTERS[character];
    if (letter !== undefined) return letter;
    if (point < 0x80) return `\\x${point.toString(16).padStart(2, '0')}`;
    return point <= 0xffff ? `\\u${point.toString(16).padStart(4, '0')}` : `\\U${point.toString(16).padStart(8, '0')}`;
  });
  return `"${escaped}"`;
}

import {GatewayError, type Position} from '../../../core/api/plugin.js';

/** Decoding of the literals of the language: numbers and strings are Go's, durations Prometheus's. */

/** Integers take Go's base prefixes, so a leading zero means octal where every digit allows it. */
export function decodeNumber(text: string): number {
  const plain = text.replaceAll('_', '').toLowerCase();
  if (plain === 'inf') return Number.POSITIVE_INFINITY;
  if (plain === 'nan') return Number.NaN;
  if (/^0[0-7]+$/.test(plain)) return Number.parseInt(plain, 8);
  return Number(plain);
}

const UNITS: Readonly<Record<string, number>> = {
  w: 604_800_000,
  d: 86_400_000,
  h: 3_600_000,
  m: 60_000,
  s: 1000,
  ms: 1,
};
const UNIT_ORDER = Object.keys(UNITS);

/** Milliseconds. Units come in descending order, each at most once. */
export function decodeDuration(text: string, position: Position): number {
  let total = 0;
  let last = -1;
  for (const [, digits, unit] of text.matchAll(/(\d+)(ms|[smhdwy])/g)) {
    if (unit === 'y') {
      throw new GatewayError('unsupported_query', `the unit 'y' in '${text}' is not in this subset, use w or d`, {
        position,
      });
    }
    const rank = UNIT_ORDER.indexOf(unit as string);
    if (rank <= last) {
      throw new GatewayError('syntax', `the units of '${text}' are out of order, write them as in 1w2d3h4m5s6ms`, {
        position,
      });
    }
    last = rank;
    total += Number(digits) * (UNITS[unit as string] as number);
  }
  if (!Number.isSafeInteger(total)) throw new GatewayError('syntax', `the duration '${text}' is too long`, {position});
  return total;
}

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

const encoder = new TextEncoder();

const ESCAPE = /\\(?:x([0-9a-fA-F]{2})|([0-7]{3})|u([0-9a-fA-F]{4})|U([0-9a-fA-F]{8})|(.?))/gsu;

/** The value of a quoted string. `\x` and octal escapes are bytes of UTF-8, so one character may take several. */
export function decodeString(text: string, position: Position): string {
  const inner = text.slice(1, -1);
  if (text.startsWith('`') || !inner.includes('\\')) return inner;
  const parts: Uint8Array[] = [];
  let end = 0;
  for (const match of inner.matchAll(ESCAPE)) {
    parts.push(encoder.encode(inner.slice(end, match.index)), escapeBytes(match, position));
    end = match.index + match[0].length;
  }
  parts.push(encoder.encode(inner.slice(end)));
  try {
    return new TextDecoder('utf-8', {fatal: true, ignoreBOM: true}).decode(Buffer.concat(parts));
  } catch (cause) {
    throw new GatewayError('syntax', `the escapes in ${text} do not make valid UTF-8`, {position, cause});
  }
}

function escapeBytes(match: RegExpMatchArray, position: Position): Uint8Array {
  const [whole, hex, octal, short, long, simple] = match;
  if (hex !== undefined) return Uint8Array.of(Number.parseInt(hex, 16));
  if (octal !== undefined && Number.parseInt(octal, 8) <= 255) return Uint8Array.of(Number.parseInt(octal, 8));
  const digits = short ?? long;
  if (digits !== undefined) {
    const point = Number.parseInt(digits, 16);
    if (point <= 0x10ffff && !(point >= 0xd800 && point <= 0xdfff)) return encoder.encode(String.fromCodePoint(point));
  }
  const byte = simple === undefined ? undefined : SIMPLE_ESCAPES[simple];
  if (byte !== undefined) return Uint8Array.of(byte);
  throw new GatewayError('syntax', `'${whole}' is not an escape, write \\\\ for a backslash`, {position});
}

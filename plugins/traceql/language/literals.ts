import {GatewayError, type Position} from '../../../core/api/plugin.js';
import {excerpt} from '../messages.js';

/** Decoding of the literals of the language: strings and durations are Go's. */

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

const ESCAPE = /\\(?:x([0-9a-fA-F]{2})|u([0-9a-fA-F]{4})|U([0-9a-fA-F]{8})|([0-7]{3})|([\s\S]?))/gu;

/** The value of a quoted string. Escapes of numbers other than code points are bytes of UTF-8. */
export function decodeString(text: string, position: Position): string {
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
    parts.push(Buffer.from(inner.slice(end, match.index)), decodeEscape(match, position));
    end = match.index + match[0].length;
  }
  parts.push(Buffer.from(inner.slice(end)));
  try {
    return new TextDecoder('utf-8', {fatal: true, ignoreBOM: true}).decode(Buffer.concat(parts));
  } catch (cause) {
    throw new GatewayError('syntax', `the escapes in ${excerpt(text)} do not make valid UTF-8`, {position, cause});
  }
}

function decodeEscape([whole, hex, short, long, octal, simple]: RegExpMatchArray, position: Position): Uint8Array {
  const byte = hex !== undefined ? Number.parseInt(hex, 16) : octal !== undefined ? Number.parseInt(octal, 8) : -1;
  if (byte >= 0 && byte <= 255) return Uint8Array.of(byte);
  const point = Number.parseInt(short ?? long ?? '', 16);
  if (point <= 0x10ffff && !(point >= 0xd800 && point <= 0xdfff)) return Buffer.from(String.fromCodePoint(point));
  const known = simple === undefined ? undefined : SIMPLE_ESCAPES[simple];
  if (known !== undefined) return Uint8Array.of(known);
  throw new GatewayError('syntax', `'${whole}' is not an escape, write \\\\ for a backslash`, {position});
}

/** Microseconds. Both code points that look like µ are in use. */
const UNITS: Readonly<Record<string, number>> = {
  us: 1,
  µs: 1,
  μs: 1,
  ms: 1000,
  s: 1_000_000,
  m: 60_000_000,
  h: 3_600_000_000,
};

/** One number, with or without a unit; or several with one each, as Go writes durations: 1m30s. */
const DURATION = /^(?:\d+(?:\.\d{1,16})?|(?:\d+(?:\.\d{1,16})?(?:us|µs|μs|ms|s|m|h))+)$/;
const PART = /(\d+)(?:\.(\d+))?([a-zµμ]*)/g;

/** Digits behind the point that parts are added with: as many as one may have. */
const SCALE = 16;

/** Whether a text is a duration, however long. */
export function isDuration(text: string): boolean {
  return DURATION.test(text);
}

/**
 * The microseconds of a duration, a number alone being microseconds; undefined when the text is none, or one longer than
 * numbers are exact. Exact: what a fraction of an hour is, no float may decide.
 */
export function parseDuration(text: string): number | undefined {
  if (!isDuration(text)) return undefined;
  let sum = 0n;
  for (const [, whole = '', fraction = '', unit = ''] of text.matchAll(PART)) {
    if (whole.length > SCALE) return undefined;
    sum += BigInt(whole + fraction.padEnd(SCALE, '0')) * BigInt(UNITS[unit || 'us'] as number);
  }
  const digits = sum.toString().padStart(SCALE + 1, '0');
  const value = Number(`${digits.slice(0, -SCALE)}.${digits.slice(-SCALE)}`);
  return value <= Number.MAX_SAFE_INTEGER ? value : undefined;
}

const DESCENDING = ['h', 'm', 's', 'ms'] as const;

/** A duration in the largest unit in which it is whole; `parseDuration` gives it back. */
export function printDuration(microseconds: number): string {
  const unit = DESCENDING.find(each => microseconds % (UNITS[each] as number) === 0);
  if (unit !== undefined && microseconds > 0) return `${microseconds / (UNITS[unit] as number)}${unit}`;
  // Below a millionth, numbers print with an exponent.
  const text = String(microseconds);
  const [, digits = '', rest = '', exponent = ''] = /^(\d)(?:\.(\d+))?e-(\d+)$/.exec(text) ?? [];
  return `${digits === '' ? text : `0.${'0'.repeat(Number(exponent) - 1)}${digits}${rest}`}us`;
}

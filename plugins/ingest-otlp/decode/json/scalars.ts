import type {JsonReader} from './json-reader.js';

/**
 * Values as OTLP has them in JSON: of null the default; integers as numbers or decimal text, with all their digits; ids in
 * hex, other bytes in base64; enumerations as numbers, and as names.
 */

const LEAST_INT64 = -(2n ** 63n);
const GREATEST_INT64 = 2n ** 63n - 1n;
const GREATEST_UINT64 = 2n ** 64n - 1n;
const LEAST_INT32 = -(2n ** 31n);
const GREATEST_INT32 = 2n ** 31n - 1n;
const GREATEST_UINT32 = 2n ** 32n - 1n;

/** More than any number of 64 bits has, however it is written. */
const MOST_DIGITS = 400;

const INTEGER = /^-?\d{1,400}$/;
const HEX = /^(?:[0-9a-fA-F]{2})*$/;
/** Of four characters each; of the last two or three may be there. */
const BASE64 = /^(?:[A-Za-z0-9+/_-]{4})*(?:[A-Za-z0-9+/_-]{2,3}={0,2})?$/;
const NUMBER = /^(-?\d+)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/;
const OF_NO_NUMBER: ReadonlySet<string> = new Set(['NaN', 'Infinity', '-Infinity']);

export function readText(reader: JsonReader): string {
  return reader.isNull() ? '' : reader.text();
}

/** Told of a number that its type has no room for: it costs its span, and not the others of the request. */
export type OnBeyond = (what: string) => void;

export function readInt64(reader: JsonReader, onBeyond: OnBeyond): bigint {
  const value = integer(reader, undefined, undefined, 'an integer of 64 bits');
  if (value >= LEAST_INT64 && value <= GREATEST_INT64) return value;
  onBeyond('an integer of more than 64 bits');
  return 0n;
}

export function readUint64(reader: JsonReader): bigint {
  return integer(reader, 0n, GREATEST_UINT64, 'an integer of 64 bits without a sign');
}

export function readUint32(reader: JsonReader): number {
  return Number(integer(reader, 0n, GREATEST_UINT32, 'an integer of 32 bits without a sign'));
}

/** `names` in the order of their numbers. Numbers that the enumeration does not have are kept. */
export function readEnum(reader: JsonReader, names: readonly string[]): number {
  if (!reader.isText()) return Number(integer(reader, LEAST_INT32, GREATEST_INT32, 'a number of the enumeration'));
  const {position} = reader;
  const number = names.indexOf(reader.text());
  return number < 0 ? reader.refuse(`a number, or one of ${names.join(', ')}`, position) : number;
}

export function readBool(reader: JsonReader): boolean {
  if (reader.isNull()) return false;
  const {position} = reader;
  const word = reader.isText() ? '' : reader.word();
  return word === 'true' || word === 'false' ? word === 'true' : reader.refuse('true or false', position);
}

export function readDouble(reader: JsonReader, onBeyond: OnBeyond): number {
  if (reader.isNull()) return 0;
  const {position} = reader;
  const text = reader.isText() ? reader.text() : reader.word();
  if (OF_NO_NUMBER.has(text)) return Number(text);
  if (!NUMBER.test(text)) reader.refuse('a number', position);
  const value = Number(text);
  if (!Number.isFinite(value)) onBeyond('a number beyond those of 64 bits with a point');
  return value;
}

/** In lower case, of any length. */
export function readHex(reader: JsonReader): string {
  const {position} = reader;
  const text = readText(reader);
  return HEX.test(text) ? text.toLowerCase() : reader.refuse('hex digits, two for each byte', position);
}

export function readBase64(reader: JsonReader): Uint8Array {
  const {position} = reader;
  const text = readText(reader);
  return BASE64.test(text) ? Uint8Array.from(Buffer.from(text, 'base64')) : reader.refuse('bytes in base64', position);
}

/** Without bounds, as large as it stands there. */
function integer(
  reader: JsonReader,
  least: bigint | undefined,
  greatest: bigint | undefined,
  expected: string,
): bigint {
  if (reader.isNull()) return 0n;
  const {position} = reader;
  const text = reader.isText() ? reader.text() : reader.word();
  const value = INTEGER.test(text) ? BigInt(text) : wholeNumber(text);
  const isOutside = value === undefined || (least !== undefined && value < least);
  return isOutside || (greatest !== undefined && value > greatest) ? reader.refuse(expected, position) : value;
}

/** Also `1e3` and `1.0` are integers, to their last digit. */
function wholeNumber(text: string): bigint | undefined {
  const [, whole = '', fraction = '', exponent = '0'] = NUMBER.exec(text) ?? [];
  const shift = Number(exponent) - fraction.length;
  const digits = whole + fraction;
  if (whole === '' || digits.length > MOST_DIGITS || Math.abs(shift) > MOST_DIGITS) return undefined;
  if (shift >= 0) return BigInt(digits) * 10n ** BigInt(shift);
  const divisor = 10n ** BigInt(-shift);
  return BigInt(digits) % divisor === 0n ? BigInt(digits) / divisor : undefined;
}

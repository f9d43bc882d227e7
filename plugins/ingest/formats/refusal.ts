import {GatewayError} from '../../../core/api/plugin.js';
import {quote} from '../../../core/toolkit/messages.js';

/** A record, or an object in one, as parsed: its values are unchecked. */
export type Fields = Readonly<Record<string, unknown>>;

export function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Enough for the longest key of a tag that is no mistake, and for where it stands. */
const KEY_LENGTH = 2048;

/** Ends the reading of a record: the message tells the key, what was found and what would be right. */
export function refuse(key: string, problem: string): never {
  throw new GatewayError('bad_request', `key ${quote(key, KEY_LENGTH)}: ${problem}`);
}

/** As `refuse`, of a value that is not what it should be: "a text". */
export function refuseValue(key: string, value: unknown, expected: string): never {
  refuse(key, `found ${quote(value)}, expected ${expected}`);
}

/** Decimal text, as `parseExact` also gives what no double holds. */
const INTEGER_TEXT = /^-?\d{16,}$/;

/** The value of a key as it was sent, for a message: an integer with all its digits, be it a number or text. */
export function written(fields: Fields, key: string): string {
  const value = fields[key];
  return typeof value === 'string' && value.length <= 80 && INTEGER_TEXT.test(value) ? value : quote(value);
}

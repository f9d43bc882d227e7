import {closestMatch} from 'leven';
import {GatewayError} from '../../../core/api/plugin.js';

/** Begins the key of a tag that tells how much of a list was stored: `cut.tags`, `cut.annotations`, `cut.logs`, `cut.data`. */
export const CUT = 'cut.';

/** A record, or an object in one, as parsed: its values are unchecked. */
export type Fields = Readonly<Record<string, unknown>>;

/** The most bytes of a name. */
export const NAME_BYTES = 1024;

/** The most bytes of a text that is content: of a tag's value, of a statement. */
export const TEXT_BYTES = 1024 * 1024;

/** Ends the reading of a record: the message tells the key, what was found and what would be right. */
export function refuse(key: string, problem: string): never {
  throw new GatewayError('bad_request', `key ${JSON.stringify(key)}: ${problem}`);
}

/** Why a text, which is well-formed, cannot be stored; undefined when it can. */
export function textProblem(text: string, bytes: number): string | undefined {
  // A UTF-16 unit takes at most three bytes, so short texts need no count.
  if (text.length * 3 > bytes && Buffer.byteLength(text) > bytes) {
    return `is ${Buffer.byteLength(text)} bytes long; at most ${bytes} are allowed`;
  }
  if (text.includes('\0')) return 'holds the character U+0000, which cannot be stored';
  return undefined;
}

/** A value as the message shows it: as JSON, cut when it is long; of what is nested, which may be deep, only its type. */
export function show(value: unknown): string {
  if (typeof value === 'object' && value !== null) return Array.isArray(value) ? 'an array' : 'an object';
  // Of a number beyond all doubles JSON would say null.
  const text = value === Number.POSITIVE_INFINITY ? 'Infinity' : (JSON.stringify(value) ?? 'nothing');
  return text.length > 80 ? `${text.slice(0, 79)}…` : text;
}

/** Decimal text, as `parseExact` also gives what no double holds. */
const INTEGER_TEXT = /^-?\d{16,}$/;

/** The value of a key as it was sent, for a message: an integer with all its digits, be it a number or text. */
export function written(fields: Fields, key: string): string {
  const value = fields[key];
  return typeof value === 'string' && value.length <= 80 && INTEGER_TEXT.test(value) ? value : show(value);
}

/** `; did you mean "…"?` when a candidate is close to what was written. */
export function suggestion(word: string, candidates: Iterable<string>): string {
  const maxDistance = Math.max(1, Math.floor(word.length / 3));
  const near = word.length > 100 ? undefined : closestMatch(word, [...candidates], {maxDistance});
  return near === undefined ? '' : `; did you mean ${JSON.stringify(near)}?`;
}

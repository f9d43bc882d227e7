import {closestMatch} from 'leven';
import {GatewayError} from '../../../../core/api/plugin.js';
import {unixSeconds} from './time.js';

/** A record as parsed: an object with unchecked values. */
export type Fields = Readonly<Record<string, unknown>>;

const NAME_BYTES = 1024;
const TEXT_BYTES = 64 * 1024;
const IDENTIFIER = /^[A-Za-z_][A-Za-z0-9_]*$/;
const LONE_SURROGATE = /\p{Surrogate}/u;

/** Ends the reading of a record: the message tells the key, what was found and what would be right. */
export function refuse(key: string, problem: string): never {
  throw new GatewayError('bad_request', `key ${JSON.stringify(key)}: ${problem}`);
}

/** Refuses keys that are in neither list, and those of `required` that are missing. */
export function checkKeys(
  fields: Fields,
  required: readonly string[],
  optional: readonly string[],
  subject: string,
): void {
  for (const key of Object.keys(fields)) {
    if (!required.includes(key) && !optional.includes(key)) {
      const known = [...required, ...optional];
      refuse(key, `${subject} has no such key; its keys are ${known.join(', ')}${suggestion(key, known)}`);
    }
  }
  for (const key of required) {
    if (!Object.hasOwn(fields, key)) refuse(key, `missing; ${subject} needs it`);
  }
}

/** The text of a name: not empty, at most 1,024 bytes. */
export function nameField(fields: Fields, key: string): string {
  const name = shortField(fields, key);
  if (name === '') refuse(key, 'is empty; expected a name');
  return name;
}

/** Text of at most 1,024 bytes that may be empty. */
export function shortField(fields: Fields, key: string): string {
  return checkText(fields[key], key, NAME_BYTES);
}

/** Text of at most 64 KiB that may be empty. */
export function contentField(fields: Fields, key: string): string {
  return checkText(fields[key], key, TEXT_BYTES);
}

/** A metric or label name. */
export function identifier(value: unknown, key: string): string {
  const name = checkText(value, key, NAME_BYTES);
  if (!IDENTIFIER.test(name)) refuse(key, `${show(name)} is not a name of the form [A-Za-z_][A-Za-z0-9_]*`);
  return name;
}

export function choiceField<Choice extends string>(fields: Fields, key: string, choices: readonly Choice[]): Choice {
  const value = fields[key];
  const choice = choices.find(each => each === value);
  if (choice === undefined) {
    if (value === undefined) refuse(key, `missing; expected one of ${choices.join(', ')}`);
    const near = typeof value === 'string' ? suggestion(value, choices) : '';
    return refuse(key, `${show(value)} is not one of ${choices.join(', ')}${near}`);
  }
  return choice;
}

/** Whole Unix seconds. */
export function timeField(fields: Fields): number {
  const seconds = unixSeconds(fields.time);
  if (seconds === undefined) {
    const milliseconds = typeof fields.time === 'number' && unixSeconds(Math.floor(fields.time / 1000)) !== undefined;
    const hint = milliseconds && Number(fields.time) > 1e11 ? '; these look like milliseconds' : '';
    return refuse(
      'time',
      `${show(fields.time)} is neither whole Unix seconds nor an RFC 3339 time, between 1970 and 9999${hint}`,
    );
  }
  return seconds;
}

export function valueField(fields: Fields): number {
  const value = fields.value;
  if (typeof value !== 'number') return refuse('value', `${show(value)} is not a number`);
  if (!Number.isFinite(value)) refuse('value', 'is too large for a double; values are finite');
  return value;
}

function checkText(value: unknown, key: string, bytes: number): string {
  if (value === undefined) refuse(key, 'missing');
  if (typeof value !== 'string') return refuse(key, `${show(value)} is not a text`);
  // A UTF-16 unit takes at most three bytes, so short texts need no count.
  if (value.length * 3 > bytes && Buffer.byteLength(value) > bytes) {
    refuse(key, `is ${Buffer.byteLength(value)} bytes long; at most ${bytes} are allowed`);
  }
  // Neither can be stored by every backend, and what cannot be stored as it is must not be changed in silence.
  if (value.includes('\0')) refuse(key, 'holds the character U+0000, which cannot be stored');
  if (LONE_SURROGATE.test(value)) refuse(key, 'holds half of a surrogate pair, which is not a character');
  return value;
}

/** A value as the message shows it: as JSON, cut when it is long; of what is nested, which may be deep, only its type. */
export function show(value: unknown): string {
  if (typeof value === 'object' && value !== null) return Array.isArray(value) ? 'an array' : 'an object';
  const text = JSON.stringify(value) ?? 'nothing';
  return text.length > 80 ? `${text.slice(0, 79)}…` : text;
}

/** `; did you mean "…"?` when a candidate is close to what was written. */
export function suggestion(word: string, candidates: Iterable<string>): string {
  const maxDistance = Math.max(1, Math.floor(word.length / 3));
  const near = word.length > 100 ? undefined : closestMatch(word, [...candidates], {maxDistance});
  return near === undefined ? '' : `; did you mean ${JSON.stringify(near)}?`;
}

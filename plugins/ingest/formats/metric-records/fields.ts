import {didYouMean} from '../../../../core/toolkit/messages.js';
import {MS_PER_SECOND} from '../../../../core/toolkit/time.js';
import {NAME_BYTES, TEXT_BYTES, textProblem} from '../../../../core/toolkit/traces/text-limits.js';
import {unixSeconds} from '../../../../core/toolkit/unix-seconds.js';
import {parseExact} from '../json/parse-exact.js';
import {type Fields, refuse, refuseValue, written} from '../refusal.js';

const IDENTIFIER = /^[A-Za-z_][A-Za-z0-9_]*$/;

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
      refuse(key, `${subject} has no such key; its keys are ${known.join(', ')}${didYouMean(key, known)}`);
    }
  }
  for (const key of required) {
    if (!Object.hasOwn(fields, key)) refuse(key, `missing; ${subject} needs it`);
  }
}

/** The text of a name: not empty, at most 1,024 bytes. `path` is the key as a message names it. */
export function nameField(fields: Fields, key: string, path = key): string {
  const name = checkText(fields[key], path, NAME_BYTES);
  if (name === '') refuse(path, 'empty; expected a name');
  return name;
}

/** Text of at most 1,024 bytes that may be empty. */
export function shortField(fields: Fields, key: string): string {
  return checkText(fields[key], key, NAME_BYTES);
}

/** Text of at most 1 MiB that may be empty. */
export function contentField(fields: Fields, key: string): string {
  return checkText(fields[key], key, TEXT_BYTES);
}

/** A metric or label name. */
export function identifier(value: unknown, key: string): string {
  const name = checkText(value, key, NAME_BYTES);
  if (!IDENTIFIER.test(name)) refuseValue(key, name, 'a name of the form [A-Za-z_][A-Za-z0-9_]*');
  return name;
}

export function choiceField<Choice extends string>(fields: Fields, key: string, choices: readonly Choice[]): Choice {
  const value = fields[key];
  const choice = choices.find(each => each === value);
  if (choice === undefined) {
    const expected = `one of ${choices.join(', ')}`;
    if (value === undefined) refuse(key, `missing; expected ${expected}`);
    const near = typeof value === 'string' ? didYouMean(value, choices) : '';
    return refuseValue(key, value, expected + near);
  }
  return choice;
}

const TIME = 'whole Unix seconds or an RFC 3339 time, between 1970 and 5999';

/** Whole Unix seconds. `line` is the record as sent: of a number that no double holds a message shows every digit. */
export function timeField(fields: Fields, line: string): number {
  const seconds = unixSeconds(fields.time);
  if (seconds === undefined) {
    const milliseconds =
      typeof fields.time === 'number' && unixSeconds(Math.floor(fields.time / MS_PER_SECOND)) !== undefined;
    const hint = milliseconds && Number(fields.time) > 1e11 ? '; these look like milliseconds' : '';
    const sent = written(parseExact(line) as Fields, 'time');
    return refuse('time', `found ${sent}, expected ${TIME}${hint}`);
  }
  return seconds;
}

export function valueField(fields: Fields): number {
  const value = fields.value;
  if (typeof value !== 'number') return refuseValue('value', value, 'a number');
  if (!Number.isFinite(value)) refuse('value', 'found a number too large for a double, expected a finite one');
  return value;
}

function checkText(value: unknown, key: string, bytes: number): string {
  if (value === undefined) refuse(key, 'missing');
  if (typeof value !== 'string') return refuseValue(key, value, 'a text');
  // Of a character that a sender has cut, what is left becomes U+FFFD.
  const text = value.toWellFormed();
  const problem = textProblem(text, bytes);
  if (problem !== undefined) refuse(key, problem);
  return text;
}

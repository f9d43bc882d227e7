import {parseExact} from '../json/parse-exact.js';
import {type Fields, NAME_BYTES, refuse, show, suggestion, TEXT_BYTES, textProblem, written} from '../refusal.js';
import {unixSeconds} from './unix-seconds.js';

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
      refuse(key, `${subject} has no such key; its keys are ${known.join(', ')}${suggestion(key, known)}`);
    }
  }
  for (const key of required) {
    if (!Object.hasOwn(fields, key)) refuse(key, `missing; ${subject} needs it`);
  }
}

/** The text of a name: not empty, at most 1,024 bytes. `path` is the key as a message names it. */
export function nameField(fields: Fields, key: string, path = key): string {
  const name = checkText(fields[key], path, NAME_BYTES);
  if (name === '') refuse(path, 'is empty; expected a name');
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

/** Whole Unix seconds. `line` is the record as sent: of a number that no double holds a message shows every digit. */
export function timeField(fields: Fields, line: string): number {
  const seconds = unixSeconds(fields.time);
  if (seconds === undefined) {
    const milliseconds = typeof fields.time === 'number' && unixSeconds(Math.floor(fields.time / 1000)) !== undefined;
    const hint = milliseconds && Number(fields.time) > 1e11 ? '; these look like milliseconds' : '';
    return refuse(
      'time',
      `${written(parseExact(line) as Fields, 'time')} is neither whole Unix seconds nor an RFC 3339 time, between 1970 and 5999${hint}`,
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
  // Of a character that a sender has cut, what is left becomes U+FFFD.
  const text = value.toWellFormed();
  const problem = textProblem(text, bytes);
  if (problem !== undefined) refuse(key, problem);
  return text;
}

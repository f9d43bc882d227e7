import {RE2JS, RE2JSSyntaxException} from 're2js';
import {GatewayError} from '../../../core/api/plugin.js';
import {quote} from '../../../core/toolkit/messages.js';
import {sizeOf} from './regex-size.js';

/** Larger patterns would hold the thread while they are compiled, and for every long name that they are run on. */
const LARGEST = 4096;
const CAPACITY = 256;
const compiled = new Map<string, RE2JS>();

type Test = (text: string) => boolean;

/**
 * RE2, so in linear time; anchored at both ends, the dot matches newlines too. Patterns are kept, the least recently
 * used goes. Plain alternatives, as dashboards write them for a choice of values, are looked up and may be long.
 */
export function fullMatch(pattern: string, what: string): Test {
  const alternatives = alternativesOf(pattern);
  if (alternatives !== undefined) return text => alternatives.has(text);
  const known = compiled.get(pattern);
  const regex = known ?? compile(pattern, what);
  if (known !== undefined) compiled.delete(pattern);
  compiled.set(pattern, regex);
  if (compiled.size > CAPACITY) compiled.delete(compiled.keys().next().value as string);
  return text => regex.testExact(text);
}

/** Texts between bars, with or without parentheses around them all, in which punctuation may be escaped. */
const PLAIN = /^(\()?((?:[^\\.+*?()|[\]{}^$]|\\[^\w\s]|\|)*)(\))?$/u;

function alternativesOf(pattern: string): ReadonlySet<string> | undefined {
  const [, open, inner, close] = PLAIN.exec(pattern) ?? [];
  if (inner === undefined || (open === undefined) !== (close === undefined)) return undefined;
  // A bar that is escaped is no border.
  const texts = inner.match(/(?:\\.|[^|\\])+|(?<=\||^)(?=\||$)/gsu) ?? [];
  return new Set(texts.map(text => text.replace(/\\(.)/gsu, '$1')));
}

function compile(pattern: string, what: string): RE2JS {
  const size = pattern.length > LARGEST ? pattern.length : sizeOf(pattern);
  if (size > LARGEST) {
    const limit = `at most ${LARGEST} are allowed; a choice of plain texts such as a|b may be longer`;
    throw new GatewayError(
      'bad_request',
      `${what} is too large a regular expression: its repetitions written out, it has about ${size} parts, and ${limit}`,
    );
  }
  try {
    return RE2JS.compile(pattern, RE2JS.DOTALL);
  } catch (cause) {
    const reason = cause instanceof RE2JSSyntaxException ? cause.getDescription() : (cause as Error).message;
    const message = `${what} is not an RE2 regular expression: ${reason} in ${quote(pattern)}`;
    throw new GatewayError('bad_request', message, {cause});
  }
}

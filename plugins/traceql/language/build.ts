import {GatewayError, type Position} from '../../../core/api/plugin.js';
import {showToken} from '../../../core/toolkit/language/bounded-tokens.js';
import {decodeGoString} from '../../../core/toolkit/language/go-string.js';
import {didYouMean, quote} from '../../../core/toolkit/messages.js';
import type {Comparison, DurationComparison, QueryCondition} from './ast.js';
import {parseAttribute} from './attribute.js';
import {type Enumeration, KINDS, STATUSES} from './enumerations.js';
import type {TraceqlToken} from './lexer.js';
import {isDuration, parseDuration, printDuration} from './literals.js';
import type {QuerySubset} from './subset.js';

/** Makes conditions of what the grammar has matched, and refuses those that mean nothing. */

/** The list may grow in place, because every reading of it ends in a token. Copying would be quadratic. */
export function append<T>(list: T[], item: T): T[] {
  list.push(item);
  return list;
}

/** What a kind lacks was refused before. */
const WHOLE: QuerySubset = {resourceAttributes: true};

export function condition(left: TraceqlToken, operator: TraceqlToken, right: TraceqlToken): QueryCondition {
  const attribute = parseAttribute(left.value, left.position, WHOLE);
  if (attribute.on === 'duration') return duration(operator, right);
  if (operator.value !== '=') {
    const message = `${quote(operator.value)} compares duration alone: ${quote(left.value)} takes =`;
    throw new GatewayError('unsupported_query', message, {position: operator.position});
  }
  switch (attribute.on) {
    case 'status':
      return {on: 'status', value: oneOf(STATUSES, 'status', right)};
    case 'kind':
      return {on: 'kind', value: oneOf(KINDS, 'kind', right)};
    case 'tag':
    case 'resource':
      return {on: attribute.on, key: attribute.key, value: text(right)};
    default:
      return {on: attribute.on, value: text(right)};
  }
}

function duration(operator: TraceqlToken, right: TraceqlToken): DurationComparison {
  const value = right.type === 'literal' ? parseDuration(right.value) : undefined;
  if (value === undefined && right.type === 'literal' && isDuration(right.value)) {
    throw bad(
      `the duration ${showToken(right)} is too large: at most ${printDuration(Number.MAX_SAFE_INTEGER)}`,
      right.position,
    );
  }
  if (value === undefined) {
    throw bad(
      `${showToken(right)} is no duration: write a number and one of us, ms, s, m, h, as in 100ms`,
      right.position,
    );
  }
  return {on: 'duration', is: operator.value as Comparison, value};
}

/** A word of a closed set, bare or quoted. */
function oneOf<Word extends string>(words: Enumeration<Word>, what: string, token: TraceqlToken): Word {
  const given = token.type === 'string' ? decodeGoString(token.value, token.position) : token.value;
  const found = words.find(given);
  if (found !== undefined) return found;
  throw bad(
    `${quote(given)} is no ${what}; expected one of ${words}${didYouMean(given, words.lowerCase)}`,
    token.position,
  );
}

const BARE = /^(?:[+-]?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false)$/;

/** Values compare as text, so a number is the text by which it was written. */
function text(token: TraceqlToken): string {
  if (token.type === 'string') return decodeGoString(token.value, token.position);
  if (BARE.test(token.value)) return token.value;
  throw bad(`the value ${showToken(token)} needs quotes`, token.position);
}

function bad(message: string, position: Position): GatewayError {
  return new GatewayError('syntax', message, {position});
}

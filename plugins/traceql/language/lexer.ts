import moo from 'moo';
import {type Scanner, type SourceToken, scan} from '../../../core/toolkit/language/bounded-tokens.js';
import type {Steps} from '../../../core/toolkit/yielder.js';

/**
 * A token of the full language. Any text has tokens; what is wrong with one is said by whoever reads them.
 *
 * - `attribute`: a word where an attribute can stand; `literal`: a word after a comparison.
 * - `string`, and `badString`, which has no end and goes on to the end of the text, as does `badComment`.
 * - `{` `}` `(` `)` `compare` `and`, and those that only the full language uses: `match` `or` `pipe` `not`
 *   `structural` `other`.
 */
export type TraceqlToken = SourceToken;

const OPERATORS: Readonly<Record<string, string>> = {
  '&&': 'and',
  '||': 'or',
  '|': 'pipe',
  '=': 'compare',
  '>': 'compare',
  '>=': 'compare',
  '<': 'compare',
  '<=': 'compare',
  '!=': 'match',
  '=~': 'match',
  '!~': 'match',
  '!': 'not',
  '{': '{',
  '}': '}',
  '(': '(',
  ')': ')',
  ',': 'other',
  '^': 'other',
  '&': 'other',
};

/**
 * A word takes everything up to a delimiter, and strings that stand directly after a dot in it: `span.foo."bar baz"`.
 * What has no end takes the rest of the text, so that nothing is looked at twice.
 */
const scanner = moo.compile({
  space: {match: /\s+/, lineBreaks: true},
  comment: {match: /\/\/[^\n]*|\/\*[\s\S]*?\*\//, lineBreaks: true},
  badComment: {match: /\/\*[\s\S]*/, lineBreaks: true},
  word: {
    match: /(?:[^\s{}()=~!<>&|^,"'`]+(?:(?<=\.)"[^"\\]*(?:\\[\s\S][^"\\]*)*")?)+/,
    lineBreaks: true,
  },
  string: {
    match: /"[^"\\]*(?:\\[\s\S][^"\\]*)*"|'[^'\\]*(?:\\[\s\S][^'\\]*)*'|`[^`]*`/,
    lineBreaks: true,
  },
  badString: {match: /["'`][\s\S]*/, lineBreaks: true},
  operator: /&&|\|\||!=|=~|!~|>=|<=|[!&]?(?:>>|<<)|[!&][<>~]|[{}()=<>!&|^,~]/,
}) as moo.Lexer & Scanner;

/** All tokens of the text, without spaces and comments. */
export function* tokenise(text: string): Steps<readonly TraceqlToken[]> {
  const tokens: TraceqlToken[] = [];
  yield* scan(scanner, text, ({type = '', text: value, line, col}) => {
    tokens.push({type: classify(type, value, tokens.at(-1)), value, position: {line, column: col}});
  });
  return tokens;
}

function classify(type: string, value: string, before: TraceqlToken | undefined): string {
  if (type === 'operator') return OPERATORS[value] ?? 'structural';
  if (type !== 'word') return type;
  return before?.type === 'compare' || before?.type === 'match' ? 'literal' : 'attribute';
}

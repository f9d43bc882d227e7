import moo from 'moo';
import type {Lexer} from 'nearley';
import type {Position} from '../../../core/api/plugin.js';

/**
 * A token of the full language. Any text has tokens; what is wrong with one is said by whoever reads them.
 *
 * - `field`: a word where an attribute can stand; `literal`: a word after a comparison.
 * - `string`, and `badString`, which has no end and goes on to the end of the text, as does `badComment`.
 * - `{` `}` `(` `)` `compare` `and`, and those that only the full language uses: `match` `or` `pipe` `not`
 *   `structural` `other`.
 */
export interface Token {
  readonly type: string;
  /** The text as it stands. */
  readonly value: string;
  readonly position: Position;
}

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
});

/** All tokens of the text, without spaces and comments. */
export function tokenise(text: string): readonly Token[] {
  const tokens: Token[] = [];
  scanner.reset(text);
  for (const {type, text: value, line, col} of scanner) {
    if (type === 'space' || type === 'comment') continue;
    tokens.push({type: classify(type as string, value, tokens.at(-1)), value, position: {line, column: col}});
  }
  return tokens;
}

function classify(type: string, value: string, before: Token | undefined): string {
  if (type === 'operator') return OPERATORS[value] ?? 'structural';
  if (type !== 'word') return type;
  return before?.type === 'compare' || before?.type === 'match' ? 'literal' : 'field';
}

/** What the generated grammar refers to. Its types are ours; the tokens come from `tokenise`, one feed per text. */
export class TokenFeed implements Lexer {
  readonly #tokens: readonly Token[];
  #next = 0;

  constructor(tokens: readonly Token[]) {
    this.#tokens = tokens;
  }

  next(): Token | undefined {
    return this.#tokens[this.#next++];
  }

  reset(): this {
    this.#next = 0;
    return this;
  }

  save(): {readonly line: number} {
    return {line: 0};
  }

  formatError(): string {
    return '';
  }

  has(_type: string): boolean {
    return true;
  }
}

export const lexer = new TokenFeed([]);

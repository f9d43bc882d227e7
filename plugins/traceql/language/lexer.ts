import moo from 'moo';
import type {Lexer} from 'nearley';
import type {Position} from '../../../core/api/plugin.js';
import type {Steps} from '../../../core/toolkit/yielder.js';

/**
 * A token of the full language. Any text has tokens; what is wrong with one is said by whoever reads them.
 *
 * - `attribute`: a word where an attribute can stand; `literal`: a word after a comparison.
 * - `string`, and `badString`, which has no end and goes on to the end of the text, as does `badComment`.
 * - `{` `}` `(` `)` `compare` `and`, and those that only the full language uses: `match` `or` `pipe` `not`
 *   `structural` `other`.
 */
export interface TraceqlToken {
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
}) as moo.Lexer & {clone(): moo.Lexer};

/** How many tokens are made between two pauses. */
const TOKENS_A_STEP = 64;

/** All tokens of the text, without spaces and comments. */
export function* tokenise(text: string): Steps<readonly TraceqlToken[]> {
  const tokens: TraceqlToken[] = [];
  // Each text has a scanner of its own, because others may be scanned while this one pauses.
  const scanning = scanner.clone().reset(text);
  for (let token = scanning.next(); token !== undefined; token = scanning.next()) {
    const {type, text: value, line, col} = token;
    if (type === 'space' || type === 'comment') continue;
    tokens.push({type: classify(type as string, value, tokens.at(-1)), value, position: {line, column: col}});
    if (tokens.length % TOKENS_A_STEP === 0) yield;
  }
  return tokens;
}

function classify(type: string, value: string, before: TraceqlToken | undefined): string {
  if (type === 'operator') return OPERATORS[value] ?? 'structural';
  if (type !== 'word') return type;
  return before?.type === 'compare' || before?.type === 'match' ? 'literal' : 'attribute';
}

/**
 * What the generated grammar refers to. Its types are ours; the tokens come from `tokenise`, one feed per text, in
 * portions: the parser pauses between them.
 */
export class TokenFeed implements Lexer {
  readonly #tokens: readonly TraceqlToken[];
  #next = 0;
  #end = 0;

  constructor(tokens: readonly TraceqlToken[]) {
    this.#tokens = tokens;
  }

  /** Whether every token has been taken. */
  get isEmpty(): boolean {
    return this.#next >= this.#tokens.length;
  }

  /** Lets the parser take the next few tokens. */
  allow(count: number): void {
    this.#end = Math.min(this.#next + count, this.#tokens.length);
  }

  next(): TraceqlToken | undefined {
    return this.#next < this.#end ? this.#tokens[this.#next++] : undefined;
  }

  reset(): this {
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

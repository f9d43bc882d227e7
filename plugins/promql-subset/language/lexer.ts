import moo from 'moo';
import {GatewayError, type Position} from '../../../core/api/plugin.js';
import {
  type ScannedToken,
  type Scanner,
  type SourceToken,
  scan,
} from '../../../core/toolkit/language/bounded-tokens.js';
import {decodeGoString} from '../../../core/toolkit/language/go-string.js';
import {quote} from '../../../core/toolkit/messages.js';
import type {Steps} from '../../../core/toolkit/yielder.js';
import {decodeDuration, decodeNumber} from './literals.js';

/** Where a token stands: the same word can be a metric, an operator, a clause or a label. */
export type TokenContext = 'operand' | 'operator' | 'labels' | 'matchers' | 'range';

/**
 * A token of the full language. Types beside the punctuation itself: `number` `duration` `string` `name`
 * `aggregator` `grouping` `bool` `compare` `sign` `factor` `match`, and those that only the full language uses:
 * `set` `matching` `modifier`, `^`, `@`, `:`.
 */
export interface PromqlToken extends SourceToken {
  /** What a number, duration or string stands for; of any other token its text. */
  readonly literal: string | number;
  readonly context: TokenContext;
}

/** Words that are more than names. They are keywords in any case, and names where only a name can stand. */
const KEYWORDS = new Map<string, string>(
  Object.entries({
    aggregator: 'sum min max avg count count_values group stddev stdvar topk bottomk quantile limitk limit_ratio',
    grouping: 'by without',
    bool: 'bool',
    set: 'and or unless atan2',
    matching: 'on ignoring group_left group_right',
    modifier: 'offset anchored smoothed',
    number: 'inf nan',
  }).flatMap(([type, words]) => words.split(' ').map(word => [word, type] as const)),
);

const scanner = moo.compile({
  space: {match: /[ \t\r\n]+/, lineBreaks: true},
  comment: /#[^\n]*/,
  duration: /(?:\d+(?:ms|[smhdwy]))+(?![\w.])/,
  number:
    /(?:0[xX](?:_?[0-9a-fA-F])+|(?:\d(?:_?\d)*(?:\.(?:\d(?:_?\d)*)?)?|\.\d(?:_?\d)*)(?:[eE][+-]?\d(?:_?\d)*)?)(?![\w.])/,
  badNumber: /\.?\d[\w.]*/,
  name: /[a-zA-Z_][\w:]*|:[a-zA-Z_:][\w:]*/,
  string: {match: /"[^"\\\n]*(?:\\.[^"\\\n]*)*"|'[^'\\\n]*(?:\\.[^'\\\n]*)*'|`[^`]*`/, lineBreaks: true},
  badString: /["'`]/,
  compare: ['==', '!=', '>=', '<=', '>', '<'],
  match: ['=~', '!~', '='],
  sign: ['+', '-'],
  factor: ['*', '/', '%'],
  punctuation: ['(', ')', '{', '}', '[', ']', ',', '^', '@', ':'],
  other: moo.error,
}) as moo.Lexer & Scanner;

/** How many tokens are classified between two pauses. */
const TOKENS_A_STEP = 64;

/** All tokens of the text, spaces and comments left out. */
export function* tokenise(text: string): Steps<readonly PromqlToken[]> {
  const raw: ScannedToken[] = [];
  yield* scan(scanner, text, token => raw.push(token));
  const tokens: PromqlToken[] = [];
  const open: TokenContext[] = [];
  let context: TokenContext = 'operand';
  for (const [i, token] of raw.entries()) {
    if (i % TOKENS_A_STEP === 0) yield;
    const position = {line: token.line, column: token.col};
    const type = classify(token, raw[i + 1], context, tokens.at(-1));
    tokens.push({type, value: token.text, literal: decode(token, type, position), position, context});
    if (type === '(' || type === '[' || type === '{') {
      open.push(context);
      const opener = tokens.at(-2)?.type;
      if (type === '(') context = opener === 'grouping' || opener === 'matching' ? 'labels' : 'operand';
      else context = type === '[' ? 'range' : 'matchers';
    } else if (type === ')' || type === ']' || type === '}') {
      const around = open.pop();
      context = around !== undefined && LISTS.has(around) ? around : 'operator';
    } else if (context === 'operand' || context === 'operator') {
      context = ENDS_OPERAND.has(type) ? 'operator' : 'operand';
    }
  }
  return tokens;
}

const ENDS_OPERAND: ReadonlySet<string> = new Set(['number', 'duration', 'string', 'name']);

/** Inside these brackets no expression can stand. */
const LISTS: ReadonlySet<TokenContext> = new Set(['labels', 'matchers', 'range']);

function classify(
  token: ScannedToken,
  next: ScannedToken | undefined,
  context: TokenContext,
  before: PromqlToken | undefined,
): string {
  const {type, text} = token;
  if (type === 'punctuation') return text;
  if (type === 'compare' && context === 'matchers' && text === '!=') return 'match';
  if (type !== 'name') return type as string;
  const keyword = KEYWORDS.get(text.toLowerCase());
  if (keyword === undefined || LISTS.has(context)) return 'name';
  if (context === 'operator' || keyword === 'number') return keyword;
  switch (keyword) {
    case 'aggregator':
      return next?.text === '(' || KEYWORDS.get(next?.text.toLowerCase() ?? '') === 'grouping' ? keyword : 'name';
    case 'grouping':
    case 'matching':
      return next?.text === '(' ? keyword : 'name';
    case 'bool':
      return before?.context === 'operator' ? keyword : 'name';
    default:
      return 'name';
  }
}

function decode(token: ScannedToken, type: string, position: Position): string | number {
  switch (type) {
    case 'number':
      return decodeNumber(token.text);
    case 'duration':
      return decodeDuration(token.text, position);
    case 'string':
      return decodeGoString(token.text, position);
    case 'badNumber':
      return refuse(`${quote(token.text)} is neither a number nor a duration`, position);
    case 'badString':
      return refuse(`the string that ${token.text} opens has no end on its line`, position);
    case 'other':
      return refuse(`unexpected character ${quote(String.fromCodePoint(token.text.codePointAt(0) ?? 0))}`, position);
    default:
      return token.text;
  }
}

function refuse(message: string, position: Position): never {
  throw new GatewayError('syntax', message, {position});
}

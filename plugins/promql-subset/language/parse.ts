import nearley from 'nearley';
import {GatewayError, type Position, type QueryLimits} from '../../../core/api/plugin.js';
import type {Steps} from '../../../core/toolkit/yielder.js';
import {excerpt} from '../messages.js';
import type {Expression, Selector} from './ast.js';
import {type ParseNode, toExpression} from './build.js';
import {type PromqlToken, TokenFeed, tokenise} from './lexer.js';
import grammar from './promql.generated.js';
import {refuseUnsupported} from './unsupported.js';

/**
 * Text to tree. Before: any text. After: the tree of the whole text, or a `GatewayError`: `bad_request` for text that
 * is longer or nests deeper than its limits, `unsupported_query` for what only the full language has, `syntax` for
 * the rest, the last two with a position. In steps, because a long text takes a tenth of a second.
 */
export function* parseExpression(text: string, limits: QueryLimits): Steps<Expression> {
  const tokens = yield* tokeniseWithin(text, limits);
  refuseUnsupported(tokens);
  return toExpression((yield* run(EXPRESSION, tokens, text)) as ParseNode);
}

/** A series selector: the grammar's selector with every matcher operator, and with or without a name before the braces. */
export function* parseSeriesSelector(text: string, limits: QueryLimits): Steps<Selector> {
  const tokens = yield* tokeniseWithin(text, limits);
  return (yield* run(SERIES, tokens, text)) as Selector;
}

const EXPRESSION = nearley.Grammar.fromCompiled({...grammar, ParserStart: 'expression'});
const SERIES = nearley.Grammar.fromCompiled({...grammar, ParserStart: 'series'});

function* tokeniseWithin(text: string, limits: QueryLimits): Steps<readonly PromqlToken[]> {
  if (text.length > limits.queryLength || Buffer.byteLength(text) > limits.queryLength) {
    throw new GatewayError('bad_request', `the query is longer than limits.queryLength, ${limits.queryLength} bytes`);
  }
  const tokens = yield* tokenise(text);
  let depth = 0;
  for (const {type, position} of tokens) {
    if (type === '(' || type === '[' || type === '{') depth++;
    else if (type === ')' || type === ']' || type === '}') depth--;
    if (depth > limits.nesting) {
      throw new GatewayError('bad_request', `the query nests deeper than limits.nesting, ${limits.nesting} levels`, {
        position,
      });
    }
  }
  return tokens;
}

/** The subset of nearley's parser that it documents for error reporting, with the report itself left to us. */
class Parser extends nearley.Parser {
  declare readonly table: readonly {readonly scannable: readonly ScannableState[]}[];

  /** Nearley's own report prints its parse table, at a cost that grows with the text. */
  reportError(): string {
    return '';
  }

  expected(): string {
    const words = (this.table[this.current]?.scannable ?? []).map(({rule, dot}) => describe(rule.symbols[dot]));
    const unique = [...new Set(words)];
    return unique.length < 2 ? unique.join('') : `${unique.slice(0, -1).join(', ')} or ${unique.at(-1)}`;
  }
}

interface ScannableState {
  readonly rule: {readonly symbols: readonly {readonly type?: string; readonly literal?: string}[]};
  readonly dot: number;
}

/** How many tokens the parser takes between two pauses. */
const TOKENS_A_STEP = 64;

/** Nearley has four outcomes: one tree, none at the end of the input, an error at a token, and several trees. */
function* run(start: nearley.Grammar, tokens: readonly PromqlToken[], text: string): Steps<unknown> {
  const feed = new TokenFeed(tokens);
  const parser = new Parser(start, {lexer: feed});
  try {
    do {
      feed.allow(TOKENS_A_STEP);
      parser.feed('');
      yield;
    } while (!feed.isEmpty);
  } catch (error) {
    const token = tokens[parser.current];
    if (token === undefined || GatewayError.is(error)) throw error;
    const message = `unexpected '${excerpt(token.value)}', expected ${parser.expected() || 'the end'}`;
    throw new GatewayError('syntax', message, {position: token.position});
  }
  const [tree, second] = parser.results;
  if (second !== undefined) throw new Error(`BUG: the grammar reads '${text}' in ${parser.results.length} ways`);
  if (tree === undefined) {
    throw new GatewayError('syntax', `unexpected end, expected ${parser.expected()}`, {position: endOf(text)});
  }
  return tree;
}

const WORDS: Readonly<Record<string, string>> = {
  number: 'a number',
  duration: 'a duration',
  string: 'a quoted value',
  name: 'a name',
  aggregator: 'an aggregation',
  grouping: 'by or without',
  bool: 'bool',
  compare: 'a comparison',
  sign: '+ or -',
  factor: '*, / or %',
  match: 'a matcher operator',
};

function describe(symbol: ScannableState['rule']['symbols'][number] | undefined): string {
  return symbol?.type === undefined ? `'${symbol?.literal}'` : (WORDS[symbol.type] ?? symbol.type);
}

function endOf(text: string): Position {
  const lines = text.split('\n');
  return {line: lines.length, column: (lines.at(-1) ?? '').length + 1};
}

import type {QueryLimits} from '../../../core/api/plugin.js';
import {boundedTokens} from '../../../core/toolkit/language/bounded-tokens.js';
import {GrammarRunner} from '../../../core/toolkit/language/grammar-runner.js';
import type {Steps} from '../../../core/toolkit/yielder.js';
import type {Expression, Selector} from './ast.js';
import {type ParseNode, toExpression} from './build.js';
import {tokenise} from './lexer.js';
import grammar from './promql.generated.js';
import {refuseUnsupported} from './unsupported.js';

/**
 * Text to tree. Before: any text. After: the tree of the whole text, or a `GatewayError`: `bad_request` for text that
 * is longer or nests deeper than its limits, `unsupported_query` for what only the full language has, `syntax` for
 * the rest, the last two with a position. In steps, because a long text takes a tenth of a second.
 */
export function* parseExpression(text: string, limits: QueryLimits): Steps<Expression> {
  const tokens = yield* boundedTokens(text, limits, tokenise);
  refuseUnsupported(tokens);
  return toExpression(yield* EXPRESSION.run(tokens, text));
}

/** A series selector: the grammar's selector with every matcher operator, and with or without a name before the braces. */
export function* parseSeriesSelector(text: string, limits: QueryLimits): Steps<Selector> {
  const tokens = yield* boundedTokens(text, limits, tokenise);
  return yield* SERIES.run(tokens, text);
}

/** What messages call the tokens. */
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

const EXPRESSION = new GrammarRunner<ParseNode>(grammar, {start: 'expression', words: WORDS});
const SERIES = new GrammarRunner<Selector>(grammar, {start: 'series', words: WORDS});

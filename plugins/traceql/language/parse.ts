import {GatewayError, type QueryLimits} from '../../../core/api/plugin.js';
import {boundedTokens} from '../../../core/toolkit/language/bounded-tokens.js';
import {GrammarRunner} from '../../../core/toolkit/language/grammar-runner.js';
import type {Steps} from '../../../core/toolkit/yielder.js';
import type {QueryCondition} from './ast.js';
import {type TraceqlToken, tokenise} from './lexer.js';
import {type QuerySubset, SERVICE_ALONE} from './subset.js';
import grammar from './traceql.generated.js';
import {refuseUnsupported} from './unsupported.js';

/**
 * Text to conditions. Before: any text. After: the conditions of the whole text, or a `GatewayError`: `bad_request` for
 * text that is longer or nests deeper than its limits, `unsupported_query` for what only the full language has,
 * `syntax` for the rest, the last two with a position. In steps, because a long text takes many milliseconds.
 */
export function* parseQuery(
  text: string,
  limits: QueryLimits,
  subset: QuerySubset = SERVICE_ALONE,
): Steps<readonly QueryCondition[]> {
  const tokens = yield* boundedTokens(text, limits, tokenise);
  for (const token of tokens) refuseUnended(token);
  refuseUnsupported(tokens, subset);
  return yield* GRAMMAR.run(tokens, text);
}

const GRAMMAR = new GrammarRunner<readonly QueryCondition[]>(grammar, {
  words: {
    attribute: 'an attribute',
    compare: 'a comparison',
    and: '&&',
    string: 'a quoted value',
    literal: 'a value',
  },
});

function refuseUnended({type, value, position}: TraceqlToken): void {
  if (type === 'badString')
    throw new GatewayError('syntax', `the string that ${value[0]} opens has no end`, {position});
  if (type === 'badComment') throw new GatewayError('syntax', 'the comment that /* opens has no end', {position});
}

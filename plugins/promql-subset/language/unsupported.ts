import {GatewayError} from '../../../core/api/plugin.js';
import {showToken} from '../../../core/toolkit/language/bounded-tokens.js';
import {didYouMean, quote} from '../../../core/toolkit/messages.js';
import type {PromqlToken} from './lexer.js';

/**
 * What the full language has and this subset leaves out. It is told from the tokens and named where it begins, in the
 * order of the text, so that the grammar describes the subset alone.
 */
const AGGREGATORS = ['sum', 'min', 'max', 'avg'];

export function refuseUnsupported(tokens: readonly PromqlToken[]): void {
  for (const [i, token] of tokens.entries()) {
    const what = unsupported(token, tokens[i - 1], tokens[i + 1]);
    if (what !== undefined) throw new GatewayError('unsupported_query', what, {position: token.position});
  }
}

function unsupported(
  token: PromqlToken,
  before: PromqlToken | undefined,
  next: PromqlToken | undefined,
): string | undefined {
  switch (token.context) {
    case 'operand':
      return atOperand(token, next);
    case 'operator':
      return atOperator(token, before);
    case 'matchers':
      if (token.type === 'match' && token.value !== '=') {
        return notInSubset(token, 'as a matcher of an expression', 'only = is');
      }
      if (token.type === 'string' && before?.type !== 'match') return notInSubset(token, 'as a quoted name');
      return undefined;
    case 'range':
      if (token.type === ':')
        return `a subquery is not in this subset: ${quote(token.value)} inside the brackets of a range`;
      if (token.type === 'number') {
        return `the number ${quote(token.value)} is not in this subset as a range: write a duration such as 5m`;
      }
      return undefined;
    case 'labels':
      return token.type === 'string' ? notInSubset(token, 'as a quoted name') : undefined;
  }
}

/** Where an operand is expected. */
function atOperand(token: PromqlToken, next: PromqlToken | undefined): string | undefined {
  switch (token.type) {
    case 'name':
      if (next?.type === '(') return refuseCall(token);
      if (token.value.includes(':')) return notInSubset(token, 'because of the colon in the name');
      return undefined;
    case 'aggregator':
      return AGGREGATORS.includes(token.value.toLowerCase()) ? undefined : refuseCall(token);
    case 'matching':
      return notInSubset(token, 'as vector matching');
    case 'sign':
      return next?.type === 'number' ? undefined : notInSubset(token, 'as a unary operator');
    case 'string':
      return notInSubset(token, 'as an expression of its own');
    case 'duration':
      return notInSubset(token, 'as a number');
    case '{':
      return 'a selector without a metric name is not in this subset: begin with the name: metric{layer="…"}';
    default:
      return undefined;
  }
}

/** Where an operator or the end is expected. */
function atOperator(token: PromqlToken, before: PromqlToken | undefined): string | undefined {
  switch (token.type) {
    case '^':
    case '@':
    case 'set':
    case 'modifier':
      return notInSubset(token);
    case 'matching':
      return notInSubset(token, 'as vector matching');
    case 'match':
      return notInSubset(token, 'between operands', 'compare with == or !=');
    case '[':
      if (before?.type === ']') return 'a second "[" after a range is not in this subset';
      return before?.type === 'name' || before?.type === '}'
        ? undefined
        : '"[" is not in this subset here: a range stands directly after a selector';
    default:
      return undefined;
  }
}

function refuseCall(token: PromqlToken): string {
  return `${quote(token.value)} is not in this subset${didYouMean(token.value, AGGREGATORS) || ': of the calls it has sum, min, max, avg'}`;
}

function notInSubset(token: PromqlToken, role?: string, instead?: string): string {
  const parts = [`${showToken(token)} is not in this subset`, role].filter(part => part !== undefined).join(' ');
  return instead === undefined ? parts : `${parts}: ${instead}`;
}

import {GatewayError, type QueryLimits} from '../../../core/api/plugin.js';
import {boundedTokens} from '../../../core/toolkit/language/bounded-tokens.js';
import type {Steps} from '../../../core/toolkit/yielder.js';
import type {QueryCondition} from './ast.js';
import {condition} from './build.js';
import {type TraceqlToken, tokenise} from './lexer.js';
import {type QuerySubset, SERVICE_ALONE} from './subset.js';

/**
 * The conditions of a text that is still being typed: what is incomplete, wrong or outside the subset is left out, so
 * the result may say less than the text means and never more. Rejects nothing but what is too long or too deep.
 */
export function* parsePartial(
  text: string,
  limits: QueryLimits,
  {resourceAttributes}: QuerySubset = SERVICE_ALONE,
): Steps<readonly QueryCondition[]> {
  const tokens = yield* boundedTokens(text, limits, tokenise);
  const [opening] = tokens;
  if (opening?.type !== '{') return [];
  const end = endOfBraces(tokens);
  const after = tokens[end + 1];
  // Another spanset may ask for other spans than this one; a pipeline only for fewer traces.
  if (after !== undefined && after.type !== 'pipe') return [];
  const conditions = conditionsOf(tokens.slice(1, end));
  return resourceAttributes ? conditions : conditions.filter(({on}) => on !== 'resource');
}

/** The index of the brace that closes the first, or of the end. */
function endOfBraces(tokens: readonly TraceqlToken[]): number {
  let depth = 0;
  for (const [i, {type}] of tokens.entries()) {
    if (type === '{') depth++;
    else if (type === '}' && --depth === 0) return i;
  }
  return tokens.length;
}

/** `&&` and `||` are of one precedence and apply from the left: what stands before an `||` need not hold. */
function conditionsOf(tokens: readonly TraceqlToken[]): readonly QueryCondition[] {
  let conditions: QueryCondition[] = [];
  let isAlternative = false;
  let part: TraceqlToken[] = [];
  const finish = (): void => {
    const complete = isAlternative ? undefined : completeCondition(part);
    if (complete !== undefined) conditions.push(complete);
    part = [];
  };
  let depth = 0;
  for (const token of tokens) {
    if (token.type === '(') depth++;
    else if (token.type === ')') depth--;
    if (depth > 0 || (token.type !== 'and' && token.type !== 'or')) {
      part.push(token);
      continue;
    }
    finish();
    isAlternative = token.type === 'or';
    if (isAlternative) conditions = [];
  }
  finish();
  return conditions;
}

function completeCondition(part: readonly TraceqlToken[]): QueryCondition | undefined {
  const [left, operator, right] = part;
  if (part.length !== 3 || left?.type !== 'attribute' || operator?.type !== 'compare' || right === undefined)
    return undefined;
  if (right.type !== 'string' && right.type !== 'literal') return undefined;
  try {
    return condition(left, operator, right);
  } catch (error) {
    if (GatewayError.is(error)) return undefined;
    throw error;
  }
}

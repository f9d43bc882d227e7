import {GatewayError} from '../../../core/api/plugin.js';
import {quote} from '../../../core/toolkit/messages.js';
import {type Aggregation, type Chain, type Expression, isComparison, type Operation, type Selector} from './ast.js';

/**
 * - `scalar`: a number.
 * - `instant`: a vector with one sample a series, each at its own time.
 * - `range`: a vector over the buckets of a window, because some range selector is in it.
 */
export type ExpressionType = 'scalar' | 'instant' | 'range';

/** An expression whose types fit, and the selectors in it in the order of the text. */
export interface Query {
  readonly expression: Expression;
  readonly type: ExpressionType;
  readonly selectors: readonly Selector[];
  /** How many operators and aggregations are applied to vectors. */
  readonly operations: number;
}

/** What is found on the way through the tree. */
interface Analysis {
  readonly selectors: Selector[];
  operations: number;
}

export function analyse(expression: Expression): Query {
  const analysis: Analysis = {selectors: [], operations: 0};
  const type = typeOf(expression, analysis);
  return {expression, type, ...analysis};
}

function typeOf(expression: Expression, analysis: Analysis): ExpressionType {
  switch (expression.kind) {
    case 'number':
      return 'scalar';
    case 'selector':
      analysis.selectors.push(expression);
      return expression.range === undefined ? 'instant' : 'range';
    case 'parentheses':
      return typeOf(expression.inner, analysis);
    case 'aggregation':
      return typeOfAggregation(expression, analysis);
    case 'chain':
      return typeOfChain(expression, analysis);
  }
}

function typeOfAggregation({operator, operand, position}: Aggregation, analysis: Analysis): ExpressionType {
  const type = typeOf(operand, analysis);
  if (type === 'scalar') {
    throw new GatewayError('bad_request', `${quote(operator)} aggregates a vector, and its operand is a number`, {
      position,
    });
  }
  analysis.operations++;
  return type;
}

function typeOfChain({first, operations}: Chain, analysis: Analysis): ExpressionType {
  let left = typeOf(first, analysis);
  for (const operation of operations) {
    const right = typeOf(operation.operand, analysis);
    if (left === 'scalar' && right === 'scalar') {
      refuseFilterOfNumbers(operation);
    } else {
      analysis.operations++;
      left = left === 'range' || right === 'range' ? 'range' : 'instant';
    }
  }
  return left;
}

function refuseFilterOfNumbers({operator, bool, position}: Operation): void {
  if (!isComparison(operator) || bool) return;
  const message = `${quote(operator)} between two numbers needs bool: write ${operator} bool`;
  throw new GatewayError('bad_request', message, {position});
}

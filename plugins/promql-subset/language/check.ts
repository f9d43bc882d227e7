import {GatewayError} from '../../../core/api/plugin.js';
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
}

export function check(expression: Expression): Query {
  const selectors: Selector[] = [];
  const type = typeOf(expression, selectors);
  return {expression, type, selectors};
}

function typeOf(expression: Expression, selectors: Selector[]): ExpressionType {
  switch (expression.kind) {
    case 'number':
      return 'scalar';
    case 'selector':
      selectors.push(expression);
      return expression.range === undefined ? 'instant' : 'range';
    case 'parentheses':
      return typeOf(expression.inner, selectors);
    case 'aggregation':
      return typeOfAggregation(expression, selectors);
    case 'chain':
      return typeOfChain(expression, selectors);
  }
}

function typeOfAggregation({operator, operand, position}: Aggregation, selectors: Selector[]): ExpressionType {
  const type = typeOf(operand, selectors);
  if (type === 'scalar') {
    throw new GatewayError('bad_request', `'${operator}' aggregates a vector, and its operand is a number`, {position});
  }
  return type;
}

function typeOfChain({first, operations}: Chain, selectors: Selector[]): ExpressionType {
  let left = typeOf(first, selectors);
  for (const operation of operations) {
    const right = typeOf(operation.operand, selectors);
    if (left === 'scalar' && right === 'scalar') refuseFilterOfNumbers(operation);
    else left = left === 'range' || right === 'range' ? 'range' : 'instant';
  }
  return left;
}

function refuseFilterOfNumbers({operator, bool, position}: Operation): void {
  if (!isComparison(operator) || bool) return;
  const message = `'${operator}' between two numbers needs bool: write '${operator} bool'`;
  throw new GatewayError('bad_request', message, {position});
}

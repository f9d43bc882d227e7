import type {
  Aggregation,
  AggregationOperator,
  BinaryOperator,
  Chain,
  Expression,
  Grouping,
  Matcher,
  MatchOperator,
  NumberLiteral,
  Operation,
  Parentheses,
  Selector,
} from './ast.js';
import type {Token} from './lexer.js';

/** Makes the nodes of the tree from what the grammar has matched. */

/**
 * Lists grow in place: the grammar recurses on the left and a list is continued by one token only, so nobody else
 * holds the shorter one. Copying would be quadratic.
 */
export function append<T>(list: T[], item: T): T[] {
  list.push(item);
  return list;
}

const LEVELS: Readonly<Record<string, string>> = {
  '+': 'sum',
  '-': 'sum',
  '*': 'product',
  '/': 'product',
  '%': 'product',
};

export function chain(left: Expression, token: Token, bool: boolean, operand: Expression): Chain {
  const operator = token.value as BinaryOperator;
  const operation: Operation = {operator, bool, operand, position: token.position};
  if (left.kind === 'chain' && LEVELS[left.operations[0]?.operator ?? ''] === LEVELS[operator]) {
    append(left.operations as Operation[], operation);
    return left;
  }
  return {kind: 'chain', first: left, operations: [operation]};
}

export function number(token: Token, sign?: Token): NumberLiteral {
  const value = token.literal as number;
  return {kind: 'number', value: sign?.value === '-' ? -value : value};
}

export function parentheses(inner: Expression): Parentheses {
  return {kind: 'parentheses', inner};
}

export function aggregation(token: Token, operand: Expression, grouping: Grouping | undefined): Aggregation {
  const operator = token.value.toLowerCase() as AggregationOperator;
  return {kind: 'aggregation', operator, grouping, operand, position: token.position};
}

export function grouping(token: Token, labels: readonly string[]): Grouping {
  return {by: token.value.toLowerCase() === 'by', labels};
}

export function selector(name: Token | undefined, matchers: readonly Matcher[]): Selector {
  const position = name?.position ?? {line: 1, column: 1};
  return {kind: 'selector', metric: name?.value, matchers, range: undefined, position};
}

export function range(instant: Selector, duration: Token): Selector {
  return {...instant, range: duration.literal as number};
}

export function matcher(label: Token, operator: Token, value: Token): Matcher {
  return {
    label: label.value,
    operator: operator.value as MatchOperator,
    value: value.literal as string,
    position: label.position,
  };
}

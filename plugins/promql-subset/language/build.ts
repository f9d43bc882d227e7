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
  Selector,
} from './ast.js';
import type {PromqlToken} from './lexer.js';

/**
 * Makes the nodes of the tree from what the grammar has matched. The parser tries readings that end too early along
 * with those that go on (`1 - 6` within `1 - 6 / 2`), so a node once made is never changed.
 */
export type ParseNode = NumberLiteral | Selector | AggregationNode | ParenthesesNode | BinaryNode;

/** One binary operation as the grammar sees it. `toExpression` makes chains of them. */
interface BinaryNode extends Omit<Operation, 'operand'> {
  readonly kind: 'pair';
  readonly left: ParseNode;
  readonly operand: ParseNode;
}

interface AggregationNode extends Omit<Aggregation, 'operand'> {
  readonly operand: ParseNode;
}

interface ParenthesesNode {
  readonly kind: 'parentheses';
  readonly inner: ParseNode;
}

export function binary(left: ParseNode, token: PromqlToken, bool: boolean, operand: ParseNode): BinaryNode {
  return {kind: 'pair', left, operator: token.value as BinaryOperator, bool, operand, position: token.position};
}

/** The finished tree: what leans to the left on one precedence level becomes one chain. */
export function toExpression(node: ParseNode): Expression {
  switch (node.kind) {
    case 'pair':
      return chain(node);
    case 'parentheses':
      return {kind: 'parentheses', inner: toExpression(node.inner)};
    case 'aggregation':
      return {...node, operand: toExpression(node.operand)};
    default:
      return node;
  }
}

const LEVELS: Readonly<Partial<Record<BinaryOperator, string>>> = {
  '+': 'sum',
  '-': 'sum',
  '*': 'product',
  '/': 'product',
  '%': 'product',
};

function chain(last: BinaryNode): Chain {
  const level = LEVELS[last.operator];
  const operations: Operation[] = [];
  let left: ParseNode = last;
  while (left.kind === 'pair' && LEVELS[left.operator] === level) {
    const {operator, bool, operand, position} = left;
    operations.push({operator, bool, operand: toExpression(operand), position});
    left = left.left;
  }
  return {kind: 'chain', first: toExpression(left), operations: operations.reverse()};
}

/** Lists may grow in place, because they end in a token: no reading of them ends too early. Copying would be quadratic. */
export function append<T>(list: T[], item: T): T[] {
  list.push(item);
  return list;
}

export function number(token: PromqlToken, sign?: PromqlToken): NumberLiteral {
  const value = token.literal as number;
  return {kind: 'number', value: sign?.value === '-' ? -value : value};
}

export function parentheses(inner: ParseNode): ParenthesesNode {
  return {kind: 'parentheses', inner};
}

export function aggregation(token: PromqlToken, operand: ParseNode, grouping: Grouping | undefined): AggregationNode {
  const operator = token.value.toLowerCase() as AggregationOperator;
  return {kind: 'aggregation', operator, grouping, operand, position: token.position};
}

export function grouping(token: PromqlToken, labels: readonly string[]): Grouping {
  return {by: token.value.toLowerCase() === 'by', labels};
}

export function selector(name: PromqlToken | undefined, matchers: readonly Matcher[]): Selector {
  const position = name?.position ?? {line: 1, column: 1};
  return {kind: 'selector', metric: name?.value, matchers, range: undefined, position};
}

export function range(instant: Selector, duration: PromqlToken): Selector {
  return {...instant, range: duration.literal as number};
}

export function matcher(label: PromqlToken, operator: PromqlToken, value: PromqlToken): Matcher {
  return {
    label: label.value,
    operator: operator.value as MatchOperator,
    value: value.literal as string,
    position: label.position,
  };
}

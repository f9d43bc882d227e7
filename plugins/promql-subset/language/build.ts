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
import type {Token} from './lexer.js';

/**
 * Makes the nodes of the tree from what the grammar has matched. The parser tries readings that end too early along
 * with those that go on (`1 - 6` within `1 - 6 / 2`), so a node once made is never changed.
 */
export type Draft = NumberLiteral | Selector | DraftAggregation | DraftParentheses | Pair;

/** One binary operation as the grammar sees it. `settle` makes chains of them. */
interface Pair extends Omit<Operation, 'operand'> {
  readonly kind: 'pair';
  readonly left: Draft;
  readonly operand: Draft;
}

interface DraftAggregation extends Omit<Aggregation, 'operand'> {
  readonly operand: Draft;
}

interface DraftParentheses {
  readonly kind: 'parentheses';
  readonly inner: Draft;
}

export function pair(left: Draft, token: Token, bool: boolean, operand: Draft): Pair {
  return {kind: 'pair', left, operator: token.value as BinaryOperator, bool, operand, position: token.position};
}

/** The finished tree: what leans to the left on one precedence level becomes one chain. */
export function settle(draft: Draft): Expression {
  switch (draft.kind) {
    case 'pair':
      return chain(draft);
    case 'parentheses':
      return {kind: 'parentheses', inner: settle(draft.inner)};
    case 'aggregation':
      return {...draft, operand: settle(draft.operand)};
    default:
      return draft;
  }
}

const LEVELS: Readonly<Partial<Record<BinaryOperator, string>>> = {
  '+': 'sum',
  '-': 'sum',
  '*': 'product',
  '/': 'product',
  '%': 'product',
};

function chain(last: Pair): Chain {
  const level = LEVELS[last.operator];
  const operations: Operation[] = [];
  let left: Draft = last;
  while (left.kind === 'pair' && LEVELS[left.operator] === level) {
    const {operator, bool, operand, position} = left;
    operations.push({operator, bool, operand: settle(operand), position});
    left = left.left;
  }
  return {kind: 'chain', first: settle(left), operations: operations.reverse()};
}

/** Lists may grow in place, because they end in a token: no reading of them ends too early. Copying would be quadratic. */
export function append<T>(list: T[], item: T): T[] {
  list.push(item);
  return list;
}

export function number(token: Token, sign?: Token): NumberLiteral {
  const value = token.literal as number;
  return {kind: 'number', value: sign?.value === '-' ? -value : value};
}

export function parentheses(inner: Draft): DraftParentheses {
  return {kind: 'parentheses', inner};
}

export function aggregation(token: Token, operand: Draft, grouping: Grouping | undefined): DraftAggregation {
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

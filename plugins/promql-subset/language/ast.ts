import type {Position} from '../../../core/api/plugin.js';

/** The syntax tree of an expression. Positions are those of the construct's first token. */
export type Expression = NumberLiteral | Selector | Aggregation | Parentheses | Chain;

export interface NumberLiteral {
  readonly kind: 'number';
  readonly value: number;
}

export type MatchOperator = '=' | '!=' | '=~' | '!~';

export interface Matcher {
  readonly label: string;
  readonly operator: MatchOperator;
  readonly value: string;
  readonly position: Position;
}

export interface Selector {
  readonly kind: 'selector';
  /** Undefined where a selector begins with its braces, which only `match[]` allows. */
  readonly metric: string | undefined;
  readonly matchers: readonly Matcher[];
  /** The length of a range selector in milliseconds. */
  readonly range: number | undefined;
  readonly position: Position;
}

export type AggregationOperator = 'sum' | 'min' | 'max' | 'avg';

export interface Grouping {
  readonly by: boolean;
  readonly labels: readonly string[];
}

export interface Aggregation {
  readonly kind: 'aggregation';
  readonly operator: AggregationOperator;
  readonly grouping: Grouping | undefined;
  readonly operand: Expression;
  readonly position: Position;
}

export interface Parentheses {
  readonly kind: 'parentheses';
  readonly inner: Expression;
}

export type ArithmeticOperator = '+' | '-' | '*' | '/' | '%';
export type ComparisonOperator = '==' | '!=' | '>' | '<' | '>=' | '<=';
export type BinaryOperator = ArithmeticOperator | ComparisonOperator;

/**
 * Operations of one precedence level, applied from the left. A list rather than nested pairs: a long sum is then no
 * deeper than a short one, and whoever walks the tree recurses only as deep as the parentheses nest.
 */
export interface Chain {
  readonly kind: 'chain';
  readonly first: Expression;
  readonly operations: readonly Operation[];
}

export interface Operation {
  readonly operator: BinaryOperator;
  readonly bool: boolean;
  readonly operand: Expression;
  readonly position: Position;
}

const COMPARISONS: ReadonlySet<string> = new Set(['==', '!=', '>', '<', '>=', '<=']);

export function isComparison(operator: BinaryOperator): operator is ComparisonOperator {
  return COMPARISONS.has(operator);
}

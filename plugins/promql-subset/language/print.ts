import {encodeGoString} from '../../../core/toolkit/language/go-string.js';
import {MS_PER_DAY, MS_PER_HOUR, MS_PER_MINUTE, MS_PER_SECOND} from '../../../core/toolkit/time.js';
import type {Aggregation, Chain, Expression, Matcher, Operation, Selector} from './ast.js';

/**
 * The canonical text of an expression: Prometheus's own formatting, one line up to 100 characters, beyond that one
 * operand or bracket a line. Parsing it gives the same tree again.
 */
export function print(expression: Expression): string {
  return pretty(expression, 0);
}

const WIDTH = 100;
/** Beyond this depth lines are not indented further: the output of a long chain would grow with its square. */
const DEEPEST_INDENT = 100;

/** As in Prometheus, the width is in bytes. */
function fits(line: string): boolean {
  return Buffer.byteLength(line) <= WIDTH;
}

function indent(level: number): string {
  return '  '.repeat(Math.min(level, DEEPEST_INDENT));
}

function pretty(expression: Expression, level: number): string {
  if (expression.kind === 'chain') return prettyChain(expression, level);
  const line = flat(expression);
  const margin = indent(level);
  if (fits(line)) return margin + line;
  switch (expression.kind) {
    case 'aggregation':
      return `${margin}${call(expression)}(\n${pretty(expression.operand, level + 1)}\n${margin})`;
    case 'parentheses':
      return `${margin}(\n${pretty(expression.inner, level + 1)}\n${margin})`;
    default:
      return margin + line;
  }
}

/** Each operation that does not fit on a line takes three, and what is left of it goes one level deeper. */
function prettyChain({first, operations}: Chain, level: number): string {
  let line = flat(first);
  let fitting = 0;
  for (const operation of operations) {
    const longer = `${line} ${flatOperation(operation)}`;
    if (!fits(longer)) break;
    line = longer;
    fitting++;
  }
  const rest = operations.slice(fitting);
  const deepest = level + rest.length;
  let text = fitting > 0 ? indent(deepest) + line : pretty(first, deepest);
  for (const [i, operation] of rest.entries()) {
    const at = deepest - 1 - i;
    text += `\n${indent(at)}${operator(operation)}\n${pretty(operation.operand, at + 1)}`;
  }
  return text;
}

function flat(expression: Expression): string {
  switch (expression.kind) {
    case 'number':
      return printNumber(expression.value);
    case 'selector':
      return printSelector(expression);
    case 'aggregation':
      return `${call(expression)}(${flat(expression.operand)})`;
    case 'parentheses':
      return `(${flat(expression.inner)})`;
    case 'chain':
      return [flat(expression.first), ...expression.operations.map(flatOperation)].join(' ');
  }
}

function flatOperation(operation: Operation): string {
  return `${operator(operation)} ${flat(operation.operand)}`;
}

function operator({operator, bool}: Operation): string {
  return bool ? `${operator} bool` : operator;
}

function call({operator, grouping}: Aggregation): string {
  if (grouping === undefined || (grouping.by && grouping.labels.length === 0)) return operator;
  return `${operator} ${grouping.by ? 'by' : 'without'} (${grouping.labels.join(', ')}) `;
}

function printSelector({metric, matchers, range}: Selector): string {
  const texts = matchers.filter(matcher => !namesMetric(matcher, metric)).map(printMatcher);
  const braces = texts.length === 0 ? '' : `{${texts.sort().join(',')}}`;
  return `${metric ?? ''}${braces}${range === undefined ? '' : `[${printDuration(range)}]`}`;
}

function namesMetric({label, operator, value}: Matcher, metric: string | undefined): boolean {
  return label === '__name__' && operator === '=' && value === metric;
}

function printMatcher({label, operator, value}: Matcher): string {
  return `${label}${operator}${encodeGoString(value)}`;
}

/** Weeks only where nothing is left over: 90d is easier to read than 12w6d. Years are not in the subset. */
function printDuration(milliseconds: number): string {
  if (milliseconds === 0) return '0s';
  if (milliseconds % MS_PER_WEEK === 0) return `${milliseconds / MS_PER_WEEK}w`;
  let rest = milliseconds;
  let text = '';
  for (const [unit, length] of DURATION_UNITS) {
    const count = Math.floor(rest / length);
    if (count > 0) text += `${count}${unit}`;
    rest -= count * length;
  }
  return text;
}

const MS_PER_WEEK = 7 * MS_PER_DAY;

const DURATION_UNITS = [
  ['d', MS_PER_DAY],
  ['h', MS_PER_HOUR],
  ['m', MS_PER_MINUTE],
  ['s', MS_PER_SECOND],
  ['ms', 1],
] as const;

/** Go's `%v`: the shortest digits, with an exponent below 1e-4 and from 1e6. */
function printNumber(value: number): string {
  if (value === Number.POSITIVE_INFINITY) return '+Inf';
  if (value === Number.NEGATIVE_INFINITY) return '-Inf';
  if (Object.is(value, -0)) return '-0';
  const magnitude = Math.abs(value);
  if (Number.isNaN(value) || magnitude === 0 || (magnitude >= 1e-4 && magnitude < 1e6)) return String(value);
  return value.toExponential().replace(/e([+-])(\d)$/, 'e$10$2');
}

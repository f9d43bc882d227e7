import {GatewayError, type Position, type QueryLimits} from '../../../core/api/plugin.js';
import type {Matcher, MatchOperator} from '../language/ast.js';
import {parseSeriesSelector} from '../language/parse.js';
import {excerpt} from '../messages.js';
import {fullMatch} from './regex.js';

/** A matcher that can be applied. */
export interface LabelTest {
  readonly label: string;
  readonly operator: MatchOperator;
  readonly value: string;
  readonly position: Position;
  readonly test: (value: string) => boolean;
}

/** One `match[]`. */
export interface SeriesSelector {
  /** The metric, where the selector names one: before its braces or by `__name__="…"`. */
  readonly metric: string | undefined;
  readonly nameTests: readonly LabelTest[];
  readonly tests: readonly LabelTest[];
}

export function parseMatch(text: string, limits: QueryLimits): SeriesSelector {
  const {metric, matchers} = parseSeriesSelector(text, limits);
  const all = matchers.map(labelTest);
  if (metric === undefined && all.every(({test}) => test(''))) {
    const message = `match[] '${excerpt(text)}' matches everything, it needs a name or a matcher that an empty value does not pass`;
    throw new GatewayError('bad_request', message);
  }
  const nameTests = all.filter(({label}) => label === '__name__');
  const named = metric ?? nameTests.find(({operator}) => operator === '=')?.value;
  if (metric !== undefined) nameTests.push(nameTest(metric));
  return {metric: named, nameTests, tests: all.filter(({label}) => label !== '__name__')};
}

function nameTest(metric: string): LabelTest {
  const position = {line: 1, column: 1};
  return {label: '__name__', operator: '=', value: metric, position, test: name => name === metric};
}

function labelTest({label, operator, value, position}: Matcher): LabelTest {
  return {label, operator, value, position, test: testOf(label, operator, value)};
}

function testOf(label: string, operator: MatchOperator, value: string): LabelTest['test'] {
  if (operator === '=') return text => text === value;
  if (operator === '!=') return text => text !== value;
  const matches = fullMatch(value, `the matcher of '${label}'`);
  return operator === '=~' ? matches : text => !matches(text);
}

export function passesAll(tests: readonly LabelTest[], value: string): boolean {
  return tests.every(({test}) => test(value));
}

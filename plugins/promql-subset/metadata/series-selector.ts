import {GatewayError, type HttpRequest, type Position, type QueryLimits} from '../../../core/api/plugin.js';
import {quote} from '../../../core/toolkit/messages.js';
import {cooperate, pause} from '../../../core/toolkit/yielder.js';
import type {Matcher, MatchOperator} from '../language/ast.js';
import {parseSeriesSelector} from '../language/parse.js';
import {fullMatch} from './full-match.js';

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
  readonly position: Position;
}

/** From how many bytes on reading the selectors of a request is heavy work. */
const LONG = 2048;

/** All `match[]` of a request, each distinct text once. Together they may be as long as one query. */
export async function parseMatches(
  texts: readonly string[],
  limits: QueryLimits,
  call: HttpRequest,
): Promise<readonly SeriesSelector[]> {
  const length = texts.reduce((sum, text) => sum + Buffer.byteLength(text), 0);
  if (length > limits.queryLength) {
    const message = `the match[] of the request are together longer than limits.queryLength, ${limits.queryLength} bytes`;
    throw new GatewayError('bad_request', message);
  }
  const selectors: SeriesSelector[] = [];
  // As a long expression.
  if (length > LONG) await call.heavySlot();
  for (const text of new Set(texts)) selectors.push(await parseMatch(text, limits, call));
  return selectors;
}

async function parseMatch(text: string, limits: QueryLimits, call: HttpRequest): Promise<SeriesSelector> {
  const {metric, matchers, position} = await cooperate(parseSeriesSelector(text, limits), call);
  const all: LabelTest[] = [];
  for (const matcher of matchers) {
    all.push(labelTest(matcher));
    await pause(call);
  }
  if (metric === undefined && all.every(({test}) => test(''))) {
    const message = `match[] ${quote(text)} matches everything: it needs a name or a matcher that an empty value does not pass`;
    throw new GatewayError('bad_request', message);
  }
  const nameTests = all.filter(({label}) => label === '__name__');
  const named = metric ?? nameTests.find(({operator}) => operator === '=')?.value;
  if (metric !== undefined) nameTests.push(nameTest(metric));
  return {metric: named, nameTests, tests: all.filter(({label}) => label !== '__name__'), position};
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
  const matches = fullMatch(value, `the matcher of ${quote(label)}`);
  return operator === '=~' ? matches : text => !matches(text);
}

export function passesAll(tests: readonly LabelTest[], value: string): boolean {
  return tests.every(({test}) => test(value));
}

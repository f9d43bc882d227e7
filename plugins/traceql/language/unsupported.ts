import {GatewayError, type Position} from '../../../core/api/plugin.js';
import {showToken} from '../../../core/toolkit/language/bounded-tokens.js';
import {quote} from '../../../core/toolkit/messages.js';
import {isIntrinsic, parseAttribute} from './attribute.js';
import type {TraceqlToken} from './lexer.js';
import type {QuerySubset} from './subset.js';

/**
 * What the full language has and this subset leaves out. It is told from the tokens and named where it begins, in the
 * order of the text, so that the grammar describes the subset alone. Parentheses are named last: what stands in them says
 * more about what the writer wanted.
 */
export function refuseUnsupported(tokens: readonly TraceqlToken[], subset: QuerySubset): void {
  let isInside = false;
  let enclosed: {readonly refusal: Refusal; readonly until: number} | undefined;
  for (const [i, token] of tokens.entries()) {
    if (i === enclosed?.until) throw refused(enclosed.refusal);
    const [next, before] = [tokens[i + 1], tokens[i - 1]];
    const what = isInside ? inside(token, subset, next, before) : outside(token, next, before);
    if (what !== undefined) {
      const refusal = {what, position: token.position};
      if (token.type !== '(') throw refused(refusal);
      enclosed ??= {refusal, until: closing(tokens, i)};
    }
    if (token.type === '{') isInside = true;
    else if (token.type === '}') isInside = false;
  }
  if (enclosed !== undefined) throw refused(enclosed.refusal);
}

interface Refusal {
  readonly what: string;
  readonly position: Position;
}

function refused({what, position}: Refusal): GatewayError {
  return new GatewayError('unsupported_query', what, {position});
}

/** The index of the parenthesis that closes the one at `opening`, or of the end. */
function closing(tokens: readonly TraceqlToken[], opening: number): number {
  let depth = 0;
  for (let i = opening; i < tokens.length; i++) {
    const type = tokens[i]?.type;
    if (type === '(') depth++;
    else if (type === ')' && --depth === 0) return i;
  }
  return tokens.length;
}

const ONE = 'a query has one spanset in braces';
const SECOND = `a second spanset is not in this subset: ${ONE}`;

/** Before, between and after spansets. */
function outside(
  token: TraceqlToken,
  next: TraceqlToken | undefined,
  before: TraceqlToken | undefined,
): string | undefined {
  switch (token.type) {
    case 'pipe':
      return `the pipeline ${quote([token.value, next?.value ?? ''].join(' ').trim())} is not in this subset`;
    case 'and':
    case 'or':
    case 'structural':
      return betweenSpansets(token);
    case 'not':
      return 'negation ("!") is not in this subset';
    case 'compare':
    case 'match':
      return before === undefined || before.type === '}' ? betweenSpansets(token) : undefined;
    case '(':
      if (before?.type === '}') return SECOND;
      return before === undefined ? `parentheses around spansets are not in this subset: ${ONE}` : undefined;
    case '{':
      return before === undefined || before.type === '(' ? undefined : SECOND;
    case 'attribute':
      if (token.value === 'with' && next?.type === '(') return 'hints ("with") are not in this subset';
      if (next?.type === '(') return calling(token);
      return WORDS.has(token.value.toLowerCase()) && before?.type === '}' ? betweenSpansets(token) : undefined;
    default:
      return undefined;
  }
}

function betweenSpansets({value}: TraceqlToken): string {
  return `${quote(value)} between spansets is not in this subset: ${ONE}`;
}

/** Of an aggregate, or of what other languages have: `count() > 2`. */
function calling({value}: TraceqlToken): string {
  return `the function ${quote(`${value}()`)} is not in this subset`;
}

/** What can only be an attribute, whatever its name. */
const ATTRIBUTE = /^(?:span|resource|event|link|instrumentation|parent|trace)?[.:]\D/;
/** What stands for itself: a number, a duration, a truth value. */
const VALUE = /^(?:[+-]?\d|true$|false$)/;
/** An operator alone or before a word, or behind what is a number: `duration*2`. Names of tags may hold any of them. */
const ARITHMETIC = /^(?:duration|traceDuration|childCount|nestedSet(?:Left|Right|Parent))?([-+*/%])/;
const ARITHMETIC_OF_VALUES = /^(?:\d+(?:\.\d+)?(?:(?:us|µs|μs|ms|s|m|h)([-+*/%])|([+*/%]))|([-+*/%])$)/;
/** Operators of other languages. */
const WORDS: ReadonlySet<string> = new Set(['and', 'or', 'not', 'in']);

function inside(
  token: TraceqlToken,
  subset: QuerySubset,
  next: TraceqlToken | undefined,
  before: TraceqlToken | undefined,
): string | undefined {
  switch (token.type) {
    case 'or':
      return '"||" is not in this subset: conditions are joined by &&';
    case 'match': {
      const isExistence = token.value === '!=' && next?.value === 'nil';
      const what = isExistence ? 'existence' : token.value === '!=' ? 'inequality' : 'matching a regular expression';
      const written = isExistence ? '!= nil' : token.value;
      return `${quote(written)} (${what}) is not in this subset: attributes take =, duration also >, >=, < and <=`;
    }
    case 'not':
      return 'negation ("!") is not in this subset';
    case '(':
      return 'parentheses around conditions are not in this subset';
    case 'structural':
      return `the structural operator ${quote(token.value)} is not in this subset`;
    case 'other':
      return token.value === '^' ? 'arithmetic ("^") is not in this subset' : undefined;
    case 'string':
      return isComparison(next) && !isComparison(before) ? valueFirst(token) : undefined;
    case 'literal':
      return atLiteral(token);
    case 'attribute':
      return atField(token, subset, next, before);
    default:
      return undefined;
  }
}

function isComparison(token: TraceqlToken | undefined): boolean {
  return token?.type === 'compare' || token?.type === 'match';
}

function arithmetic(found: RegExpExecArray | null): string | undefined {
  const operator = found?.slice(1).find(each => each !== undefined);
  return operator === undefined ? undefined : `arithmetic (${quote(operator)}) is not in this subset`;
}

function isOperand(token: TraceqlToken | undefined): boolean {
  return token !== undefined && ['attribute', 'literal', 'string', ')'].includes(token.type);
}

function valueFirst(token: TraceqlToken): string {
  return `a value (${showToken(token)}) before a comparison is not in this subset`;
}

function atLiteral({value}: TraceqlToken): string | undefined {
  if (value === 'nil') return '"nil" is not in this subset';
  if (ATTRIBUTE.test(value) || isIntrinsic(value)) {
    return `comparing with an attribute (${quote(value)}) is not in this subset: compare with a value, text in quotes`;
  }
  return arithmetic(ARITHMETIC_OF_VALUES.exec(value));
}

function atField(
  token: TraceqlToken,
  subset: QuerySubset,
  next: TraceqlToken | undefined,
  before: TraceqlToken | undefined,
): string | undefined {
  const {value, position} = token;
  const word = value.toLowerCase();
  if (word === 'not' && !isComparison(next)) return `negation (${quote(value)}) is not in this subset`;
  if (next?.type === '(' && !WORDS.has(word)) return calling(token);
  if (WORDS.has(word) && isOperand(before)) {
    return `${quote(value)} is not in this subset: attributes take =, conditions are joined by &&`;
  }
  const operation = arithmetic(ARITHMETIC.exec(value));
  if (operation !== undefined) return operation;
  if (VALUE.test(value) && !isOperand(before)) return valueFirst(token);
  const isAttribute = /^[A-Za-z]*[.:]/.test(value);
  if (isAttribute || isComparison(next)) parseAttribute(value, position, subset);
  if ((isAttribute || isIntrinsic(value)) && (next?.type === '}' || next?.type === 'and')) {
    return `the existence check ${quote(value)} is not in this subset: compare it with =`;
  }
  return undefined;
}

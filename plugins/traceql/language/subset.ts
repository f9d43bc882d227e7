import {GatewayError} from '../../../core/api/plugin.js';
import {excerpt} from '../messages.js';
import {parseField} from './field.js';
import type {Token} from './lexer.js';

/**
 * What the full language has and this subset leaves out. It is told from the tokens and named where it begins, in the
 * order of the text, so that the grammar describes the subset alone.
 */
export function refuseUnsupported(tokens: readonly Token[]): void {
  let isInside = false;
  for (const [i, token] of tokens.entries()) {
    const next = tokens[i + 1];
    const what = isInside ? inside(token, next) : outside(token, next, tokens[i - 1]);
    if (what !== undefined) throw new GatewayError('unsupported_query', what, {position: token.position});
    if (token.type === '{') isInside = true;
    else if (token.type === '}') isInside = false;
  }
}

const ONE = 'a query has one spanset in braces';

/** Before, between and after spansets. */
function outside(token: Token, next: Token | undefined, before: Token | undefined): string | undefined {
  switch (token.type) {
    case 'pipe':
      return `the pipeline '${excerpt([token.value, next?.value ?? ''].join(' ').trim())}' is not in this subset`;
    case 'and':
    case 'or':
    case 'structural':
      return betweenSpansets(token);
    case 'compare':
    case 'not':
      return before === undefined || before.type === '}' ? betweenSpansets(token) : undefined;
    case '(':
      return before === undefined ? `parentheses around spansets are not in this subset: ${ONE}` : undefined;
    case '{':
      return before === undefined ? undefined : `a second spanset is not in this subset: ${ONE}`;
    case 'field':
      return token.value === 'with' && next?.type === '(' ? "hints ('with') are not in this subset" : undefined;
    default:
      return undefined;
  }
}

function betweenSpansets({value}: Token): string {
  return `'${value}' between spansets is not in this subset: ${ONE}`;
}

/** What can only be an attribute, whatever its name. */
const ATTRIBUTE = /^(?:span|resource|event|link|instrumentation|parent|trace)?[.:]\D/;
/** What stands for itself: a number, a duration, a truth value. */
const VALUE = /^(?:[+-]?\d|true$|false$)/;
const ARITHMETIC: ReadonlySet<string> = new Set(['+', '-', '*', '/', '%', '^']);

function inside(token: Token, next: Token | undefined): string | undefined {
  if (ARITHMETIC.has(token.value)) return `arithmetic ('${token.value}') is not in this subset`;
  switch (token.type) {
    case 'or':
      return "'||' is not in this subset: conditions are joined by &&";
    case 'match': {
      const name = token.value === '!=' ? 'inequality' : 'matching a regular expression';
      return `'${token.value}' (${name}) is not in this subset: attributes take =, duration also >, >=, < and <=`;
    }
    case 'not':
      return "negation ('!') is not in this subset";
    case '(':
      return 'parentheses around conditions are not in this subset';
    case 'structural':
      return `'${token.value}' is not in this subset`;
    case 'literal':
      if (token.value === 'nil') return "'nil' is not in this subset";
      return ATTRIBUTE.test(token.value)
        ? `comparing with an attribute ('${excerpt(token.value)}') is not in this subset: compare with a value`
        : undefined;
    case 'field':
      return atField(token, next);
    default:
      return undefined;
  }
}

function atField(token: Token, next: Token | undefined): string | undefined {
  if (VALUE.test(token.value)) return `a value ('${excerpt(token.value)}') before a comparison is not in this subset`;
  const isAttribute = /^[A-Za-z]*[.:]/.test(token.value);
  if (isAttribute || next?.type === 'compare' || next?.type === 'match') parseField(token.value, token.position);
  if (isAttribute && (next?.type === '}' || next?.type === 'and')) {
    return `the existence check '${excerpt(token.value)}' is not in this subset: compare it with =`;
  }
  return undefined;
}

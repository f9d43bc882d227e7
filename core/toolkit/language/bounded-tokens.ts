import {GatewayError, type Position} from '../../api/errors.js';
import type {QueryLimits} from '../../api/limits.js';
import {excerpt, quote} from '../messages.js';
import type {Steps} from '../yielder.js';

/**
 * Tokens of a query text within limits, in steps, because a text may be as long as a request. How long and how deep it may
 * be is the same for every language; what its tokens are is the language's own.
 */

/** A token of a language, as far as the toolkit looks at it. */
export interface SourceToken {
  readonly type: string;
  /** The text as it stands. */
  readonly value: string;
  readonly position: Position;
}

/** A token as a message shows it: in double quotes, but for a literal that has its own. */
export function showToken({value}: SourceToken): string {
  if (!/^["'`][^\n]*$/.test(value)) return quote(value);
  const shown = excerpt(value);
  // Cut, it ends as it began, and not within an escape.
  return shown === value ? value : `${shown.slice(0, -1).replace(/\\+$/, '')}…${value.charAt(0)}`;
}

/** What a scanner gives: a token of `moo`. Lines and columns count from 1. */
export interface ScannedToken {
  readonly type?: string | undefined;
  readonly text: string;
  readonly line: number;
  readonly col: number;
}

/** What `moo.compile` makes. The declarations of `moo` lack `clone`. */
export interface Scanner {
  clone(): Scanner;
  reset(text: string): unknown;
  next(): ScannedToken | undefined;
}

/** How many tokens are made between two pauses. */
const TOKENS_A_STEP = 64;

/** Scans the text, and calls `take` for each token that is of neither type `space` nor `comment`. Throws what `take` throws. */
export function* scan(scanner: Scanner, text: string, take: (token: ScannedToken) => void): Steps<void> {
  // Each text has a scanner of its own, because others may be scanned while this one pauses.
  const scanning = scanner.clone();
  scanning.reset(text);
  let scanned = 0;
  for (let token = scanning.next(); token !== undefined; token = scanning.next()) {
    if (token.type !== 'space' && token.type !== 'comment') take(token);
    if (++scanned % TOKENS_A_STEP === 0) yield;
  }
}

/**
 * All tokens of the text, or a `GatewayError` with the code `bad_request` for a text that is longer than its limit, which is
 * not looked at, or nests deeper, counted in tokens whose type is a bracket. What `tokenise` throws passes.
 */
export function* boundedTokens<Token extends SourceToken>(
  text: string,
  {queryLength, nesting}: QueryLimits,
  tokenise: (text: string) => Steps<readonly Token[]>,
): Steps<readonly Token[]> {
  // A text has at least as many bytes as characters, and the bytes of a long one take a while to count.
  if (text.length > queryLength || Buffer.byteLength(text) > queryLength) {
    throw new GatewayError('bad_request', `the query is longer than limits.queryLength, ${queryLength} bytes`);
  }
  const tokens = yield* tokenise(text);
  let depth = 0;
  for (const {type, position} of tokens) {
    if (type === '(' || type === '[' || type === '{') depth++;
    else if (type === ')' || type === ']' || type === '}') depth--;
    if (depth > nesting) {
      const message = `the query nests deeper than limits.nesting, ${nesting} levels`;
      throw new GatewayError('bad_request', message, {position});
    }
  }
  return tokens;
}

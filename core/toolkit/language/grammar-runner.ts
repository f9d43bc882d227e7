import nearley from 'nearley';
import {GatewayError, type Position} from '../../api/errors.js';
import {excerpt, quote} from '../messages.js';
import type {Steps} from '../yielder.js';
import {type SourceToken, showToken} from './bounded-tokens.js';
import {TokenFeed} from './token-feed.js';

/** What `nearleyc` makes of a grammar file whose `@lexer` is `tokenTypes`. */
export interface CompiledGrammar {
  readonly ParserRules: readonly object[];
  readonly ParserStart: string;
}

export interface GrammarOptions {
  /** The symbol that a whole text is; the grammar's first without it. */
  readonly start?: string;
  /** What a message calls each type of token that the grammar names by `%`: `{number: 'a number'}`. */
  readonly words: Readonly<Record<string, string>>;
}

/** How many tokens the parser takes between two pauses. */
const TOKENS_A_STEP = 64;

/**
 * Runs a grammar on tokens. `Tree` is what its start symbol makes. A grammar is compiled once; a runner has no state, so one
 * serves any number of texts at a time.
 */
export class GrammarRunner<Tree> {
  readonly #grammar: nearley.Grammar;
  readonly #words: Readonly<Record<string, string>>;

  constructor(compiled: CompiledGrammar, {start = compiled.ParserStart, words}: GrammarOptions) {
    const {ParserRules} = compiled as nearley.CompiledRules;
    this.#grammar = nearley.Grammar.fromCompiled({Lexer: undefined, ParserRules, ParserStart: start});
    this.#words = words;
  }

  /**
   * The tree of the whole text, whose tokens these are, or a `GatewayError` with the code `syntax`, the place and what could
   * stand there. What a rule of the grammar throws passes. That a text has two trees is a mistake of the grammar.
   */
  *run(tokens: readonly SourceToken[], text: string): Steps<Tree> {
    const feed = new TokenFeed(tokens);
    const parser = new StepParser(this.#grammar, {lexer: feed});
    try {
      do {
        feed.allow(TOKENS_A_STEP);
        parser.feed('');
        yield;
      } while (!feed.isEmpty);
    } catch (error) {
      const token = tokens[parser.current];
      if (token === undefined || !isReport(error)) throw error;
      throw this.#refusal(showToken(token), parser, token.position);
    }
    const [tree, second] = parser.results as Tree[];
    if (second !== undefined) throw new Error(`BUG: the grammar reads ${excerpt(text)} in several ways`);
    if (tree === undefined) throw this.#refusal('the end', parser, endOf(text));
    return tree;
  }

  #refusal(found: string, parser: StepParser, position: Position): GatewayError {
    const expected = [...new Set(parser.expected().map(symbol => this.#describe(symbol)))];
    const choice =
      expected.length < 2 ? expected.join('') : `${expected.slice(0, -1).join(', ')} or ${expected.at(-1)}`;
    return new GatewayError('syntax', `found ${found}, expected ${choice || 'the end'}`, {position});
  }

  #describe({type, literal}: TokenSymbol): string {
    return type === undefined ? quote(literal) : (this.#words[type] ?? type);
  }
}

/** What a rule wants at one place: a type of token, or its very text. */
interface TokenSymbol {
  readonly type?: string;
  readonly literal?: string;
}

interface ScannableState {
  readonly rule: {readonly symbols: readonly TokenSymbol[]};
  readonly dot: number;
}

/** The part of nearley's parser that it documents for reports of mistakes, with the report itself left to the runner. */
class StepParser extends nearley.Parser {
  declare readonly table: readonly {readonly scannable: readonly ScannableState[]}[];

  /** Nearley's own report prints its parse table, at a cost that grows with the text. */
  reportError(): string {
    return '';
  }

  /** What could stand where the parser is. */
  expected(): readonly TokenSymbol[] {
    const states = this.table[this.current]?.scannable ?? [];
    return states.flatMap(({rule, dot}) => rule.symbols[dot] ?? []);
  }
}

/** Whether nearley says that a token fits nowhere. What a rule throws has no offset. */
function isReport(error: unknown): boolean {
  return error instanceof Error && 'offset' in error;
}

function endOf(text: string): Position {
  const lines = text.split('\n');
  return {line: lines.length, column: (lines.at(-1) ?? '').length + 1};
}

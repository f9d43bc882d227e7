import type {SourceToken} from './bounded-tokens.js';

/**
 * Hands tokens that are there already to a nearley parser, in portions: the parser runs until it gets none, and can go on
 * when more are allowed. What nearley calls a lexer; one per text.
 */
export class TokenFeed {
  readonly #tokens: readonly SourceToken[];
  #next = 0;
  #end = 0;

  constructor(tokens: readonly SourceToken[]) {
    this.#tokens = tokens;
  }

  /** Whether every token has been taken. */
  get isEmpty(): boolean {
    return this.#next >= this.#tokens.length;
  }

  /** Lets the parser take the next few tokens. */
  allow(count: number): void {
    this.#end = Math.min(this.#next + count, this.#tokens.length);
  }

  next(): SourceToken | undefined {
    return this.#next < this.#end ? this.#tokens[this.#next++] : undefined;
  }

  reset(): this {
    return this;
  }

  save(): {readonly line: number} {
    return {line: 0};
  }

  /** Nearley asks for it only in a report that the runner leaves out. */
  formatError(): string {
    return '';
  }

  /** In a grammar, `%word` is a token of that type. */
  has(_type: string): boolean {
    return true;
  }
}

/** What a grammar names after `@lexer`: it decides that words after `%` are types of tokens, and never sees a text. */
export const tokenTypes = new TokenFeed([]);

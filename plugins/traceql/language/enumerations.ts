import type {SpanKind, SpanStatus} from '../../../core/api/plugin.js';

/** Words of a closed set, in any case, with or without the prefix of their enumeration: `error`, `STATUS_CODE_ERROR`. */
export class Enumeration<Word extends string> {
  readonly #words: readonly Word[];
  readonly #prefix: string;

  constructor(words: readonly Word[], prefix: string) {
    this.#words = words;
    this.#prefix = prefix;
  }

  find(text: string): Word | undefined {
    const upper = text.toUpperCase();
    return this.#words.find(word => upper === word || upper === this.#prefix + word);
  }

  /** All of them, as a user may write them. */
  get lowerCase(): readonly string[] {
    return this.#words.map(word => word.toLowerCase());
  }

  /** All of them, for a message. */
  toString(): string {
    return this.lowerCase.join(', ');
  }
}

export const STATUSES = new Enumeration<SpanStatus>(['OK', 'ERROR', 'UNSET'], 'STATUS_CODE_');
export const KINDS = new Enumeration<SpanKind>(
  ['SERVER', 'CLIENT', 'PRODUCER', 'CONSUMER', 'INTERNAL', 'UNSPECIFIED'],
  'SPAN_KIND_',
);

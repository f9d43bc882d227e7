import type {HttpRequest, QueryLimits} from '../../../core/api/plugin.js';
import {complete, cooperate} from '../../../core/toolkit/yielder.js';
import {analyse, type Query} from './analysis.js';
import {parseExpression} from './parse.js';

const CAPACITY = 1000;
/** Longer texts are rare and their trees large: parsing them anew bounds what the cache can hold. */
const LONGEST_KEPT = 2048;

/**
 * Parsed and checked expressions by their text. Dashboards repeat the same few expressions for ever, and one tree
 * serves all of them: trees are never changed. The least recently used goes first.
 */
export class QueryCache {
  readonly #limits: QueryLimits;
  readonly #queries = new Map<string, Query>();

  constructor(limits: QueryLimits) {
    this.#limits = limits;
  }

  /** A long text is heavy work: it waits for a slot and is parsed in steps. */
  async get(text: string, request: HttpRequest): Promise<Query> {
    const known = this.#queries.get(text);
    if (known !== undefined) {
      this.#queries.delete(text);
      this.#queries.set(text, known);
      return known;
    }
    if (text.length > LONGEST_KEPT) {
      await request.heavySlot();
      return analyse(await cooperate(parseExpression(text, this.#limits), request));
    }
    const query = analyse(complete(parseExpression(text, this.#limits)));
    this.#queries.set(text, query);
    if (this.#queries.size > CAPACITY) this.#queries.delete(this.#queries.keys().next().value as string);
    return query;
  }
}

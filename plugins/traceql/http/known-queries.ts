import type {HttpRequest, QueryLimits} from '../../../core/api/plugin.js';
import {BoundedMap} from '../../../core/toolkit/bounded-map.js';
import {complete, cooperate} from '../../../core/toolkit/yielder.js';
import type {QueryCondition} from '../language/ast.js';
import {parseQuery} from '../language/parse.js';
import {print} from '../language/print.js';
import type {QuerySubset} from '../language/subset.js';

/** Reading a longer text is heavy work, and what it makes is not kept: that bounds what is. */
export const LONG_QUERY = 2048;
const CAPACITY = 500;

export interface KnownQuery {
  readonly conditions: readonly QueryCondition[];
  /** As the log shows it. */
  readonly printed: string;
}

/** Parsed queries by their text: dashboards ask the same few again and again. One that is refused is not kept. */
export class KnownQueries {
  readonly #limits: QueryLimits;
  readonly #subset: QuerySubset;
  readonly #known = new BoundedMap<KnownQuery>(CAPACITY);

  constructor(limits: QueryLimits, subset: QuerySubset) {
    this.#limits = limits;
    this.#subset = subset;
  }

  async get(text: string, request: HttpRequest): Promise<KnownQuery> {
    const known = this.#known.get(text);
    if (known !== undefined) return known;
    const steps = parseQuery(text, this.#limits, this.#subset);
    if (text.length > LONG_QUERY) {
      await request.heavySlot();
      return printedOf(await cooperate(steps, request));
    }
    const query = printedOf(complete(steps));
    this.#known.set(text, query);
    return query;
  }
}

function printedOf(conditions: readonly QueryCondition[]): KnownQuery {
  return {conditions, printed: print(conditions)};
}

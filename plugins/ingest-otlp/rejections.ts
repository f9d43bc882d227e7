import type {RejectedSpan, Rejection} from './decode/request-checks.js';
import type {PartialSuccess} from './encoding.js';

/** So many are named; a message must not grow with the request. */
const NAMED = 3;

/** The spans of one request that cannot be taken: how many for which reason, and the first few. */
export class Rejections {
  readonly counts = new Map<Rejection, number>();
  readonly #named: string[] = [];
  #total = 0;

  readonly add = (rejected: RejectedSpan): void => {
    this.#total++;
    this.counts.set(rejected.rejection, (this.counts.get(rejected.rejection) ?? 0) + 1);
    if (this.#named.length < NAMED) this.#named.push(`${placeOf(rejected)}: ${rejected.reason}`);
  };

  /** Undefined when there are none. */
  get partialSuccess(): PartialSuccess | undefined {
    if (this.#total === 0) return undefined;
    const more = this.#total - this.#named.length;
    const rest = more === 0 ? '' : `; and ${more} more`;
    return {rejectedSpans: this.#total, errorMessage: this.#named.join('; ') + rest};
  }
}

/** `resourceSpans[0].scopeSpans[1].spans[2]`. */
export function placeOf({resourceSpans, scopeSpans, span}: RejectedSpan): string {
  return `resourceSpans[${resourceSpans}].scopeSpans[${scopeSpans}].spans[${span}]`;
}

import {compareNames, type Order, type Ranked} from '../api/adapter.js';

/** An entity with its mean, and the best that the mean could have been by the rounded arithmetic of the storage. */
export interface Contender extends Ranked {
  readonly optimistic: number;
}

/** Of contenders the first asked for, and how many more each time they were not enough. */
export const CONTENDERS = {margin: 50, growth: 20} as const;

/**
 * The first `limit` entities by their means, of the contenders that a storage has found by means that it has rounded: the
 * best by their optimistic means, and all of them when `areAll`. Undefined when one that was left out may belong to them.
 */
export function ranked(
  contenders: readonly Contender[],
  {order, limit}: {readonly order: Order; readonly limit: number},
  areAll: boolean,
): readonly Ranked[] | undefined {
  const sign = order === 'ASC' ? 1 : -1;
  const sorted = [...contenders].sort((a, b) => sign * (a.value - b.value) || compareEntities(a, b));
  const last = sorted[limit - 1];
  if (!areAll) {
    const edge = contenders.reduce(
      (worst, {optimistic}) => Math.max(worst, sign * optimistic),
      Number.NEGATIVE_INFINITY,
    );
    if (last === undefined || sign * last.value >= edge) return undefined;
  }
  return sorted.slice(0, limit).map(({entity, value}) => ({entity, value}));
}

/** The order of equal means: service, then instance or endpoint. */
export function compareEntities({entity: a}: Pick<Ranked, 'entity'>, {entity: b}: Pick<Ranked, 'entity'>): number {
  const last = ({serviceInstance, endpoint}: Ranked['entity']): string => serviceInstance ?? endpoint ?? '';
  return compareNames(a.service, b.service) || compareNames(last(a), last(b));
}

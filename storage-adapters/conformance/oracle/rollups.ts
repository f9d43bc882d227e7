import type {Rollup} from '../../../core/api/adapter.js';
import {by, type Fraction, fractionOf, nearest, sumOf} from './exact.js';

/** The value of a bucket as readers see it, and as a ranking takes it. */
export interface Bucket {
  readonly value: number;
  readonly ranked: Fraction;
}

/**
 * Makes a bucket of its minutes, one or more in the order of their times. Where these are gone there are doubles in their place
 * that give the same, and `count` tells how many minutes there were.
 */
export function rollUp(minutes: readonly number[], rollup: Rollup, count = minutes.length): Bucket {
  switch (rollup) {
    case 'avg':
      return meanOf(minutes, count);
    case 'sum':
      return bucketOf(nearest(sumOf(minutes.map(fractionOf))));
    case 'min':
      return bucketOf(minutes.reduce((a, b) => Math.min(a, b)));
    case 'max':
      return bucketOf(minutes.reduce((a, b) => Math.max(a, b)));
    case 'latest':
      return bucketOf(minutes.at(-1) ?? 0);
  }
}

/** The mean by which an entity is ranked; of the values as they are read, where what they were divided from is not kept. */
export function meanOfBuckets(buckets: readonly Bucket[], keepsSums: boolean): number {
  const values = buckets.map(({ranked, value}) => (keepsSums ? ranked : fractionOf(value)));
  const exact = values.every(({over, under}) => under === 1n && over > -(2n ** 40n) && over < 2n ** 40n);
  if (exact) return values.reduce((sum, {over}) => sum + Number(over), 0) / values.length;
  return nearest(by(sumOf(values), values.length));
}

function meanOf(minutes: readonly number[], count: number): Bucket {
  const sum = sumOf(minutes.map(fractionOf));
  const total = nearest(sum);
  if (Math.abs(total) === Number.MAX_VALUE) return bucketOf(nearest(by(sum, count)));
  return {value: total / count + 0, ranked: by(fractionOf(total), count)};
}

function bucketOf(value: number): Bucket {
  return {value: value + 0, ranked: fractionOf(value)};
}

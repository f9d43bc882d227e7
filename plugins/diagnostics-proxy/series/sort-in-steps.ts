import type {Steps} from '../../../core/toolkit/yielder.js';

/** So many are sorted at once. */
const RUN = 2048;

/** The items in order, sorted in runs between which others may have their turn. Equal ones keep their order. */
export function* sortInSteps<T>(items: readonly T[], compare: (a: T, b: T) => number): Steps<readonly T[]> {
  if (items.length <= RUN) return items.toSorted(compare);
  let runs: (readonly T[])[] = [];
  for (let begin = 0; begin < items.length; begin += RUN) {
    yield;
    runs.push(items.slice(begin, begin + RUN).sort(compare));
  }
  while (runs.length > 1) {
    const longer: (readonly T[])[] = [];
    for (let index = 0; index < runs.length; index += 2) {
      longer.push(yield* merge(runs[index] ?? [], runs[index + 1] ?? [], compare));
    }
    runs = longer;
  }
  return runs[0] ?? [];
}

function* merge<T>(a: readonly T[], b: readonly T[], compare: (a: T, b: T) => number): Steps<readonly T[]> {
  const merged: T[] = [];
  let left = 0;
  let right = 0;
  while (left < a.length && right < b.length) {
    if (merged.length % RUN === 0) yield;
    // Both are there: the indexes are below the lengths.
    merged.push(compare(a[left] as T, b[right] as T) <= 0 ? (a[left++] as T) : (b[right++] as T));
  }
  return [...merged, ...a.slice(left), ...b.slice(right)];
}

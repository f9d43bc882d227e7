import {type Cancellable, pause} from '../../../core/toolkit/yielder.js';

/** So many are sorted at once. */
const RUN = 2048;

/** The items in order, sorted in runs between which others have their turn. Equal ones keep their order. */
export async function sortYielding<T>(
  items: readonly T[],
  compare: (a: T, b: T) => number,
  call?: Cancellable,
): Promise<readonly T[]> {
  let runs: (readonly T[])[] = [];
  for (let begin = 0; begin < items.length; begin += RUN) {
    await pause(call);
    runs.push(items.slice(begin, begin + RUN).sort(compare));
  }
  while (runs.length > 1) {
    const longer: (readonly T[])[] = [];
    for (let index = 0; index < runs.length; index += 2) {
      longer.push(await merge(runs[index] ?? [], runs[index + 1] ?? [], compare, call));
    }
    runs = longer;
  }
  return runs[0] ?? [];
}

async function merge<T>(
  a: readonly T[],
  b: readonly T[],
  compare: (a: T, b: T) => number,
  call: Cancellable | undefined,
): Promise<readonly T[]> {
  const merged: T[] = [];
  let left = 0;
  let right = 0;
  while (left < a.length && right < b.length) {
    if (merged.length % RUN === 0) await pause(call);
    // Both are there: the indexes are below the lengths.
    merged.push(compare(a[left] as T, b[right] as T) <= 0 ? (a[left++] as T) : (b[right++] as T));
  }
  return [...merged, ...a.slice(left), ...b.slice(right)];
}

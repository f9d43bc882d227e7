/** What a filter looks at. */
export interface SeriesOwner {
  readonly role: string | undefined;
  readonly pod: string | undefined;
}

export type SeriesFilter = (series: SeriesOwner) => boolean;

/**
 * Series that stand one after the other and that a filter takes or leaves together, as they are sent. Bytes, because
 * half a million texts would keep the garbage collector busy.
 */
export interface SeriesBlock extends SeriesOwner {
  readonly text: Buffer;
}

/** Puts neighbours together that have the same owner. */
export function runsOfOneOwner<T extends SeriesOwner>(
  items: Iterable<T>,
): readonly (SeriesOwner & {readonly run: T[]})[] {
  const runs: (SeriesOwner & {readonly run: T[]})[] = [];
  for (const item of items) {
    const last = runs.at(-1);
    if (last !== undefined && last.role === item.role && last.pod === item.pod) last.run.push(item);
    else runs.push({role: item.role, pod: item.pod, run: [item]});
  }
  return runs;
}

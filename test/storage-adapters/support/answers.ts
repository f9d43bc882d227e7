import type {Column, NamePages, ValueLabels} from '../../../core/api/adapter.js';

/** The values of a column with null where there is none. */
export function plain({labels, values, present}: Column): {labels: ValueLabels; values: (number | null)[]} {
  return {labels, values: Array.from(values, (value, i) => (present[i] === 1 ? value : null))};
}

export async function names(pages: NamePages): Promise<string[]> {
  return (await collected(pages)).flat();
}

export async function collected<Item>(items: AsyncIterable<Item>): Promise<Item[]> {
  const all: Item[] = [];
  for await (const item of items) all.push(item);
  return all;
}

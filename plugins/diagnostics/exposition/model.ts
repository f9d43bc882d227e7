/** The text exposition format, version 0.0.4, as values. */

export type FamilyType = 'counter' | 'gauge' | 'histogram' | 'summary' | 'untyped';

/** Names and values in turn: `['le', '0.5', 'path', '/']`. Flat, because there are very many of them. */
export type Labels = readonly string[];

export interface FamilySample {
  /** Of a histogram or summary, with the suffix. */
  readonly name: string;
  readonly labels: Labels;
  readonly value: number;
}

/** What is said about a family, before its samples. */
export interface FamilyMetadata {
  readonly type: FamilyType;
  readonly help: string;
}

export interface Family extends FamilyMetadata {
  readonly name: string;
  readonly samples: readonly FamilySample[];
}

/** With something before it: a name that is a suffix alone has none. */
const SUFFIX = /(?<=.)_(?:bucket|sum|count)$/;

/** The name without `_bucket`, `_sum` or `_count`; the name itself when it has none of them. */
export function baseName(name: string): string {
  return name.replace(SUFFIX, '');
}

/** The family that a series belongs to: the histogram or summary of its base name, else the one of its own name. */
export function familyName(name: string, typeOf: (family: string) => FamilyType | undefined): string {
  const last = name.charCodeAt(name.length - 1);
  // Only t and m end a suffix, and most names end otherwise.
  if (last !== 0x74 && last !== 0x6d) return name;
  const base = baseName(name);
  if (base === name) return name;
  const type = typeOf(base);
  return type === 'histogram' || (type === 'summary' && !name.endsWith('_bucket')) ? base : name;
}

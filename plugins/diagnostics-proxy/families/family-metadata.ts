import {baseName, type FamilyMetadata, type FamilyType, familyName} from '../../diagnostics/exposition/model.js';
import type {LatestSeries} from './latest-series.js';

/** What is known of families, by name. */
export type MetadataByFamily = ReadonlyMap<string, FamilyMetadata>;

/** What the series of one source tell of their families. The first type and the first help text stand. */
export function metadataOf(series: Iterable<LatestSeries>): MetadataByFamily {
  const all = new Map<string, FamilyMetadata>();
  for (const {name, type, help, le} of series) {
    // Agents of an early version do not tell types. A bucket with a bound can be nothing else.
    const told = type ?? (name.endsWith('_bucket') && isNumber(le) ? 'histogram' : undefined);
    const isPart = told === 'histogram' || told === 'summary';
    const family = isPart ? baseName(name) : name;
    if (told === undefined || (told === 'histogram' && family === name)) continue;
    add(all, family, {type: told, help});
  }
  return all;
}

const isNumber = (bound: number | undefined): boolean => bound !== undefined && !Number.isNaN(bound);

/** What all sources say together, the first ones before the others. */
export function mergeMetadata(sources: Iterable<MetadataByFamily>): MetadataByFamily {
  const merged = new Map<string, FamilyMetadata>();
  for (const source of sources) for (const [name, metadata] of source) add(merged, name, metadata);
  return merged;
}

function add(all: Map<string, FamilyMetadata>, name: string, metadata: FamilyMetadata): void {
  const known = all.get(name);
  if (known === undefined) all.set(name, metadata);
  else if (known.help === '' && metadata.help !== '') all.set(name, {...known, help: metadata.help});
}

export type TypeOf = (family: string) => FamilyType | undefined;

/**
 * The types of families. What is a part of one, as `h_count` of the histogram `h`, is none of its own, whatever is said of
 * it: a strict reader takes its metadata for a second one of the whole.
 */
export function typesOf(all: MetadataByFamily): TypeOf {
  const known = new Map<string, FamilyType | undefined>();
  const typeOf: TypeOf = name => {
    const metadata = all.get(name);
    if (metadata === undefined) return undefined;
    if (!known.has(name)) known.set(name, familyName(name, typeOf) === name ? metadata.type : undefined);
    return known.get(name);
  };
  return typeOf;
}

import {baseName, type FamilyHead, familyName, type MetricType} from '../../diagnostics/exposition/model.js';
import {hasLe, type Series} from './latest-series.js';

/** What is known of families, by name. */
export type Heads = ReadonlyMap<string, FamilyHead>;

/** Adds what a series tells of its family. The first type and the first help text stand. */
export function describe(heads: Map<string, FamilyHead>, {name, type, help, text, bound}: Series): void {
  // Agents of an early version do not tell types. A bucket with a bound can be nothing else.
  const told = type ?? (name.endsWith('_bucket') && hasLe(text) && !Number.isNaN(bound) ? 'histogram' : undefined);
  const isPart = told === 'histogram' || told === 'summary';
  const family = isPart ? baseName(name) : name;
  if (told === undefined || (told === 'histogram' && family === name)) return;
  add(heads, family, {type: told, help});
}

/** What all sources say together, the first ones before the others. */
export function unite(all: Iterable<Heads>): Heads {
  const heads = new Map<string, FamilyHead>();
  for (const each of all) for (const [name, head] of each) add(heads, name, head);
  return heads;
}

function add(heads: Map<string, FamilyHead>, name: string, head: FamilyHead): void {
  const known = heads.get(name);
  if (known === undefined) heads.set(name, head);
  else if (known.help === '' && head.help !== '') heads.set(name, {...known, help: head.help});
}

export type TypeOf = (family: string) => MetricType | undefined;

/**
 * The types of families. What is a part of one, as `h_count` of the histogram `h`, is none of its own, whatever is said of
 * it: a strict reader takes its head for a second one of the whole.
 */
export function typesOf(heads: Heads): TypeOf {
  const known = new Map<string, MetricType | undefined>();
  const typeOf: TypeOf = name => {
    const head = heads.get(name);
    if (head === undefined) return undefined;
    if (!known.has(name)) known.set(name, familyName(name, typeOf) === name ? head.type : undefined);
    return known.get(name);
  };
  return typeOf;
}

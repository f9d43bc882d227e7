import {baseName, type FamilyHead, type MetricType} from '../exposition/model.js';
import {hasLe, type Series} from './series.js';

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

export function typesOf(heads: Heads): TypeOf {
  return name => heads.get(name)?.type;
}

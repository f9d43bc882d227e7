import type {MetadataByFamily} from './family-metadata.js';

/** What a source has of a family: its lines from `begin` up to but without `end`. */
export interface FamilyPart {
  /** The names of its series, with suffixes. */
  readonly names: ReadonlySet<string>;
  /** The first help text of a series. */
  readonly help: string;
  readonly begin: number;
  readonly end: number;
}

/** Which lines of a source belong to which family, as far as the source alone can tell what belongs together. */
export interface SourceLayout {
  readonly metadata: MetadataByFamily;
  readonly parts: ReadonlyMap<string, FamilyPart>;
}

/** A cluster has a few kinds of agents. */
const MOST_KNOWN = 8;

/** Agents of one kind have the same layout, which is then kept once, and looked at once for all of them. */
export class SharedLayouts {
  /** The one that was used last is the first. */
  #known: readonly SourceLayout[] = [];

  share(layout: SourceLayout): SourceLayout {
    const shared = this.#known.find(known => isSame(known, layout)) ?? layout;
    this.#known = [shared, ...this.#known.filter(known => known !== shared)].slice(0, MOST_KNOWN);
    return shared;
  }
}

function isSame(a: SourceLayout, b: SourceLayout): boolean {
  return isSameMetadata(a.metadata, b.metadata) && isSameParts(a.parts, b.parts);
}

function isSameMetadata(a: MetadataByFamily, b: MetadataByFamily): boolean {
  if (a.size !== b.size) return false;
  // Their order matters, too: the first one's type stands.
  const names = [...b.keys()];
  let index = 0;
  for (const [name, {type, help}] of a) {
    const other = b.get(name);
    if (name !== names[index++] || type !== other?.type || help !== other.help) return false;
  }
  return true;
}

function isSameParts(a: ReadonlyMap<string, FamilyPart>, b: ReadonlyMap<string, FamilyPart>): boolean {
  if (a.size !== b.size) return false;
  for (const [name, {names, help, begin, end}] of a) {
    const other = b.get(name);
    if (other === undefined || help !== other.help || begin !== other.begin || end !== other.end) return false;
    if (names.size !== other.names.size) return false;
    for (const one of names) if (!other.names.has(one)) return false;
  }
  return true;
}

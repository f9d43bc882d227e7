import {compareNames} from '../../../core/api/plugin.js';
import {pause} from '../../../core/toolkit/yielder.js';
import {type FamilyMetadata, familyName} from '../../diagnostics/exposition/model.js';
import {writeMetadata} from '../../diagnostics/exposition/write.js';
import type {SeriesBlock, SeriesFilter} from '../series/series-block.js';
import type {Drop} from '../telemetry/dropped-samples.js';
import {deduplicate, type FamilySource} from './deduplicate.js';
import {mergeMetadata, type TypeOf, typesOf} from './family-metadata.js';
import type {LatestSeries} from './latest-series.js';
import {type FamilyPart, type SourceFamilies, toParts} from './source-families.js';

interface PageFamily {
  readonly metadata: FamilyMetadata;
  readonly sources: readonly FamilySource[];
}

/** The latest values of several sources by family. */
export type MergedPage = ReadonlyMap<string, PageFamily>;

/**
 * Brings the series of all sources together. Of a family that sources describe differently, the first one's type and the
 * first help text stand, and nobody's series are lost but those that `dropOf` a source is told of.
 */
export async function mergePage(
  all: readonly SourceFamilies[],
  dropOf: (source: SourceFamilies) => Drop,
): Promise<MergedPage> {
  const merged = mergeMetadata(all.map(({metadata}) => metadata));
  const typeOf = typesOf(merged);
  const families = new Map<string, {metadata: FamilyMetadata; readonly sources: FamilySource[]}>();
  for (const source of all) {
    await pause();
    for (const [name, {help, blocks}] of await partsOf(source, typeOf, dropOf(source))) {
      let family = families.get(name);
      if (family === undefined) {
        family = {metadata: {type: typeOf(name) ?? 'untyped', help: merged.get(name)?.help ?? ''}, sources: []};
        families.set(name, family);
      }
      if (family.metadata.help === '' && help !== '') family.metadata = {...family.metadata, help};
      family.sources.push({pod: source.pod, time: source.time, blocks});
    }
  }
  return new Map([...families].sort(([a], [b]) => compareNames(a, b)));
}

/** The parts of a source. Where another one knows better what is a family, its series are put together anew. */
async function partsOf(
  {parts, metadata}: SourceFamilies,
  typeOf: TypeOf,
  drop: Drop,
): Promise<ReadonlyMap<string, FamilyPart>> {
  // What cannot be in a histogram or a summary was left out by those alone that knew that it is one.
  const isKnown = (family: string): boolean => {
    const type = typeOf(family);
    return (type !== 'histogram' && type !== 'summary') || metadata.get(family)?.type === type;
  };
  if ([...parts].every(([family, {names}]) => isKnown(family) && agree(family, names, typeOf))) return parts;
  const series: LatestSeries[] = [];
  for (const {help, blocks} of parts.values()) {
    await pause();
    for (const block of blocks) for (const one of block.series(help)) series.push(one);
  }
  return toParts(series, typeOf, drop);
}

function agree(family: string, names: ReadonlySet<string>, typeOf: TypeOf): boolean {
  for (const name of names) if (familyName(name, typeOf) !== family) return false;
  return true;
}

/** The page in parts, with the series that `wanted` takes. */
export async function* writePage(page: MergedPage, wanted: SeriesFilter): AsyncGenerator<Uint8Array> {
  for (const [name, {metadata, sources}] of page) {
    await pause();
    const blocks = await chosen(sources, wanted);
    if (blocks.length === 0) continue;
    yield Buffer.from(writeMetadata(name, metadata));
    yield* blocks.map(({text}) => text);
  }
}

/** The blocks of a family that are written, each series once. */
async function chosen(sources: readonly FamilySource[], wanted: SeriesFilter): Promise<readonly SeriesBlock[]> {
  const left = sources.map(source => ({...source, blocks: source.blocks.filter(wanted)}));
  return overlap(left) ? deduplicate(left) : left.flatMap(({blocks}) => blocks);
}

/** Whether two sources may have the same series: only of one pod, or of none, they can. */
function overlap(sources: readonly FamilySource[]): boolean {
  const owners = new Map<string | undefined, FamilySource>();
  for (const source of sources) {
    for (const {pod} of source.blocks) {
      const owner = owners.get(pod);
      if (owner !== undefined && owner !== source) return true;
      owners.set(pod, source);
    }
  }
  return false;
}

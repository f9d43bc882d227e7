import {compareNames} from '../../../core/api/plugin.js';
import {type FamilyHead, familyName} from '../../diagnostics/exposition/model.js';
import {writeHead} from '../../diagnostics/exposition/write.js';
import type {Block, Filter} from '../series/series-block.js';
import type {Drop} from '../telemetry/dropped-samples.js';
import type {Turns} from '../yielding/yielder.js';
import {type Latest, type Part, toParts} from './agent-families.js';
import {distinct, type Source} from './deduplicate.js';
import {type TypeOf, typesOf, unite} from './family-metadata.js';
import {readSeries} from './latest-series.js';

interface PageFamily {
  readonly head: FamilyHead;
  readonly sources: readonly Source[];
}

/** The latest values of several sources by family. */
export type Page = ReadonlyMap<string, PageFamily>;

/**
 * Brings the series of all sources together. Of a family that sources describe differently, the first one's type and the
 * first help text stand, and nobody's series are lost but those that `dropOf` a source is told of.
 */
export async function buildPage(all: readonly Latest[], turns: Turns, dropOf: (latest: Latest) => Drop): Promise<Page> {
  const heads = unite(all.map(latest => latest.heads));
  const typeOf = typesOf(heads);
  const families = new Map<string, {head: FamilyHead; readonly sources: Source[]}>();
  for (const latest of all) {
    await turns.turn();
    for (const [name, {help, blocks}] of await partsOf(latest, typeOf, turns, dropOf(latest))) {
      let family = families.get(name);
      if (family === undefined) {
        family = {head: {type: typeOf(name) ?? 'untyped', help: heads.get(name)?.help ?? ''}, sources: []};
        families.set(name, family);
      }
      if (family.head.help === '' && help !== '') family.head = {...family.head, help};
      family.sources.push({pod: latest.pod, time: latest.time, blocks});
    }
  }
  return new Map([...families].sort(([a], [b]) => compareNames(a, b)));
}

/** The parts of a source. Where another one knows better what is a family, they are made anew from what is written. */
async function partsOf(
  {parts, heads}: Latest,
  typeOf: TypeOf,
  turns: Turns,
  drop: Drop,
): Promise<ReadonlyMap<string, Part>> {
  // What cannot be in a histogram or a summary was left out by those alone that knew that it is one.
  const isKnown = (family: string): boolean => {
    const type = typeOf(family);
    return (type !== 'histogram' && type !== 'summary') || heads.get(family)?.type === type;
  };
  if ([...parts].every(([family, {names}]) => isKnown(family) && agree(family, names, typeOf))) return parts;
  const series = [];
  for (const {help, blocks} of parts.values()) {
    await turns.turn();
    for (const {text} of blocks) series.push(...readSeries(text.toString(), help));
  }
  return toParts(series, typeOf, turns, drop);
}

function agree(family: string, names: ReadonlySet<string>, typeOf: TypeOf): boolean {
  for (const name of names) if (familyName(name, typeOf) !== family) return false;
  return true;
}

/** The page in parts, with the series that `wanted` takes. */
export async function* writePage(page: Page, wanted: Filter, turns: Turns): AsyncGenerator<Uint8Array> {
  for (const [name, {head, sources}] of page) {
    await turns.turn();
    const blocks = await chosen(sources, wanted, turns);
    if (blocks.length === 0) continue;
    yield Buffer.from(writeHead(name, head.type, head.help));
    yield* blocks.map(({text}) => text);
  }
}

/** The blocks of a family that are written, each series once. */
async function chosen(sources: readonly Source[], wanted: Filter, turns: Turns): Promise<readonly Block[]> {
  const left = sources.map(source => ({...source, blocks: source.blocks.filter(wanted)}));
  return overlap(left) ? distinct(left, turns) : left.flatMap(({blocks}) => blocks);
}

/** Whether two sources may have the same series: only of one pod, or of none, they can. */
function overlap(sources: readonly Source[]): boolean {
  const owners = new Map<string | undefined, Source>();
  for (const source of sources) {
    for (const {pod} of source.blocks) {
      const owner = owners.get(pod);
      if (owner !== undefined && owner !== source) return true;
      owners.set(pod, source);
    }
  }
  return false;
}

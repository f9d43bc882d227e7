import {compareNames} from '../../../core/api/plugin.js';
import {baseName, type FamilyHead, familyName, type MetricType} from '../exposition/model.js';
import {writeHead} from '../exposition/write.js';
import type {Latest} from './latest.js';
import {compareSeries, lineOf, type Series} from './series.js';
import type {Slices} from './slices.js';

/** The series that one source has of a family, in order. */
interface Block {
  readonly time: number;
  readonly series: Series[];
}

interface PageFamily {
  readonly head: FamilyHead;
  readonly blocks: Block[];
}

/** The latest values of several sources by family. */
export type Page = ReadonlyMap<string, PageFamily>;

const STRIDE = 512;

/**
 * Brings the series of all sources together. Of a family that sources describe differently, the first one's type and the
 * first help text stand, and nobody's series are lost.
 */
export async function buildPage(sources: readonly Latest[], slices: Slices): Promise<Page> {
  const heads = new Map<string, FamilyHead>();
  for (const {series} of sources) {
    await slices.turn();
    for (const one of series) describe(heads, one);
  }
  const typeOf = (name: string): MetricType | undefined => heads.get(name)?.type;
  const page = new Map<string, PageFamily>();
  for (const {time, series} of sources) {
    await slices.turn();
    const own = new Map<string, Block>();
    for (const one of series) {
      const name = familyName(one.name, typeOf);
      let block = own.get(name);
      if (block === undefined) {
        block = {time, series: []};
        own.set(name, block);
        familyOf(page, heads, name, one).blocks.push(block);
      }
      block.series.push(one);
    }
  }
  const sorted = new Map<string, PageFamily>();
  for (const name of [...page.keys()].sort(compareNames)) {
    await slices.turn();
    const family = page.get(name) as PageFamily;
    for (const block of family.blocks) block.series.sort(compareSeries);
    sorted.set(name, family);
  }
  return sorted;
}

function describe(heads: Map<string, FamilyHead>, {name, type, help, text}: Series): void {
  // Agents of an early version do not tell types. A bucket with a bound can be nothing else.
  const told = type ?? (name.endsWith('_bucket') && /[{,]le="/.test(text) ? 'histogram' : undefined);
  const isPart = told === 'histogram' || told === 'summary';
  const family = isPart ? baseName(name) : name;
  if (told === undefined || (told === 'histogram' && family === name)) return;
  const known = heads.get(family);
  if (known === undefined) heads.set(family, {type: told, help});
  else if (known.help === '' && help !== '') heads.set(family, {...known, help});
}

const UNTOLD: FamilyHead = {type: 'untyped', help: ''};

function familyOf(
  page: Map<string, PageFamily>,
  heads: ReadonlyMap<string, FamilyHead>,
  name: string,
  {help}: Series,
): PageFamily {
  let family = page.get(name);
  if (family === undefined) {
    family = {head: heads.get(name) ?? {...UNTOLD, help}, blocks: []};
    page.set(name, family);
  }
  return family;
}

/** How long a piece of text becomes before it is passed on. */
const PIECE = 65_536;

/** The page as text, in pieces, with the series that `wanted` takes. */
export async function* writePage(
  page: Page,
  wanted: (series: Series) => boolean,
  slices: Slices,
): AsyncGenerator<string> {
  let text = '';
  for (const [name, {head, blocks}] of page) {
    const lines = await distinct(blocks, wanted, slices);
    if (lines.size === 0) continue;
    text += writeHead(name, head.type, head.help);
    let count = 0;
    for (const {series} of lines.values()) {
      text += lineOf(series);
      if (++count % STRIDE === 0) await slices.turn();
      if (text.length < PIECE) continue;
      yield text;
      text = '';
    }
    await slices.turn();
  }
  if (text !== '') yield text;
}

/** One entry for each series, the newest where there are several. */
async function distinct(
  blocks: readonly Block[],
  wanted: (series: Series) => boolean,
  slices: Slices,
): Promise<ReadonlyMap<string, {readonly time: number; readonly series: Series}>> {
  const found = new Map<string, {time: number; series: Series}>();
  let count = 0;
  for (const {time, series} of blocks) {
    for (const one of series) {
      if (++count % STRIDE === 0) await slices.turn();
      if (!wanted(one)) continue;
      const earlier = found.get(one.text);
      if (earlier === undefined || earlier.time <= time) found.set(one.text, {time, series: one});
    }
  }
  return found;
}

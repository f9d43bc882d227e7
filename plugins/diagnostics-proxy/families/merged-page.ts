import {compareNames} from '../../../core/api/plugin.js';
import {cooperate, pause, type Steps} from '../../../core/toolkit/yielder.js';
import {type FamilyMetadata, familyName} from '../../diagnostics/exposition/model.js';
import {writeMetadata} from '../../diagnostics/exposition/write.js';
import type {SeriesFilter} from '../series/series-block.js';
import type {Drop} from '../telemetry/dropped-samples.js';
import {deduplicate, type SourceRun} from './deduplicate.js';
import {mergeMetadata, type TypeOf, typesOf} from './family-metadata.js';
import type {LatestSeries} from './latest-series.js';
import {PieceWriter} from './piece-writer.js';
import {arrange, type SourceFamilies} from './source-families.js';
import type {SharedLayouts, SourceLayout} from './source-layout.js';

/** The latest values of several sources by family. */
export interface MergedPage {
  /** In the order of the page. */
  readonly families: readonly (readonly [string, FamilyMetadata])[];
  readonly sources: readonly SourceFamilies[];
}

export interface MergeOptions {
  readonly layouts: SharedLayouts;
  /** Told of what is left out of a source. */
  readonly dropOf: (source: SourceFamilies) => Drop;
}

/**
 * Brings the series of all sources together. Of a family that sources describe differently, the first one's type and the
 * first help text stand, and nobody's series are lost but those that `dropOf` a source is told of.
 */
export function mergePage(all: readonly SourceFamilies[], options: MergeOptions): Promise<MergedPage> {
  return cooperate(merge(all, options));
}

function* merge(all: readonly SourceFamilies[], {layouts, dropOf}: MergeOptions): Steps<MergedPage> {
  const merged = mergeMetadata(layoutsOf(all).map(({metadata}) => metadata));
  const typeOf = typesOf(merged);
  const settled = new Map(layoutsOf(all).map(layout => [layout, isSettled(layout, typeOf)]));
  const sources: SourceFamilies[] = [];
  for (const source of all) {
    const {layout} = source.lines;
    if (settled.get(layout)) {
      sources.push(source);
      continue;
    }
    // Another one knows better what is a family: the series are put together anew.
    yield;
    const drop = dropOf(source);
    const lines = yield* arrange(seriesOf(source), {metadata: layout.metadata, typeOf, layouts, drop});
    sources.push({...source, lines});
  }
  const families = new Map<string, FamilyMetadata>();
  for (const {parts} of layoutsOf(sources)) {
    for (const [name, {help}] of parts) {
      const known = families.get(name);
      if (known === undefined) {
        families.set(name, {type: typeOf(name) ?? 'untyped', help: merged.get(name)?.help || help});
      } else if (known.help === '' && help !== '') families.set(name, {...known, help});
    }
  }
  return {families: [...families].sort(([a], [b]) => compareNames(a, b)), sources};
}

/** Each layout once: what agents of one kind say together is looked at once. */
function layoutsOf(sources: readonly SourceFamilies[]): readonly SourceLayout[] {
  return [...new Set(sources.map(({lines}) => lines.layout))];
}

/** Whether the families of a source are those of the page. */
function isSettled({metadata, parts}: SourceLayout, typeOf: TypeOf): boolean {
  for (const [family, {names}] of parts) {
    const type = typeOf(family);
    // What cannot be in a histogram or a summary was left out by those alone that knew that it is one.
    if ((type === 'histogram' || type === 'summary') && metadata.get(family)?.type !== type) return false;
    for (const name of names) if (familyName(name, typeOf) !== family) return false;
  }
  return true;
}

function* seriesOf({lines}: SourceFamilies): Generator<LatestSeries> {
  for (const part of lines.layout.parts.values()) yield* lines.series(part);
}

/** How many lines are written between two looks at the clock. */
const STRIDE = 1024;

/** The page in parts, with the series that `wanted` takes. */
export async function* writePage({families, sources}: MergedPage, wanted: SeriesFilter): AsyncGenerator<Uint8Array> {
  const to = new PieceWriter();
  for (const [name, metadata] of families) {
    await pause();
    const runs = runsOf(name, sources, wanted);
    if (runs.length === 0) continue;
    to.text(writeMetadata(name, metadata));
    yield* overlap(runs) ? writeOnceEach(runs, to) : writeAll(runs, to);
  }
  yield* to.takeRest();
}

async function* writeAll(runs: readonly SourceRun[], to: PieceWriter): AsyncGenerator<Uint8Array> {
  let lines = 0;
  for (const run of runs) {
    run.source.lines.write(run, run.source.values, to);
    lines += run.end - run.begin;
    if (lines < STRIDE) continue;
    lines = 0;
    yield* to.takeFull();
    await pause();
  }
}

async function* writeOnceEach(runs: readonly SourceRun[], to: PieceWriter): AsyncGenerator<Uint8Array> {
  let lines = 0;
  for (const line of await deduplicate(runs)) {
    to.text(line);
    if (++lines % STRIDE > 0) continue;
    yield* to.takeFull();
    await pause();
  }
}

/** The lines of a family that are written, in runs that are short enough to be gone through without a pause. */
function runsOf(family: string, sources: readonly SourceFamilies[], wanted: SeriesFilter): readonly SourceRun[] {
  const runs: SourceRun[] = [];
  for (const source of sources) {
    const part = source.lines.layout.parts.get(family);
    if (part === undefined) continue;
    for (const {role, pod, begin, end} of source.lines.runsOf(part)) {
      if (!wanted({role, pod})) continue;
      for (let from = begin; from < end; from += STRIDE) {
        runs.push({source, role, pod, begin: from, end: Math.min(from + STRIDE, end)});
      }
    }
  }
  return runs;
}

/** Whether two sources may have the same series: only of one pod, or of none, they can. */
function overlap(runs: readonly SourceRun[]): boolean {
  const owners = new Map<string | undefined, SourceFamilies>();
  for (const {source, pod} of runs) {
    const owner = owners.get(pod);
    if (owner !== undefined && owner !== source) return true;
    owners.set(pod, source);
  }
  return false;
}

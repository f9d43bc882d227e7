import type {Steps} from '../../../core/toolkit/yielder.js';
import {completeLabels} from '../../diagnostics/exposition/complete-labels.js';
import {unescapeHelp} from '../../diagnostics/exposition/escape.js';
import {familyName} from '../../diagnostics/exposition/model.js';
import {sortInSteps} from '../series/sort-in-steps.js';
import {type Drop, isReserved} from '../telemetry/dropped-samples.js';
import {MetricsMessageReader} from '../wire/metrics-message-reader.js';
import {type MetadataByFamily, metadataOf, type TypeOf, typesOf} from './family-metadata.js';
import {compareSeries, type LatestSeries, misfitOf, toLatestSeries} from './latest-series.js';
import type {FamilyPart, SharedLayouts} from './source-layout.js';
import {LinesBuilder, type SourceLines} from './source-lines.js';

/** The latest values of one source, an agent or the proxy itself, ready to be written. */
export interface SourceFamilies {
  /** The pod for which the source speaks; undefined for the proxy's own. */
  readonly pod: string | undefined;
  /** When they were sent, in milliseconds. */
  readonly time: number;
  readonly lines: SourceLines;
  readonly values: Float64Array;
}

/** How many metrics are read between two looks at the clock. */
const STRIDE = 128;

/** The lines of an agent's answer, each with the place of its metric in the message. Throws a `RangeError` when that is damaged. */
export function* readLines(
  bytes: Buffer,
  node: readonly string[],
  layouts: SharedLayouts,
  drop: Drop,
): Steps<Pick<SourceFamilies, 'lines' | 'values'>> {
  const series: LatestSeries[] = [];
  const values: number[] = [];
  for (const metric of new MetricsMessageReader(bytes).metrics()) {
    const place = values.push(metric.value) - 1;
    if (place % STRIDE === 0) yield;
    metric.description = unescapeHelp(metric.description);
    const one = toLatestSeries({...metric, place}, completeLabels(metric.labels, node));
    if (isReserved(one.name)) drop('reserved_name', one.name);
    else series.push(one);
  }
  return {lines: yield* toLines(series, layouts, drop), values: Float64Array.from(values)};
}

/** Of a series that occurs several times, the last one stands. */
export function* toLines(series: readonly LatestSeries[], layouts: SharedLayouts, drop: Drop): Steps<SourceLines> {
  const metadata = metadataOf(series);
  return yield* arrange(series, {metadata, typeOf: typesOf(metadata), layouts, drop});
}

export interface Arrangement {
  readonly metadata: MetadataByFamily;
  readonly typeOf: TypeOf;
  readonly layouts: SharedLayouts;
  /** What would make the page no valid one goes there. */
  readonly drop: Drop;
}

/** The lines by family. */
export function* arrange(
  series: Iterable<LatestSeries>,
  {metadata, typeOf, layouts, drop}: Arrangement,
): Steps<SourceLines> {
  const families = new Map<string, LatestSeries[]>();
  for (const one of series) {
    const name = familyName(one.name, typeOf);
    const misfit = misfitOf(one, typeOf(name));
    if (misfit !== undefined) {
      drop(misfit, one.name);
      continue;
    }
    const family = families.get(name);
    if (family === undefined) families.set(name, [one]);
    else family.push(one);
  }
  const parts = new Map<string, FamilyPart>();
  const lines = new LinesBuilder();
  for (const [name, all] of families) {
    yield;
    const help = all.find(one => one.help !== '')?.help ?? '';
    const names = new Set(all.map(one => one.name));
    const begin = lines.count;
    for (const one of onceEach(yield* sortInSteps(all, compareSeries))) lines.add(one);
    parts.set(name, {names, help, begin, end: lines.count});
  }
  return lines.build(layouts.share({metadata, parts}));
}

/** Equal ones stand side by side, in the order in which they came. */
function onceEach(sorted: readonly LatestSeries[]): readonly LatestSeries[] {
  return sorted.filter((one, index) => {
    const next = sorted[index + 1];
    return next === undefined || compareSeries(one, next) !== 0;
  });
}

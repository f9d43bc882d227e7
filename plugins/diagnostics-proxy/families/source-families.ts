import {type Cancellable, pause} from '../../../core/toolkit/yielder.js';
import {completeLabels} from '../../diagnostics/exposition/complete-labels.js';
import {unescapeHelp} from '../../diagnostics/exposition/escape.js';
import {familyName} from '../../diagnostics/exposition/model.js';
import {toMilliseconds} from '../../diagnostics/proto/timestamp.js';
import type {AgentAnswer} from '../fan-out/fan-out.js';
import type {RegisteredAgent} from '../registry/registered-agent.js';
import {nodeLabels} from '../series/node-labels.js';
import {sortYielding} from '../series/sort-yielding.js';
import {type Drop, isReserved} from '../telemetry/dropped-samples.js';
import {MetricsMessageReader} from '../wire/metrics-message-reader.js';
import {type MetadataByFamily, metadataOf, type TypeOf, typesOf} from './family-metadata.js';
import {compareSeries, type LatestSeries, misfitOf, toLatestSeries} from './latest-series.js';
import {type PageBlock, toPageBlocks} from './page-block.js';

/** What one source has of a family. */
export interface FamilyPart {
  /** The names of its series, with suffixes. */
  readonly names: ReadonlySet<string>;
  /** The first help text of a series. */
  readonly help: string;
  readonly blocks: readonly PageBlock[];
}

/** The latest values of one source, an agent or the proxy itself, ready to be written. */
export interface SourceFamilies {
  /** The pod for which the source speaks; undefined for the proxy's own. */
  readonly pod: string | undefined;
  /** When they were sent, in milliseconds. */
  readonly time: number;
  readonly metadata: MetadataByFamily;
  /** By family, as far as the source alone can tell what belongs together. */
  readonly parts: ReadonlyMap<string, FamilyPart>;
}

/** How many metrics are read between two looks at the clock. */
const STRIDE = 128;

/** Rejects with a `RangeError` when the answer is damaged. */
export async function readFamilies(
  agent: RegisteredAgent,
  {bytes, received}: AgentAnswer,
  drop: Drop,
  call?: Cancellable,
): Promise<SourceFamilies> {
  await pause(call);
  const message = new MetricsMessageReader(bytes);
  const sent = message.time();
  // The clock of a sender may go ahead of ours.
  const time = sent === undefined ? agent.registeredAt : Math.min(toMilliseconds(sent), received);
  const node = nodeLabels(agent);
  const series: LatestSeries[] = [];
  let count = 0;
  for (const metric of message.metrics()) {
    if (++count % STRIDE === 0) await pause(call);
    metric.description = unescapeHelp(metric.description);
    const one = toLatestSeries(metric, completeLabels(metric.labels, node));
    if (isReserved(one.name)) drop('reserved_name', one.name);
    else series.push(one);
  }
  return toSourceFamilies({pod: agent.podName, time}, series, drop, call);
}

/** Of a series that occurs several times, the last one stands. */
export async function toSourceFamilies(
  source: Pick<SourceFamilies, 'pod' | 'time'>,
  series: readonly LatestSeries[],
  drop: Drop,
  call?: Cancellable,
): Promise<SourceFamilies> {
  const metadata = metadataOf(series);
  return {...source, metadata, parts: await toParts(series, typesOf(metadata), drop, call)};
}

/** What would make the page no valid one goes to `drop`. */
export async function toParts(
  series: Iterable<LatestSeries>,
  typeOf: TypeOf,
  drop: Drop,
  call?: Cancellable,
): Promise<ReadonlyMap<string, FamilyPart>> {
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
  for (const [name, all] of families) {
    const help = all.find(one => one.help !== '')?.help ?? '';
    const names = new Set(all.map(one => one.name));
    parts.set(name, {names, help, blocks: toPageBlocks(onceEach(await sortYielding(all, compareSeries, call)))});
  }
  return parts;
}

/** Equal ones stand side by side, in the order in which they came. */
function onceEach(sorted: readonly LatestSeries[]): readonly LatestSeries[] {
  return sorted.filter((one, index) => {
    const next = sorted[index + 1];
    return next === undefined || compareSeries(one, next) !== 0;
  });
}

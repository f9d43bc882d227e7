import {completeLabels} from '../../diagnostics/exposition/complete-labels.js';
import {unescapeHelp} from '../../diagnostics/exposition/escape.js';
import {type FamilyHead, familyName} from '../../diagnostics/exposition/model.js';
import {toMilliseconds} from '../../diagnostics/proto/timestamp.js';
import type {Agent} from '../registry/registered-agent.js';
import {nodeLabels} from '../series/node-labels.js';
import {type Block, toBlocks} from '../series/series-block.js';
import {type Drop, isReserved} from '../telemetry/dropped-samples.js';
import {MetricsMessage} from '../wire/metrics-message-reader.js';
import {sortInTurns} from '../yielding/sort-yielding.js';
import type {Turns} from '../yielding/yielder.js';
import {describe, type Heads, type TypeOf, typesOf} from './family-metadata.js';
import {compareSeries, lineOf, misfitOf, type Series, toSeries} from './latest-series.js';

/** What one source has of a family. */
export interface Part {
  /** The names of its series, with suffixes. */
  readonly names: ReadonlySet<string>;
  /** The first help text of a series. */
  readonly help: string;
  readonly blocks: readonly Block[];
}

/** The latest values of one source, ready to be written. */
export interface Latest {
  /** The pod for which the source speaks; undefined for the proxy's own. */
  readonly pod: string | undefined;
  /** When they were sent, in milliseconds. */
  readonly time: number;
  readonly heads: Heads;
  /** By family, as far as the source alone can tell what belongs together. */
  readonly parts: ReadonlyMap<string, Part>;
}

/** How many metrics are read between two looks at the clock. */
const STRIDE = 128;

/** Rejects with a `RangeError` when the answer is damaged. */
export async function readLatest(agent: Agent, answer: Buffer, turns: Turns, drop: Drop): Promise<Latest> {
  await turns.turn();
  const message = new MetricsMessage(answer);
  const sent = message.time();
  // The clock of a sender may go ahead of ours.
  const time = sent === undefined ? agent.registeredAt : Math.min(toMilliseconds(sent), Date.now());
  const node = nodeLabels(agent);
  const series: Series[] = [];
  let count = 0;
  for (const metric of message.metrics()) {
    if (++count % STRIDE === 0) await turns.turn();
    metric.description = unescapeHelp(metric.description);
    const one = toSeries(metric, completeLabels(metric.labels, node));
    if (isReserved(one.name)) drop('reserved_name', one.name);
    else series.push(one);
  }
  return toLatest({pod: agent.podName, time}, series, turns, drop);
}

/** Of a series that occurs several times, the last one stands. */
export async function toLatest(
  source: Pick<Latest, 'pod' | 'time'>,
  series: readonly Series[],
  turns: Turns,
  drop: Drop,
): Promise<Latest> {
  const heads = new Map<string, FamilyHead>();
  for (const one of series) describe(heads, one);
  return {...source, heads, parts: await toParts(series, typesOf(heads), turns, drop)};
}

/** What would make the page no valid one goes to `drop`. */
export async function toParts(
  series: readonly Series[],
  typeOf: TypeOf,
  turns: Turns,
  drop: Drop,
): Promise<ReadonlyMap<string, Part>> {
  const families = new Map<string, Series[]>();
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
  const parts = new Map<string, Part>();
  for (const [name, all] of families) {
    const help = all.find(one => one.help !== '')?.help ?? '';
    const names = new Set(all.map(one => one.name));
    parts.set(name, {names, help, blocks: toBlocks(onceEach(await sortInTurns(all, compareSeries, turns)), lineOf)});
  }
  return parts;
}

/** Equal ones stand side by side, in the order in which they came. */
function onceEach(sorted: readonly Series[]): readonly Series[] {
  return sorted.filter((one, index) => {
    const next = sorted[index + 1];
    return next === undefined || compareSeries(one, next) !== 0;
  });
}

import {type FamilyHead, familyName} from '../exposition/model.js';
import {MetricsMessage} from '../proto/metrics-message.js';
import {toMilliseconds} from '../proto/timestamp.js';
import type {Agent} from '../registry/agent.js';
import {type Block, toBlocks} from './block.js';
import {type Drop, isReserved} from './drops.js';
import {describe, type Heads, type TypeOf, typesOf} from './heads.js';
import {completeLabels, nodeLabels} from './labels.js';
import {compareSeries, isUnbounded, lineOf, type Series, toSeries} from './series.js';
import type {Turns} from './slices.js';
import {sortInTurns} from './sort.js';

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
  /** When they were sent, in milliseconds: of a series that two sources have, the newer one stands. */
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
  const time = sent === undefined ? agent.registeredAt : toMilliseconds(sent);
  const node = nodeLabels(agent);
  const series: Series[] = [];
  let count = 0;
  for (const metric of message.metrics()) {
    if (++count % STRIDE === 0) await turns.turn();
    const one = toSeries(metric, completeLabels(metric.labels, node));
    if (isReserved(one.name)) drop('reserved_name', one.name);
    else series.push(one);
  }
  return toLatest(time, series, turns, drop);
}

/** Of a series that occurs several times, the last one stands. */
export async function toLatest(time: number, series: readonly Series[], turns: Turns, drop: Drop): Promise<Latest> {
  const heads = new Map<string, FamilyHead>();
  for (const one of series) describe(heads, one);
  return {time, heads, parts: await toParts(series, typesOf(heads), turns, drop)};
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
    if (typeOf(name) === 'histogram' && isUnbounded(one)) {
      drop('bucket_bound', one.name);
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

import {toMilliseconds} from '../proto/timestamp.js';
import type {Agent} from '../registry/agent.js';
import {completeLabels, nodeLabels} from './labels.js';
import {MetricsMessage} from './metrics-message.js';
import {type Series, toSeries} from './series.js';
import type {Slices} from './slices.js';

/** The latest values of one agent. */
export interface Latest {
  /** When the agent sent them, in milliseconds: of a series that two agents have, the newer one stands. */
  readonly time: number;
  readonly series: readonly Series[];
}

/** How many metrics are read between two looks at the clock. */
const STRIDE = 128;

/** Rejects with a `RangeError` when the answer is damaged. */
export async function decodeLatest(agent: Agent, answer: Buffer, slices: Slices): Promise<Latest> {
  await slices.turn();
  const message = new MetricsMessage(answer);
  const time = message.time();
  const node = nodeLabels(agent);
  const texts = new Map<string, string>();
  /** The same text as before: labels and help texts of an agent repeat, and half a million copies are heavy. */
  const shared = (text: string): string => {
    const known = texts.get(text);
    if (known !== undefined) return known;
    texts.set(text, text);
    return text;
  };
  const series: Series[] = [];
  for (const metric of message.metrics()) {
    series.push(toSeries(metric, completeLabels(metric.labels, node), shared));
    if (series.length % STRIDE === 0) await slices.turn();
  }
  return {time: time === undefined ? agent.registeredAt : toMilliseconds(time), series};
}

import {compareNames} from '../../../core/api/plugin.js';
import {metricName, writeSeries} from '../exposition/write.js';
import type {Timestamp} from '../proto/contract.js';
import {compareTimestamps, formatTimestamp, toTimestamp} from '../proto/timestamp.js';
import type {Agent} from '../registry/agent.js';
import {completeLabels, labelValue, nodeLabels} from './labels.js';
import {MetricsMessage} from './metrics-message.js';
import type {Slices} from './slices.js';

/** Both ends belong to the window; an absent one leaves it open. */
export interface Window {
  readonly start: Timestamp | undefined;
  readonly end: Timestamp | undefined;
}

/** A series with all its samples. */
export interface TimeSeries {
  readonly name: string;
  readonly description: string;
  /** Names and values in turn, sorted. */
  readonly labels: readonly string[];
  readonly role: string | undefined;
  readonly pod: string | undefined;
  /** By the text of their time. Of two samples at one time the later one of the message stands. */
  readonly samples: Map<string, {readonly time: Timestamp; readonly value: number}>;
}

const STRIDE = 128;

/** The series of one agent by name and labels. Rejects with a `RangeError` when the answer is damaged. */
export async function decodeWindow(
  agent: Agent,
  answer: Buffer,
  window: Window,
  slices: Slices,
): Promise<readonly TimeSeries[]> {
  await slices.turn();
  const message = new MetricsMessage(answer);
  const sent = message.time() ?? toTimestamp(Date.now());
  const node = nodeLabels(agent);
  const all = new Map<string, TimeSeries>();
  let count = 0;
  for (const metric of message.metrics()) {
    if (++count % STRIDE === 0) await slices.turn();
    const time = metric.time ?? sent;
    if (!isWithin(time, window)) continue;
    const labels = completeLabels(metric.labels, node);
    const name = metricName(metric.name);
    const text = writeSeries(name, labels);
    let series = all.get(text);
    if (series === undefined) {
      const role = labelValue(labels, 'node_role');
      const pod = labelValue(labels, 'pod_name');
      series = {name, description: metric.description, labels, role, pod, samples: new Map()};
      all.set(text, series);
    }
    series.samples.set(`${time.seconds}.${time.nanos}`, {time, value: metric.value});
  }
  return [...all.entries()].sort(([a], [b]) => compareNames(a, b)).map(([, series]) => series);
}

function isWithin(time: Timestamp, {start, end}: Window): boolean {
  const isAfterStart = start === undefined || compareTimestamps(time, start) >= 0;
  return isAfterStart && (end === undefined || compareTimestamps(time, end) <= 0);
}

/** The series as JSON. NaN and the infinities, for which JSON has no number, are null. */
export function writeTimeSeries({name, description, labels, pod, samples}: TimeSeries, agent: Agent): string {
  const pairs = labels.flatMap((label, index) => (index % 2 === 0 ? [[label, labels[index + 1]]] : []));
  const data = [...samples.values()]
    .sort((a, b) => compareTimestamps(a.time, b.time))
    .map(({time, value}) => ({timestamp: formatTimestamp(time), value}));
  return JSON.stringify({
    name,
    description,
    labels: Object.fromEntries(pairs),
    agent_id: agent.id,
    pod_name: pod ?? agent.podName,
    data,
  });
}

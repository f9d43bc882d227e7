import {type Cancellable, cooperate, pause} from '../../../core/toolkit/yielder.js';
import {completeLabels} from '../../diagnostics/exposition/complete-labels.js';
import {unescapeHelp} from '../../diagnostics/exposition/escape.js';
import {metricName, writeSeries} from '../../diagnostics/exposition/write.js';
import type {Timestamp} from '../../diagnostics/proto/contract.js';
import {compareTimestamps, formatTimestamp, isTime, toTimestamp} from '../../diagnostics/proto/timestamp.js';
import type {AgentAnswer} from '../fan-out/fan-out.js';
import type {RegisteredAgent} from '../registry/registered-agent.js';
import {labelValue, nodeLabels} from '../series/node-labels.js';
import {runsOfOneOwner, type SeriesBlock, type SeriesOwner} from '../series/series-block.js';
import {sortInSteps} from '../series/sort-in-steps.js';
import {type Drop, isReserved} from '../telemetry/dropped-samples.js';
import {isWithin, MetricsMessageReader, type Window} from '../wire/metrics-message-reader.js';

/** The series of one agent by name, each with all its samples, as JSON objects parted by commas. */
export type AgentWindow = ReadonlyMap<string, readonly SeriesBlock[]>;

interface TimeSeries extends SeriesOwner {
  readonly text: string;
  readonly name: string;
  readonly description: string;
  readonly labels: readonly string[];
  readonly samples: {readonly time: Timestamp; readonly value: number}[];
}

const STRIDE = 128;

/** Rejects with a `RangeError` when the answer is damaged. */
export async function readWindow(
  agent: RegisteredAgent,
  {bytes, received}: AgentAnswer,
  window: Window,
  drop: Drop,
  call?: Cancellable,
): Promise<AgentWindow> {
  await pause(call);
  const message = new MetricsMessageReader(bytes);
  const sent = earlier(message.time(), toTimestamp(received));
  const node = nodeLabels(agent);
  const all = new Map<string, TimeSeries>();
  let count = 0;
  for (const metric of message.metrics()) {
    if (++count % STRIDE === 0) await pause(call);
    const {value, time = sent} = metric;
    const name = metricName(metric.name);
    if (isReserved(name)) drop('reserved_name', name);
    else if (!isTime(time)) drop('time', name);
    else if (isWithin(time, window)) {
      const labels = completeLabels(metric.labels, node);
      const text = writeSeries(name, labels);
      let series = all.get(text);
      if (series === undefined) {
        const [role, pod] = [labelValue(labels, 'node_role'), labelValue(labels, 'pod_name')];
        series = {text, name, description: unescapeHelp(metric.description), labels, role, pod, samples: []};
        all.set(text, series);
      }
      series.samples.push({time, value});
    }
  }
  return byName(all.values(), agent, call);
}

/** The time of a message; the clock of its sender may go ahead of ours. */
function earlier(time: Timestamp | undefined, now: Timestamp): Timestamp {
  return time !== undefined && compareTimestamps(time, now) < 0 ? time : now;
}

async function byName(
  all: Iterable<TimeSeries>,
  agent: RegisteredAgent,
  call: Cancellable | undefined,
): Promise<AgentWindow> {
  const names = new Map<string, TimeSeries[]>();
  for (const series of all) {
    const same = names.get(series.name);
    if (same === undefined) names.set(series.name, [series]);
    else same.push(series);
  }
  const order = (a: TimeSeries, b: TimeSeries): number => (a.text < b.text ? -1 : 1);
  const timeText = rememberingTime();
  const blocks = new Map<string, readonly SeriesBlock[]>();
  for (const [name, series] of names) {
    const sorted = await cooperate(sortInSteps(series, order), call);
    const written = runsOfOneOwner(sorted).map(({role, pod, run}) => {
      const texts = run.map(one => writeTimeSeries(one, agent, timeText));
      return {role, pod, text: Buffer.from(texts.join(','))};
    });
    blocks.set(name, written);
  }
  return blocks;
}

/** The series as JSON, by hand because there are very many. NaN and the infinities, for which JSON has no number, are null. */
function writeTimeSeries(
  {name, description, labels, pod, samples}: TimeSeries,
  agent: RegisteredAgent,
  timeText: (time: Timestamp) => string,
): string {
  let text = `{"name":${quoted(name)},"description":${quoted(description)},"labels":{`;
  for (let index = 0; index < labels.length; index += 2) {
    text += `${index === 0 ? '' : ','}${quoted(labels[index] ?? '')}:${quoted(labels[index + 1] ?? '')}`;
  }
  text += `},"agent_id":${quoted(agent.id)},"pod_name":${quoted(pod ?? agent.podName)},"data":[`;
  if (samples.length > 1) samples.sort((one, other) => compareTimestamps(one.time, other.time));
  let isFirst = true;
  samples.forEach(({time, value}, index) => {
    // Of two samples at one time the later one of the message stands.
    const next = samples[index + 1];
    if (next !== undefined && compareTimestamps(time, next.time) === 0) return;
    text += `${isFirst ? '' : ','}{"timestamp":"${timeText(time)}","value":${Number.isFinite(value) ? value + 0 : null}}`;
    isFirst = false;
  });
  return `${text}]}`;
}

/** What stands in JSON as it is. */
const PLAIN = /^[\w .:;,/()=+-]*$/;

function quoted(text: string): string {
  return PLAIN.test(text) ? `"${text}"` : JSON.stringify(text);
}

/** Writes times, the one from before at no cost: all of the latest values have the same. */
function rememberingTime(): (time: Timestamp) => string {
  let last: Timestamp | undefined;
  let text = '';
  return time => {
    if (time !== last) {
      last = time;
      text = formatTimestamp(time);
    }
    return text;
  };
}

import {channelMethods} from '../../plugins/diagnostics/proto/contract.js';
import {toTimestamp} from '../../plugins/diagnostics/proto/timestamp.js';

/** How many families the series of an agent are spread over. */
const FAMILIES = 50;

/** The tag of a value. */
const VALUE = 0x19;

/**
 * What an agent's latest values look like: gauges with four labels beside those of the agent. Half of the values are others
 * in each answer.
 */
export function simulatedMetrics(pod: string, series: number): () => Buffer {
  const metrics = Array.from({length: series}, (_, n) => ({
    name: `database_measure_metric_${n % FAMILIES}`,
    labels: {
      container_name: 'data',
      group: `group-${n % 7}`,
      node_role: 'ROLE_DATA',
      node_type: 'hot',
      pod_name: pod,
      segment: `segment-${Math.floor(n / FAMILIES)}`,
    },
    value: gaugeValue(n),
    description: `Metric ${n % FAMILIES} of the measure module.`,
    type: 'METRIC_TYPE_GAUGE' as const,
  }));
  const bytes = channelMethods.StreamMetrics.requestSerialize({metrics, timestamp: toTimestamp(Date.now())});
  const places = placesOf(bytes, series);
  let round = 0;
  return () => {
    const changed = Buffer.from(bytes);
    round++;
    for (let n = 0; n < series; n += 2) changed.writeDoubleLE(gaugeValue(n) + round, places[n] as number);
    return changed;
  };
}

const gaugeValue = (n: number): number => n * 1.5 + 0.25;

/** Where the values stand in a message. */
function placesOf(bytes: Buffer, series: number): readonly number[] {
  const written = Buffer.alloc(9, VALUE);
  let at = 0;
  return Array.from({length: series}, (_, n) => {
    written.writeDoubleLE(gaugeValue(n), 1);
    at = bytes.indexOf(written, at) + 1;
    return at;
  });
}

/** The node of the agent, and calls to ten others. */
export function simulatedTopology(pod: string): Buffer {
  const others = Array.from({length: 10}, (_, n) => `pod-${n}`);
  const nodes = [pod, ...others].map(name => ({
    metadata: {name},
    grpc_address: `${name}:17912`,
    roles: ['ROLE_DATA' as const],
    labels: name === pod ? {pod_name: pod} : {},
  }));
  const calls = others.map(target => ({id: `${pod}-${target}`, source: pod, target}));
  return channelMethods.StreamClusterTopology.requestSerialize({topology: {nodes, calls}});
}

import {
  channelMethods,
  type StreamClusterTopologyResponse,
  type Topology,
} from '../../plugins/diagnostics/proto/contract.js';
import {toTimestamp} from '../../plugins/diagnostics/proto/timestamp.js';
import type {DataStream} from './data-stream.js';

const {path, requestSerialize, responseDeserialize} = channelMethods.StreamClusterTopology;

/** Answers with the nodes and calls that are known now, also when there are none. */
export function topologyStream(topology: () => Topology): DataStream<StreamClusterTopologyResponse> {
  return {
    name: 'topology',
    path,
    decode: responseDeserialize,
    answer: ({request_topology}) =>
      request_topology ? requestSerialize({timestamp: toTimestamp(Date.now()), topology: topology()}) : undefined,
  };
}

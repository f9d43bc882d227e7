import {channelMethods, type StreamLifecycleResponse} from '../../plugins/diagnostics/proto/contract.js';
import {toTimestamp} from '../../plugins/diagnostics/proto/timestamp.js';
import type {LifecycleCollector} from '../lifecycle/lifecycle-collector.js';
import type {DataStream} from './data-stream.js';

const {path, requestSerialize, responseDeserialize} = channelMethods.StreamLifecycle;

/** Answers with groups and reports. Where they do not fit into a message, the largest report is left out. */
export function lifecycleStream(lifecycle: LifecycleCollector, podName: string): DataStream<StreamLifecycleResponse> {
  return {
    name: 'lifecycle',
    path,
    decode: responseDeserialize,
    answer: async ({request_lifecycle}, signal) => {
      if (!request_lifecycle) return undefined;
      const lifecycle_data = await lifecycle.data(signal);
      return requestSerialize({timestamp: toTimestamp(Date.now()), pod_name: podName, lifecycle_data});
    },
    shrink: () => lifecycle.dropLargest(),
  };
}

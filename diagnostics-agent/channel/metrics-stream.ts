import {GatewayError} from '../../core/api/errors.js';
import {channelMethods, type StreamMetricsResponse} from '../../plugins/diagnostics/proto/contract.js';
import {toMilliseconds} from '../../plugins/diagnostics/proto/timestamp.js';
import {metricsMessage} from '../recorder/metrics-message.js';
import type {Recorder} from '../recorder/recorder.js';
import {type DataStream, LARGEST_ANSWER} from './data-stream.js';

const {path, responseDeserialize} = channelMethods.StreamMetrics;

/** Answers with what the recorder has: without bounds the latest samples, with one or both those of the window. */
export function metricsStream(recorder: Recorder): DataStream<StreamMetricsResponse> {
  return {
    name: 'metrics',
    path,
    decode: responseDeserialize,
    kindOf: ({start_time, end_time}) => (start_time === null && end_time === null ? 'latest' : 'window'),
    answer: ({start_time, end_time}) => {
      const isWindow = start_time !== null || end_time !== null;
      const start = start_time === null ? Number.NEGATIVE_INFINITY : toMilliseconds(start_time);
      const end = end_time === null ? Number.POSITIVE_INFINITY : toMilliseconds(end_time);
      const rows = [...(isWindow ? recorder.window(start, end) : recorder.latest())];
      const message = metricsMessage(recorder.table, rows, {isWindow, now: Date.now()});
      if (message.size <= LARGEST_ANSWER) return message.write();
      throw new GatewayError('too_large', `the answer has ${message.size} bytes, at most ${LARGEST_ANSWER} are sent`);
    },
  };
}

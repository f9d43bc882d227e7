import type {CapabilityName, TimeWindow} from '../../../core/api/adapter.js';
import {otlp} from '../data/otlp-format.js';
import {compat, native} from '../data/trace-formats.js';
import type {DataSet} from '../options.js';
import {declarationQuestions} from './declarations.js';
import {metadataQuestions} from './metadata.js';
import {metricQuestions} from './metrics.js';
import type {Question} from './question.js';
import {topologyQuestions} from './topology.js';
import {traceQuestions} from './traces.js';

/** Everything that these capabilities can be asked about data, in which spans lie in `window`. */
export function questionsAbout(
  {metrics = [], spans = [], segments = [], otlpSpans = []}: DataSet,
  capabilities: readonly CapabilityName[],
  window: TimeWindow,
): Question[] {
  const has = (name: CapabilityName): boolean => capabilities.includes(name);
  return [
    ...(metrics.length > 0 ? declarationQuestions(metrics, capabilities) : []),
    ...(metrics.length > 0 && has('metrics.query.v1') ? metricQuestions(metrics) : []),
    ...(metrics.length > 0 && has('metadata.query.v1') ? metadataQuestions(metrics) : []),
    ...(metrics.length > 0 && has('topology.query.v1') ? topologyQuestions(metrics) : []),
    ...(spans.length > 0 && has('traces.compat.v1') ? traceQuestions(compat, spans.flat(), window) : []),
    ...(segments.length > 0 && has('traces.native.v2') ? traceQuestions(native, segments.flat(), window) : []),
    ...(otlpSpans.length > 0 && has('traces.otlp.v1') ? traceQuestions(otlp, otlpSpans.flat(), window) : []),
  ];
}

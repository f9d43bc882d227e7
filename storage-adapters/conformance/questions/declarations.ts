import type {CapabilityName, MetricBatch, MetricDefinition} from '../../../core/api/adapter.js';
import {call} from '../call.js';
import {comparable} from '../comparable.js';
import type {Question} from './question.js';

/** What the readers and the writer say was declared, of the metrics of these batches. */
export function declarationQuestions(
  batches: readonly MetricBatch[],
  capabilities: readonly CapabilityName[],
): readonly Question[] {
  const names = new Set(batches.flatMap(({metrics}) => metrics.map(({name}) => name)));
  const own = (metrics: readonly MetricDefinition[]) => comparable(metrics.filter(({name}) => names.has(name)));
  const catalog: Question = {
    about: 'catalog()',
    ask: async readers => own(await readers['metrics.query.v1'].catalog(call)),
  };
  const declared: Question = {
    about: 'declared()',
    ask: async readers => own(await readers['ingest.metrics.v1'].declared(call)),
  };
  return [
    ...(capabilities.includes('metrics.query.v1') ? [catalog] : []),
    ...(capabilities.includes('ingest.metrics.v1') ? [declared] : []),
  ];
}

import type {CompatSpan, OtlpSpan, Readers, Segment} from '../../../core/api/adapter.js';
import type {LayoutLimit} from '../options.js';
import {OracleHistoryWriter, OracleMetricExporter, OracleTraceExporter} from './export.js';
import {OracleMetadata} from './metadata.js';
import {OracleMetrics} from './metrics.js';
import {OracleOtlpTraces} from './otlp-traces.js';
import {OracleTopology} from './topology.js';
import {OracleCompatTraces, OracleNativeTraces} from './traces.js';

/**
 * The contract as code: a storage in memory that supplies every capability and answers by looking at everything. Slow, and
 * easy to see to be right. The kit compares adapters with it, and it passes the kit itself. Of the limits of a storage it knows
 * those that change answers beyond what is stored.
 */
export function createOracle(limits: readonly LayoutLimit[] = []): Required<Readers> {
  const metadata = new OracleMetadata();
  const metrics = new OracleMetrics(metadata, !limits.includes('hour-sums'));
  const compat = new OracleCompatTraces();
  const native = new OracleNativeTraces();
  const otlp = new OracleOtlpTraces();
  return {
    'metrics.query.v1': metrics,
    'metadata.query.v1': metadata,
    'topology.query.v1': new OracleTopology(metrics),
    'traces.compat.v1': compat,
    'traces.native.v2': native,
    'traces.otlp.v1': otlp,
    'ingest.metrics.v1': metrics,
    'ingest.compat.v1': compat,
    'ingest.native.v1': native,
    'ingest.otlp.v1': otlp,
    'ingest.history.v1': new OracleHistoryWriter(metrics),
    'export.metrics.v1': new OracleMetricExporter(metrics, metadata),
    'export.compat.v1': new OracleTraceExporter<CompatSpan>('compat', compat),
    'export.native.v1': new OracleTraceExporter<Segment>('native', native),
    'export.otlp.v1': new OracleTraceExporter<OtlpSpan>('otlp', otlp),
  };
}

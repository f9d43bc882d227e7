import {type Call, type Capabilities, GatewayError, type MetricWriter, type Readers} from '../../core/api/adapter.js';
import type {TeeComparer} from './compare/comparer.js';
import {TeeMetadataReader} from './metadata/reader.js';
import {TeeMetricReader} from './metrics/reader.js';
import {TeeTopologyReader} from './metrics/topology.js';
import type {TeeSecondary} from './secondary.js';
import {teeCompatKind} from './traces/compat-kind.js';
import {teeNativeKind} from './traces/native-kind.js';
import {teeOtlpKind} from './traces/otlp-kind.js';
import {TeeTraceReader} from './traces/reader.js';
import {type BatchKind, exportPages, fragmentBatches, metricBatches} from './writes/batches.js';
import {TeeWriter} from './writes/writer.js';
import type {TeeWrites} from './writes/writes.js';

/** What the tee can be asked is what its primary can be; exports cannot be compared, and are the primary's alone. */
export function queryReaders(primary: Readers, comparer: TeeComparer): Readers {
  const compat = 'traces.compat.v1';
  const native = 'traces.native.v2';
  const otlp = 'traces.otlp.v1';
  return {
    ...primary,
    ...(primary['metrics.query.v1'] && {'metrics.query.v1': new TeeMetricReader(comparer)}),
    ...(primary['metadata.query.v1'] && {'metadata.query.v1': new TeeMetadataReader(comparer)}),
    ...(primary['topology.query.v1'] && {'topology.query.v1': new TeeTopologyReader(comparer)}),
    ...(primary[compat] && {[compat]: new TeeTraceReader(comparer, compat, teeCompatKind, all => all[compat])}),
    ...(primary[native] && {[native]: new TeeTraceReader(comparer, native, teeNativeKind, all => all[native])}),
    ...(primary[otlp] && {[otlp]: new TeeTraceReader(comparer, otlp, teeOtlpKind, all => all[otlp])}),
  };
}

type WriterName = Extract<keyof Capabilities, `ingest.${string}`>;

interface AnyWriter<Batch> {
  write(batch: Batch, call: Call): Promise<void>;
}

/** Writers of both storages: those of the primary; where writes are required, those that the secondary has too. */
export function bothWriters(primary: Readers, secondary: TeeSecondary, writes: TeeWrites): Readers {
  const writer = <Batch>(
    name: WriterName,
    kind: BatchKind<Batch>,
    of: (readers: Readers) => AnyWriter<Batch> | undefined,
  ): TeeWriter<Batch> | undefined => {
    const own = of(primary);
    if (own === undefined || (writes.areRequired && secondary.readers?.[name] === undefined)) return undefined;
    const store = (batch: Batch, call: Call): Promise<void> =>
      writes.toSecondary(secondary.name, async () => {
        const readers = secondary.readers;
        if (readers === undefined) throw new GatewayError('storage_unavailable', 'it cannot be used yet');
        const target = of(readers);
        if (target === undefined) throw new GatewayError('unsupported_backend', `it does not supply ${name}`);
        await target.write(batch, call).catch(async (error: unknown) => {
          if (GatewayError.from(error).code !== 'bad_request') throw error;
          // What was declared before this tee began, or when a write was lost, is not declared there.
          await secondary.declare(primary, readers, call.signal);
          await target.write(batch, call);
        });
      });
    return new TeeWriter(own, store, kind, writes);
  };
  const metrics = writer('ingest.metrics.v1', metricBatches, all => all['ingest.metrics.v1']);
  return {
    'ingest.metrics.v1': metrics && withDeclared(metrics, primary['ingest.metrics.v1']),
    'ingest.history.v1': writer('ingest.history.v1', exportPages, all => all['ingest.history.v1']),
    'ingest.compat.v1': writer('ingest.compat.v1', fragmentBatches, all => all['ingest.compat.v1']),
    'ingest.native.v1': writer('ingest.native.v1', fragmentBatches, all => all['ingest.native.v1']),
    'ingest.otlp.v1': writer('ingest.otlp.v1', fragmentBatches, all => all['ingest.otlp.v1']),
  } as Readers;
}

function withDeclared(writer: Pick<MetricWriter, 'write'>, primary: MetricWriter | undefined): MetricWriter {
  return {
    declared: async call => (await primary?.declared(call)) ?? [],
    write: (batch, call) => writer.write(batch, call),
  };
}

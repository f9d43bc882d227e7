import type {BadRecord, IngestFormat} from '../../../core/api/ingest-format.js';
import type {Call, MetricBatch, MetricDefinition, MetricWriter, Readers} from '../../../core/api/plugin.js';
import {MetricRecords} from '../../../plugins/ingest/formats/metric-records/format.js';

const nothing = (): void => undefined;

export const CALL: Call = {
  signal: new AbortController().signal,
  log: {debug: nothing, info: nothing, warn: nothing, error: nothing},
};

export interface Decoded {
  /** Rows in their order: what each record became. */
  readonly samples: readonly unknown[];
  readonly batch: MetricBatch;
  readonly bad: readonly BadRecord[];
}

const EMPTY: MetricBatch = {
  metrics: [],
  sightings: [],
  samples: {series: [], index: new Uint32Array(), time: new Float64Array(), value: new Float64Array()},
  records: [],
};

/** Decodes a body that comes in these pieces, for a storage in which `declared` is declared. */
export async function decode(
  pieces: readonly (string | Uint8Array)[],
  declared: readonly MetricDefinition[] = [],
  format: IngestFormat = new MetricRecords(),
): Promise<Decoded> {
  let batch = EMPTY;
  const writer: MetricWriter = {
    declared: async () => declared,
    write: async written => {
      batch = written;
    },
  };
  const writers: Readers = {'ingest.metrics.v1': writer};
  const bad: BadRecord[] = [];
  const intake = await format.begin(writers, CALL);
  for (const piece of pieces) await intake.decode(Buffer.from(piece), each => bad.push(each));
  await intake.finish(each => bad.push(each));
  if (intake.pending > 0) await intake.write();
  return {samples: rows(batch), batch, bad};
}

function rows({samples}: MetricBatch): readonly unknown[] {
  return Array.from(samples.index, (number, i) => [samples.series[number], samples.time[i], samples.value[i]]);
}

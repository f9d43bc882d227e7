import type {
  AdapterContext,
  CapabilityName,
  CompatSpanWriter,
  CompatTraceReader,
  LogFields,
  MetadataReader,
  Meter,
  MetricReader,
  MetricWriter,
  NativeTraceReader,
  Readers,
  SegmentWriter,
  StorageAdapter,
} from '../../../core/api/adapter.js';
import {type BatchParts, batchOf} from './batches.js';
import {call} from './calls.js';

const quiet = {add() {}, set() {}, observe() {}};
export const quietMeter: Meter = {
  counter: () => ({with: () => quiet}),
  gauge: () => ({with: () => quiet}),
  histogram: () => ({with: () => quiet}),
};

/** A storage with what it supplies since its last start, and what it has logged: as information, and as warnings and errors. */
export class StorageHarness<Storage extends StorageAdapter = StorageAdapter> {
  readonly storage: Storage;
  readonly warnings: {readonly message: string; readonly fields: LogFields}[] = [];
  readonly infos: {readonly message: string; readonly fields: LogFields}[] = [];
  #readers: Readers = {};

  constructor(create: (context: Pick<AdapterContext, 'log' | 'meter'>) => Storage) {
    const note = (message: string, fields: LogFields = {}) => void this.warnings.push({message, fields});
    const info = (message: string, fields: LogFields = {}) => void this.infos.push({message, fields});
    this.storage = create({log: {debug() {}, info, warn: note, error: note}, meter: quietMeter});
  }

  async start(): Promise<void> {
    this.#readers = await this.storage.start(call.signal);
  }

  async restart(): Promise<void> {
    await this.storage.stop();
    await this.start();
  }

  get readers(): Readers {
    return this.#readers;
  }

  get<Name extends CapabilityName>(name: Name): Required<Readers>[Name] {
    const supplied = this.#readers[name];
    if (supplied === undefined) throw new Error(`The adapter supplies no ${name}.`);
    return supplied as Required<Readers>[Name];
  }

  get metrics(): MetricReader {
    return this.get('metrics.query.v1');
  }

  get metadata(): MetadataReader {
    return this.get('metadata.query.v1');
  }

  get writer(): MetricWriter {
    return this.get('ingest.metrics.v1');
  }

  get compat(): CompatTraceReader {
    return this.get('traces.compat.v1');
  }

  get native(): NativeTraceReader {
    return this.get('traces.native.v2');
  }

  get spans(): CompatSpanWriter {
    return this.get('ingest.compat.v1');
  }

  get segments(): SegmentWriter {
    return this.get('ingest.native.v1');
  }

  async write(parts: BatchParts): Promise<void> {
    await this.writer.write(batchOf(parts), call);
  }
}

import type {Call, IngestFormat, Intake, MetricWriter, OnBadRecord, Readers} from '../../../../core/api/plugin.js';
import {grantedWriter} from '../granted-writer.js';
import {Lines} from '../lines.js';
import {MetricRecordDecoder} from './decoder.js';
import {SeriesCache} from './series-cache.js';

/** A line that looks like a record, though perhaps a bad one. */
const RECORD_LINE = /^[\uFEFF \t]*\{.*"record"[ \t]*:/m;

/** Metric records: newline-delimited JSON, one object with the key `record` a line. */
export class MetricRecords implements IngestFormat {
  readonly name = 'metric records';
  readonly capability = 'ingest.metrics.v1';
  readonly routes = [{path: '/ingest/v1/metrics', status: 202}];
  readonly endings = ['.ndjson'];
  readonly #cache = new SeriesCache();

  recognises(head: Uint8Array): boolean {
    return RECORD_LINE.test(Buffer.from(head).toString());
  }

  async begin(writers: Readers, call: Call): Promise<Intake> {
    const writer = grantedWriter(writers, this.capability, this.name);
    return new MetricIntake(writer, new MetricRecordDecoder(this.#cache, await writer.declared(call)), call);
  }
}

class MetricIntake implements Intake {
  readonly #writer: MetricWriter;
  readonly #decoder: MetricRecordDecoder;
  readonly #call: Call;
  readonly #lines: Lines;
  #index = 0;
  #onBad: OnBadRecord = () => undefined;

  constructor(writer: MetricWriter, decoder: MetricRecordDecoder, call: Call) {
    this.#writer = writer;
    this.#decoder = decoder;
    this.#call = call;
    this.#lines = new Lines(
      {
        line: (text, number) => this.#take(decoder.add(text), number),
        unreadable: (reason, number) => this.#take(reason, number),
      },
      call,
    );
  }

  /** What is too long is refused: a record is one value. */
  readonly cut = 0;

  get pending(): number {
    return this.#decoder.size;
  }

  async decode(bytes: Uint8Array, onBad: OnBadRecord): Promise<void> {
    this.#onBad = onBad;
    await this.#lines.push(bytes);
  }

  async finish(onBad: OnBadRecord): Promise<void> {
    this.#onBad = onBad;
    this.#lines.end();
  }

  write(): Promise<void> {
    return this.#writer.write(this.#decoder.take(), this.#call);
  }

  #take(problem: string | undefined, line: number): void {
    const index = this.#index++;
    if (problem !== undefined) this.#onBad({index, line, reason: problem});
  }
}

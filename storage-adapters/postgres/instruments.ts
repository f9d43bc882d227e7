import type {Counter, Logger, Meter} from '../../core/api/adapter.js';

/** What the adapter counts beside what the gateway counts of every call. */
export class PostgresInstruments {
  readonly #log: Logger;
  readonly #dropped: Counter;
  readonly #droppedSpans: Counter;
  readonly #partitions: Counter;

  constructor(meter: Meter, log: Logger) {
    this.#log = log;
    this.#dropped = meter
      .counter(
        'query_gateway_storage_dropped_samples_total',
        'Samples that came later than the retention of minute values and were dropped.',
      )
      .with({});
    this.#droppedSpans = meter
      .counter('query_gateway_storage_dropped_spans_total', 'Spans that came after the retention of their trace.')
      .with({});
    this.#partitions = meter
      .counter('query_gateway_storage_dropped_partitions_total', 'Partitions that retention has dropped.')
      .with({});
  }

  dropped(samples: number): void {
    if (samples === 0) return;
    this.#dropped.add(samples);
    this.#log.warn('samples older than the retention of minute values were dropped', {samples});
  }

  droppedSpans(spans: number): void {
    if (spans === 0) return;
    this.#droppedSpans.add(spans);
    this.#log.warn('spans older than the retention of traces were dropped', {spans});
  }

  droppedPartition({name, bytes}: {readonly name: string; readonly bytes: number}): void {
    this.#partitions.add();
    this.#log.info('a partition has expired and was dropped', {partition: name, bytes});
  }
}

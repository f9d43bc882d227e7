import type {Counter, Gauge, Histogram, Labelled, Meter} from '../../core/api/adapter.js';

/** The adapter's own metrics. `kind` is `read`, `insert` or `execute`. */
export class ClickHouseInstruments {
  readonly statementSeconds: Labelled<Histogram>;
  readonly statementErrors: Labelled<Counter>;
  readonly queued: Labelled<Gauge>;
  readonly insertedRows: Labelled<Counter>;
  readonly shortWrites: Counter;
  readonly droppedSamples: Counter;
  readonly droppedSpans: Counter;
  readonly removedRows: Labelled<Counter>;

  constructor(meter: Meter) {
    const name = (rest: string) => `query_gateway_storage_${rest}`;
    this.statementSeconds = meter.histogram(name('statement_seconds'), 'Time of a statement, with tries.', ['kind']);
    this.statementErrors = meter.counter(name('statement_errors_total'), 'Statements that failed, each try.', ['kind']);
    this.queued = meter.gauge(name('queued_batches'), 'Batches that wait for the insert before them.', ['writer']);
    this.insertedRows = meter.counter(name('inserted_rows_total'), 'Rows that were stored.', ['table']);
    this.shortWrites = meter
      .counter(name('short_writes_total'), 'Inserts that were acknowledged without a replica that is dead or behind.')
      .with({});
    this.droppedSamples = meter
      .counter(name('dropped_samples_total'), 'Samples that came after the retention of their minute.')
      .with({});
    this.removedRows = meter.counter(name('removed_rows_total'), 'Rows that retention has removed.', ['table']);
    this.droppedSpans = meter
      .counter(name('dropped_spans_total'), 'Spans that came after the retention of traces.')
      .with({});
  }
}

import type {Meter} from '../../core/api/adapter.js';

/** The adapter's own metrics. */
export class EmbeddedInstruments {
  readonly headBytes;
  readonly queuedSamples;
  readonly queuedFragments;
  readonly fileBytes;
  readonly freeBytes;
  readonly diskBytes;
  readonly diskFreeBytes;
  readonly compactionSeconds;
  readonly compactions;
  readonly compactionLag;
  readonly mergeSeconds;
  readonly packSeconds;
  readonly droppedSamples;
  readonly droppedSpans;
  readonly commitSeconds;
  readonly removed;

  constructor(meter: Meter) {
    const gauge = (name: string, help: string) => meter.gauge(`query_gateway_storage_${name}`, help).with({});
    const counter = (name: string, help: string) => meter.counter(`query_gateway_storage_${name}`, help).with({});
    this.headBytes = gauge('head_bytes', 'Memory that holds the latest hours.');
    this.queuedSamples = gauge('queued_samples', 'Samples and records that wait to be written.');
    this.queuedFragments = gauge('queued_units', 'Spans and segments that wait to be written.');
    this.fileBytes = gauge('file_bytes', 'Size of the database file.');
    this.freeBytes = gauge('free_bytes', 'Space within the database file that waits for new data.');
    this.diskBytes = gauge('disk_bytes', 'Size of the file system that the database is on.');
    this.diskFreeBytes = gauge('disk_free_bytes', 'What is left of the file system that the database is on.');
    this.compactionSeconds = counter('fold_seconds_total', 'Time spent on compacting closed hours.');
    this.compactions = counter('folds_total', 'How often a closed hour of a metric was compacted.');
    this.compactionLag = gauge('fold_lag_seconds', 'How long the compaction that waits longest has been due.');
    this.mergeSeconds = counter('merge_seconds_total', 'Time spent on merging the index of traces.');
    this.packSeconds = counter('pack_seconds_total', 'Time spent on compressing quiet traces.');
    this.droppedSamples = counter('dropped_samples_total', 'Samples that came after the retention of their minute.');
    this.droppedSpans = counter('dropped_spans_total', 'Spans that came after the retention of their trace.');
    this.removed = meter.counter(
      'query_gateway_storage_removed_total',
      'What retention has removed: hours of minute values and days of hour and day values, each of one series; records; traces.',
      ['kind'],
    );
    this.commitSeconds = meter
      .histogram('query_gateway_storage_commit_seconds', 'Time of a commit, which concurrent batches share.')
      .with({});
  }
}

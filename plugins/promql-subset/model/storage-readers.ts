import type {MetadataReader, MetricReader} from '../../../core/api/plugin.js';

/** What the plugin reads from. */
export interface StorageReaders {
  readonly metrics: MetricReader;
  readonly metadata: MetadataReader;
}

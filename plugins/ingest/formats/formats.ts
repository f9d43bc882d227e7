import type {IngestFormat} from './format.js';
import {MetricRecords} from './metric-records/format.js';

/** Every format, in the order in which they are tried on first bytes. */
export function ingestFormats(): readonly IngestFormat[] {
  return [new MetricRecords()];
}

import {CompatSpans} from './compat-spans/format.js';
import type {IngestFormat} from './format.js';
import {MetricRecords} from './metric-records/format.js';
import {NativeSegments} from './native-segments/format.js';

/** Every format, in the order in which they are tried on first bytes. */
export function ingestFormats(): readonly IngestFormat[] {
  return [new NativeSegments(), new CompatSpans(), new MetricRecords()];
}

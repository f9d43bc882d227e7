import type {IngestFormat, IngestLimits} from '../../../core/api/plugin.js';
import {CompatSpans} from './compat-spans/format.js';
import {MetricRecords} from './metric-records/format.js';
import {NativeSegments} from './native-segments/format.js';

/** Every format, in the order in which they are tried on first bytes. */
export function ingestFormats(limits: IngestLimits): readonly IngestFormat[] {
  return [new NativeSegments(limits), new CompatSpans(limits), new MetricRecords()];
}

import {type BucketWindow, STEP_SECONDS} from '../../../core/api/adapter.js';
import type {SeriesWindow} from '../threads/reader-protocol.js';
import type {MetricRecord, SeriesRecord} from './metric-records.js';

/** The order in which the reading threads want series. */
export function ascending(series: readonly SeriesRecord[]): readonly SeriesRecord[] {
  return [...series].sort((a, b) => a.id - b.id);
}

/** What the reading threads are asked for: series of a metric, which ascend, over a window. */
export function seriesWindow(
  metric: MetricRecord,
  series: readonly SeriesRecord[],
  {step, first, count}: BucketWindow,
): SeriesWindow {
  return {
    metric: metric.id,
    series: Int32Array.from(series, ({id}) => id),
    rollups: metric.rollups,
    step,
    first: Math.floor(first / STEP_SECONDS[step]),
    count,
  };
}

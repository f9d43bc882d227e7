import {LATEST_TIME, type Samples} from '../../../core/api/adapter.js';
import {MINUTES_PER_DAY, SECONDS_PER_MINUTE} from '../../../core/toolkit/time.js';

/** No decoder passes a later one; times are kept as 32-bit minutes, and the database would refuse one that does not fit. */
export const LAST_MINUTE = Math.floor(LATEST_TIME / SECONDS_PER_MINUTE);

/** Samples of one UTC day in the order of their key, each key once. */
export interface DaySamples {
  /** In days from the epoch. */
  readonly day: number;
  readonly series: Int32Array;
  readonly minute: Int32Array;
  readonly value: Float64Array;
}

/**
 * Arranges the samples from `from` to `to` by day, series and minute. Of the same series and minute the later one stays.
 * `series` has the id of each series of the batch.
 */
export function arrange(samples: Samples, series: Int32Array, from: number, to: number): DaySamples[] {
  const order = new Uint32Array(to - from);
  const ids = new Int32Array(to - from);
  const minutes = new Int32Array(to - from);
  for (let i = from; i < to; i++) {
    order[i - from] = i - from;
    ids[i - from] = series[samples.index[i] ?? 0] ?? 0;
    minutes[i - from] = Math.floor((samples.time[i] ?? 0) / SECONDS_PER_MINUTE);
  }
  const dayOf = (i: number): number => Math.floor((minutes[i] ?? 0) / MINUTES_PER_DAY);
  order.sort(
    (a, b) => dayOf(a) - dayOf(b) || (ids[a] ?? 0) - (ids[b] ?? 0) || (minutes[a] ?? 0) - (minutes[b] ?? 0) || a - b,
  );
  const kept = order.filter((i, at) => {
    const next = order[at + 1];
    return next === undefined || ids[next] !== ids[i] || minutes[next] !== minutes[i];
  });

  const days: DaySamples[] = [];
  for (let begin = 0, end = 0; begin < kept.length; begin = end) {
    const day = dayOf(kept[begin] ?? 0);
    while (end < kept.length && dayOf(kept[end] ?? 0) === day) end++;
    const part = kept.subarray(begin, end);
    days.push({
      day,
      series: Int32Array.from(part, i => ids[i] ?? 0),
      minute: Int32Array.from(part, i => minutes[i] ?? 0),
      // Adding zero makes -0 plain, so that every backend says the same.
      value: Float64Array.from(part, i => (samples.value[from + i] ?? 0) + 0),
    });
  }
  return days;
}

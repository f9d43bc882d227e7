import type {Zone} from '../layout/zone.js';
import type {SearchedSpan} from './trace-kind.js';

const HOUR = 3_600_000_000;
const DAY = 24 * HOUR;

/**
 * Whether a trace may have spans that did not come with the others. The server keeps data by days, from one midnight of
 * its node to the next, and gives of a trace only the rows of the days asked for. Where a trace comes near a midnight, of
 * UTC or of the configured zone, the next days may have more of it.
 */
export function isNearEdge(spans: readonly SearchedSpan[], zone: Zone): boolean {
  let first = Number.POSITIVE_INFINITY;
  let last = Number.NEGATIVE_INFINITY;
  for (const {start, end} of spans) {
    if (start === undefined) continue;
    first = Math.min(first, start);
    last = Math.max(last, end ?? start);
  }
  const margin = Math.max(HOUR, last - first);
  const begin = first - margin;
  const end = last + margin;
  const dayOf = (time: number): number => zone.utcDay(Math.floor(time / 1_000_000));
  return Math.floor(begin / DAY) !== Math.floor(end / DAY) || dayOf(begin) !== dayOf(end);
}

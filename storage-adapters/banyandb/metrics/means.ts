import type {BucketWindow} from '../../../core/api/adapter.js';
import {BucketMean} from '../../../core/toolkit/exact-mean.js';
import {nearestQuotient} from '../../../core/toolkit/rational.js';
import {MS_PER_SECOND} from '../../../core/toolkit/time.js';
import {BanyanDBMeasures, type RowsQuery} from '../client/measures.js';
import {tooMuch} from '../client/whole-answer.js';
import type {TimeZone} from '../schema/time-zone.js';
import {endOf, slotOf, spanOf} from './bucket-times.js';
import {newestRows, numberOf} from './columns.js';
import {RowBudget, scanRows} from './row-scan.js';

export interface MeansRequest {
  readonly query: Omit<RowsQuery, 'span' | 'limit'>;
  readonly window: BucketWindow;
  readonly zone: TimeZone;
  readonly maxEntities: number;
  readonly maxRows: number;
}

/** An OAP has written a bucket for the last time so many seconds after its end. */
const SETTLED_AFTER = 180;
const TRIES = 3;

/**
 * The mean of the rows of each entity in a window. The server makes sums and counts exactly; its own mean is cut to whole
 * numbers of at least 1, so that is not used. Doubles are bytes to it, of which it makes nothing: those are read by rows, as
 * are metrics with rows that hold nothing yet.
 */
export async function meansOf(
  measures: BanyanDBMeasures,
  request: MeansRequest,
  isInteger: boolean,
  signal: AbortSignal,
): Promise<ReadonlyMap<string, number>> {
  const means = isInteger ? await byAggregates(measures, request, signal) : undefined;
  return means ?? byRows(measures, request, signal);
}

/**
 * Sums and counts come in two answers, between which rows may have been added. In a window that is settled they are of
 * the same rows; in another the counts before and after the sums show whether they are. Undefined where they never are.
 */
async function byAggregates(
  measures: BanyanDBMeasures,
  {query, window, zone, maxEntities}: MeansRequest,
  signal: AbortSignal,
): Promise<ReadonlyMap<string, number> | undefined> {
  const span = spanOf(window, zone);
  const ask = async (by: 'COUNT' | 'SUM' | 'MAX'): Promise<ReadonlyMap<string, string>> => {
    const full = {...query, span, limit: maxEntities};
    const found = await measures.grouped(full, `AGGREGATION_FUNCTION_${by}`, signal);
    if (found.size >= maxEntities) throw tooMuch(`entities of ${query.schema.name}`, maxEntities, 'maxEntities');
    return found;
  };
  if (BanyanDBMeasures.mayHoldNothing(query.schema)) {
    // Beyond 63 bits a sum starts anew without a word.
    const maxima = await ask('MAX');
    if ([...maxima.values()].some(BanyanDBMeasures.holdsNothing)) return undefined;
  }
  const isSettled = endOf(window) + SETTLED_AFTER < Date.now() / MS_PER_SECOND;
  if (isSettled) {
    const [counts, sums] = await Promise.all([ask('COUNT'), ask('SUM')]);
    if (counts.size === sums.size) return quotients(sums, counts);
  }
  let before = await ask('COUNT');
  for (let tries = 0; tries < TRIES; tries++) {
    const sums = await ask('SUM');
    const after = await ask('COUNT');
    if (areEqual(before, after)) return quotients(sums, after);
    before = after;
  }
  return undefined;
}

function areEqual(a: ReadonlyMap<string, string>, b: ReadonlyMap<string, string>): boolean {
  return a.size === b.size && [...a].every(([id, count]) => b.get(id) === count);
}

function quotients(
  sums: ReadonlyMap<string, string>,
  counts: ReadonlyMap<string, string>,
): ReadonlyMap<string, number> {
  const means = new Map<string, number>();
  for (const [id, sum] of sums) {
    const count = Number(counts.get(id) ?? 0);
    if (count > 0) means.set(id, nearestQuotient(BigInt(sum), BigInt(count)));
  }
  return means;
}

async function byRows(
  measures: BanyanDBMeasures,
  {query, window, zone, maxRows}: MeansRequest,
  signal: AbortSignal,
): Promise<ReadonlyMap<string, number>> {
  const means = new Map<string, BucketMean>();
  for await (const rows of scanRows(measures, query, window, zone, new RowBudget(maxRows), signal)) {
    for (const {time, tags, value} of newestRows(rows, row => `${row.tags.get('entity_id')} ${row.time}`)) {
      const number = numberOf(value);
      if (number === undefined || slotOf(time, window, zone) === undefined) continue;
      const id = tags.get('entity_id') ?? '';
      const mean = means.get(id) ?? new BucketMean();
      means.set(id, mean);
      mean.add(number, 1);
    }
  }
  return new Map([...means].map(([id, mean]) => [id, mean.finish()]));
}

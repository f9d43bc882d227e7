import {type BucketWindow, entityOf, type Ranked, type RankingRequest} from '../../../core/api/adapter.js';
import {CONTENDERS, type Contender, ranked} from '../../../core/toolkit/contenders.js';
import {BucketMean} from '../../../core/toolkit/exact-mean.js';
import {ExactSum} from '../../../core/toolkit/exact-sum.js';
import type {ClickHouseClient} from '../client/client.js';
import {joined, type Sql, sql} from '../client/sql.js';
import {buckets, meanOfMinutes, rangeOf, type SeriesSelection} from './buckets.js';
import {entityConditions, LAST_EDGE} from './entity-conditions.js';

type Wanted = Omit<SeriesSelection, 'read'>;

/** What an entity is ranked by: of each of its buckets the terms of the sum, and what that is divided by. */
interface Terms {
  readonly terms: readonly (readonly number[])[];
  readonly divisors: readonly number[];
}

/**
 * The entities of a selection by their means. The selection tells series apart by entity. The server ranks them by means
 * that it has rounded and hands over the best with what makes their means exact; when that leaves open who is among the
 * first, it is asked for more.
 */
export async function readRanking(
  client: ClickHouseClient,
  selection: Wanted,
  request: RankingRequest,
  signal: AbortSignal,
): Promise<readonly Ranked[]> {
  let read: SeriesSelection['read'] = 'once';
  for (let most = request.limit + CONTENDERS.margin; ; ) {
    const rows = await client.rows(
      contendersOf({...selection, read}, request, most),
      row => {
        const isSuspect = row.uint8() === 1;
        const entity = entityOf(selection.metric.scope, [request.layer, row.string(), row.string()]);
        const optimistic = row.float64();
        const terms = row.list(() => row.float64s());
        return {isSuspect, entity, optimistic, terms, divisors: row.float64s()};
      },
      signal,
    );
    if (rows.some(({isSuspect}) => isSuspect)) {
      if (read === 'latest') throw new Error('BUG: the latest minutes were read, and some are still there twice');
      read = 'latest';
      continue;
    }
    const found = rows.map(
      (row): Contender => ({entity: row.entity, optimistic: row.optimistic, value: meanOf(row, request.window)}),
    );
    const first = ranked(found, request, rows.length < most);
    if (first !== undefined) return first;
    most *= CONTENDERS.growth;
  }
}

/** Those that cannot be relied on come first, so that they are not cut off. */
function contendersOf(selection: SeriesSelection, request: RankingRequest, most: number): Sql {
  const {layer, parentService, order, window} = request;
  const of = parentService === undefined ? {layer} : {layer, service: parentService};
  const conditions = [...entityConditions(selection.metric.scope, of), LAST_EDGE];
  const named = sql`SELECT id, service, name FROM entities WHERE ${joined(conditions, ' AND ')}`;
  const range = rangeOf(window);
  const {from, suspect, terms, divisor} =
    window.step === 'minute' ? meanOfMinutes(selection, range) : buckets(selection, window.step, range, {});
  const valued = sql`SELECT entity, ${suspect} AS suspect, ${terms} AS terms, ${divisor} AS divisor FROM (${from})`;
  const middle = sql`avg(arraySum(terms) / divisor)`;
  const extent = sql`avg(arraySum(term -> abs(term), terms) / divisor)`;
  // More than what rounding can have taken from the mean, whatever the order in which it was added up.
  const error = sql`(${extent} * (count() + max(length(terms)) + 16) / 1125899906842624 + 1e-300)`;
  const [direction, optimistic] =
    order === 'ASC'
      ? [sql`ASC`, sql`if(isFinite(${extent}), ${middle} - ${error}, -inf)`]
      : [sql`DESC`, sql`if(isFinite(${extent}), ${middle} + ${error}, inf)`];
  const means = sql`SELECT entity AS id, max(suspect) AS unsure, ${optimistic} AS optimistic, groupArray(terms) AS lists, groupArray(divisor) AS divisors FROM (${valued}) GROUP BY entity`;
  return sql`SELECT toUInt8(1), unsure, service, name, optimistic, lists, divisors FROM (${means}) AS means
    GLOBAL ANY INNER JOIN (${named}) AS named USING id
    ORDER BY unsure DESC, optimistic ${direction} LIMIT ${most}`;
}

const sum = new ExactSum();

function meanOf({terms, divisors}: Terms, {step}: BucketWindow): number {
  const mean = new BucketMean();
  for (const [i, list] of terms.entries()) {
    const divisor = divisors[i] ?? 1;
    if (step === 'minute') {
      mean.addTerms(list, divisor);
      continue;
    }
    sum.reset();
    for (const term of list) sum.add(term);
    mean.addBucket(sum, divisor);
  }
  return mean.finish();
}

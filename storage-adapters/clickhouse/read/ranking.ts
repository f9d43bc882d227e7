import type {BucketWindow, Ranked, RankingRequest} from '../../../core/api/adapter.js';
import {entityOf} from '../catalog/ids.js';
import type {ClickHouseClient} from '../http/client.js';
import {joined, type Sql, sql} from '../sql/sql.js';
import {days, hours, meanOfMinutes, rangeOf, type Selection} from './buckets.js';
import {entityConditions, LAST_EDGE} from './entity-conditions.js';

/** The entities of a selection by their means. The selection tells series apart by entity. */
export async function readRanking(
  client: ClickHouseClient,
  selection: Omit<Selection, 'read'>,
  {layer, parentService, order, limit}: RankingRequest,
  window: BucketWindow,
  signal: AbortSignal,
): Promise<readonly Ranked[]> {
  const {scope} = selection.metric;
  const of = parentService === undefined ? {layer} : {layer, service: parentService};
  const named = sql`SELECT id, service, name FROM entities WHERE ${joined([...entityConditions(scope, of), LAST_EDGE], ' AND ')}`;
  const direction = order === 'ASC' ? sql`ASC` : sql`DESC`;
  for (const read of ['once', 'latest'] as const) {
    const means = meansOf({...selection, read}, window);
    // Those that cannot be relied on come first, so that they are not cut off.
    const ranked = await client.rows(
      sql`SELECT toUInt8(1), suspect, service, name, mean FROM (SELECT entity AS id, mean, suspect FROM (${means})) AS ranked
        GLOBAL ANY INNER JOIN (${named}) AS named USING id
        ORDER BY suspect DESC, mean ${direction}, service ASC, name ASC LIMIT ${limit}`,
      row => ({
        isSuspect: row.uint8() === 1,
        entity: entityOf(scope, [layer, row.string(), row.string()]),
        value: row.float64(),
      }),
      signal,
    );
    if (!ranked.some(({isSuspect}) => isSuspect)) return ranked.map(({entity, value}) => ({entity, value}));
  }
  throw new Error('BUG: the latest minutes were read, and some are still there twice.');
}

/** For each entity the mean of its buckets in a window that have a value. */
function meansOf(selection: Selection, window: BucketWindow): Sql {
  const range = rangeOf(window);
  switch (window.step) {
    case 'minute':
      return meanOfMinutes(selection, range);
    case 'hour':
      return sql`SELECT entity, sum(cell) / count() AS mean, max(doubled) AS suspect FROM (${hours(selection, range)}) GROUP BY entity`;
    case 'day':
      return sql`SELECT entity, sum(outcome) / count() AS mean, max(unsure) AS suspect FROM (${days(selection, range)}) GROUP BY entity`;
  }
}

import type {Ranked, RankingRequest} from '../../../core/api/adapter.js';
import {CONTENDERS, ranked} from '../../../core/toolkit/contenders.js';
import {BucketMean} from '../../../core/toolkit/exact-mean.js';
import {ExactSum} from '../../../core/toolkit/exact-sum.js';
import type {PostgresDatabase} from '../client/database.js';
import {PostgresParameters, parseNumbers} from '../client/sql.js';
import {decodedEntity} from '../schema/keys.js';
import {bucketSource} from './buckets.js';
import type {KnownMetric} from './catalog.js';

type Row = [names: string, optimistic: number, terms: string, numbers: string];

/**
 * The series that the conditions let pass, on the entities `e` and series `s`, by their means. The server ranks them by
 * means that it has rounded, and reads the buckets of the best; when that leaves open who is among the first, it is asked
 * for more.
 */
export async function readRanking(
  database: PostgresDatabase,
  metric: KnownMetric,
  request: RankingRequest,
  conditions: readonly string[],
  {values: given}: PostgresParameters,
  signal: AbortSignal,
): Promise<readonly Ranked[]> {
  const {scope} = metric.definition;
  for (let most = request.limit + CONTENDERS.margin; ; most *= CONTENDERS.growth) {
    const parameters = new PostgresParameters(given);
    const text = contenders(metric, request, conditions, most, parameters);
    const rows = await database.query<Row>(text, parameters.values, signal);
    const found = rows.map(([names, optimistic, terms, numbers]) => ({
      entity: decodedEntity(scope, JSON.parse(names) as string[]),
      optimistic,
      value: terms === '' ? meanOfMinutes(numbers) : meanOfBuckets(terms, numbers),
    }));
    const first = ranked(found, request, rows.length < most);
    if (first !== undefined) return first;
  }
}

function contenders(
  metric: KnownMetric,
  {order, window}: RankingRequest,
  conditions: readonly string[],
  most: number,
  parameters: PostgresParameters,
): string {
  const source = bucketSource(metric, window, parameters);
  const isMinute = window.step === 'minute';
  const [rounded, size, terms, numbers] = isMinute
    ? ['value', 'abs(value)', "''", 'array_agg(value)::text']
    : ['rounded', 'size', 'json_agg(terms)::text', 'array_agg(divisor)::text'];
  const unsure = isMinute ? 'false' : 'cardinality(terms) > 5';
  // Of what the server would refuse to calculate with, the largest has no bound and the smallest is within the bound.
  const [sign, direction] = order === 'DES' ? ['+', 'DESC'] : ['-', 'ASC'];
  return `SELECT to_json(names)::text, optimistic, r.terms, r.numbers FROM (
      SELECT s.id, e.names, m.optimistic
      FROM series s JOIN entities e ON e.id = s.entity CROSS JOIN LATERAL (
        SELECT CASE WHEN bool_or(${size} > 1e290 OR ${unsure}) THEN '${sign}Infinity' ELSE
            sum(CASE WHEN ${size} BETWEEN 1e-290 AND 1e290 THEN ${rounded} ELSE 0 END) / count(*)
            ${sign} (sum(CASE WHEN ${size} BETWEEN 1e-290 AND 1e290 THEN ${size} ELSE 0 END) * (1 + 16 / count(*)::float8) / 1125899906842624 + 1e-280)
          END AS optimistic, count(*) AS buckets
        FROM ${source} b) m
      WHERE ${conditions.join(' AND ')} AND m.buckets > 0
      ORDER BY optimistic ${direction} LIMIT ${parameters.add(most, 'bigint')}
    ) s CROSS JOIN LATERAL (SELECT ${terms} AS terms, ${numbers} AS numbers FROM ${source} b) r`;
}

function meanOfMinutes(numbers: string): number {
  const mean = new BucketMean();
  for (const value of parseNumbers(numbers)) mean.add(value, 1);
  return mean.finish();
}

function meanOfBuckets(terms: string, divisors: string): number {
  const lists = JSON.parse(terms) as readonly (readonly number[])[];
  const mean = new BucketMean();
  const sum = new ExactSum();
  for (const [i, divisor] of parseNumbers(divisors).entries()) {
    sum.reset();
    for (const term of lists[i] ?? []) sum.add(term);
    mean.addBucket(sum, divisor);
  }
  return mean.finish();
}

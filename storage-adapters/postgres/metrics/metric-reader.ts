import {
  type BucketWindow,
  type Call,
  type Column,
  ENTITY_KEYS,
  type MetricDefinition,
  type MetricReader,
  type Ranked,
  type RankingRequest,
  type SampledRecord,
  type SampledRecordsRequest,
  STEP_SECONDS,
  type ValueLabels,
  type ValueLabelsRequest,
  type ValuesRequest,
} from '../../../core/api/adapter.js';
import type {Database} from '../client/database.js';
import {Parameters, parseNumbers} from '../client/sql.js';
import {decodeText, encodeText} from '../text.js';
import type {Catalog, KnownMetric} from './catalog.js';
import {entityFrom, entityKey, layerKey, namesOf} from './keys.js';
import {valueExpression} from './rollup.js';

/** 32-bit integers are what buckets are stored as. */
const LAST_BUCKET = 2_147_483_647;
const TABLES = {minute: 'minutes', hour: 'hours', day: 'days'} as const;

/** Each read is one statement, which goes from the entities over their series to the buckets by indexes alone. */
export class PostgresMetricReader implements MetricReader {
  readonly #database: Database;
  readonly #catalog: Catalog;

  constructor(database: Database, catalog: Catalog) {
    this.#database = database;
    this.#catalog = catalog;
  }

  async catalog(call: Call): Promise<readonly MetricDefinition[]> {
    return (await this.#catalog.current(call.signal)).definitions;
  }

  async values({metric, entity, valueFilters, window}: ValuesRequest, {signal}: Call): Promise<readonly Column[]> {
    const known = await this.#known(metric, signal);
    if (known === undefined) return [];
    const {scope, valueLabels} = known.definition;
    const parameters = new Parameters();
    const conditions = [
      `e.key = ${parameters.add(entityKey(scope, namesOf(scope, entity)), 'uuid')}`,
      `s.metric = ${parameters.add(known.id, 'int')}`,
    ];
    for (const [label, values] of valueFilters) {
      const position = valueLabels.indexOf(label) + 1;
      if (position === 0 || values.length === 0) return [];
      conditions.push(`s.labels[${position}] = ANY(${parameters.add(values.map(encodeText), 'text[]')})`);
    }
    const rows = await this.#database.query<[string, string, string]>(
      `SELECT to_json(s.labels)::text, array_agg(b.bucket)::text, array_agg(b.value)::text
       FROM entities e JOIN series s ON s.entity = e.id ${bucketsOf(known, window, parameters)}
       WHERE ${conditions.join(' AND ')} GROUP BY s.id`,
      parameters.values,
      signal,
    );
    return rows.map(([labels, buckets, values]) => ({
      labels: labelsFrom(valueLabels, labels),
      ...columnOf(window, parseNumbers(buckets), parseNumbers(values)),
    }));
  }

  async ranking(request: RankingRequest, {signal}: Call): Promise<readonly Ranked[]> {
    const {metric, layer, parentService, order, limit, window} = request;
    const known = await this.#known(metric, signal);
    if (known === undefined) return [];
    const {scope} = known.definition;
    const parameters = new Parameters();
    const conditions = [`s.metric = ${parameters.add(known.id, 'int')}`];
    if (parentService !== undefined) {
      const service = parameters.add(entityKey('Service', [layer, parentService]), 'uuid');
      conditions.push(`e.${scope === 'Service' ? 'key' : 'parent'} = ${service}`);
    } else if (scope === 'Service') {
      conditions.push(`e.parent = ${parameters.add(layerKey(layer), 'uuid')}`);
    } else {
      conditions.push(`e.names[1] = ${parameters.add(encodeText(layer), 'text')}`);
    }
    const rows = await this.#database.query<[string, number]>(
      `SELECT to_json(names)::text, mean FROM (
         SELECT e.names, (SELECT sum(value) / count(*) FROM ${bucketSource(known, window, parameters)} b) AS mean
         FROM series s JOIN entities e ON e.id = s.entity
         WHERE ${conditions.join(' AND ')}
       ) ranked
       WHERE mean IS NOT NULL
       ORDER BY mean ${order === 'DES' ? 'DESC' : 'ASC'}, names[2], names[3]
       LIMIT ${parameters.add(limit, 'bigint')}`,
      parameters.values,
      signal,
    );
    return rows.map(([names, value]) => ({entity: entityFrom(scope, JSON.parse(names) as string[]), value}));
  }

  async sampledRecords(request: SampledRecordsRequest, {signal}: Call): Promise<readonly SampledRecord[]> {
    const {metric, layer, parentService, order, limit, window} = request;
    const known = await this.#known(metric, signal);
    if (known === undefined) return [];
    const rows = await this.#database.query<[string, string, number, number, string | null]>(
      `SELECT to_json(e.names)::text, content, bucket::float8, value, trace
       FROM (
         SELECT * FROM records
         WHERE metric = $1 AND service = $2 AND bucket >= $3 AND bucket < $4
         ORDER BY value ${order === 'DES' ? 'DESC' : 'ASC'}, content, bucket, coalesce(trace, '') LIMIT $5
       ) r JOIN entities e ON e.id = r.entity
       ORDER BY value ${order === 'DES' ? 'DESC' : 'ASC'}, content, bucket, coalesce(trace, '')`,
      [
        known.id,
        entityKey('Service', [layer, parentService]),
        window.first,
        window.first + window.count * STEP_SECONDS[window.step],
        limit,
      ],
      signal,
    );
    return rows.map(([names, content, time, value, trace]) => ({
      entity: entityFrom(known.definition.scope, JSON.parse(names) as string[]),
      content: decodeText(content),
      time,
      value,
      ...(trace === null ? {} : {traceId: decodeText(trace)}),
    }));
  }

  async valueLabels(
    {metric, entity = {}, from, to}: ValueLabelsRequest,
    {signal}: Call,
  ): Promise<readonly ValueLabels[]> {
    const known = await this.#known(metric, signal);
    if (known === undefined || from > to) return [];
    const {scope, valueLabels} = known.definition;
    const parameters = new Parameters();
    const conditions = [`s.metric = ${parameters.add(known.id, 'int')}`];
    for (const [key, value] of Object.entries(entity)) {
      if (value === undefined) continue;
      const position = ENTITY_KEYS[scope].indexOf(key as keyof typeof entity) + 1;
      if (position === 0) return [];
      conditions.push(`e.names[${position}] = ${parameters.add(encodeText(value), 'text')}`);
    }
    const first = parameters.add(clamped(Math.floor(from / 60)), 'int');
    const last = parameters.add(clamped(Math.floor(to / 60)), 'int');
    const rows = await this.#database.query<[string]>(
      `SELECT DISTINCT to_json(s.labels)::text FROM series s JOIN entities e ON e.id = s.entity
       WHERE ${conditions.join(' AND ')}
         AND EXISTS (SELECT FROM minutes m WHERE m.series = s.id AND m.bucket BETWEEN ${first} AND ${last} OFFSET 0)`,
      parameters.values,
      signal,
    );
    return rows.map(([labels]) => labelsFrom(valueLabels, labels));
  }

  async #known(metric: MetricDefinition, signal: AbortSignal): Promise<KnownMetric | undefined> {
    signal.throwIfAborted();
    return (await this.#catalog.current(signal)).byName.get(metric.name);
  }
}

/** The buckets of `s` in a window. As a subquery of each series it is always read by the index. */
function bucketSource({rollups}: KnownMetric, window: BucketWindow, parameters: Parameters): string {
  const {step, first, count} = window;
  const begin = Math.floor(first / STEP_SECONDS[step]);
  const from = parameters.add(clamped(begin), 'int');
  const to = parameters.add(clamped(begin + count - 1), 'int');
  return `(SELECT bucket, ${valueExpression(step, rollups)} AS value FROM ${TABLES[step]}
           WHERE series = s.id AND bucket BETWEEN ${from} AND ${to})`;
}

function bucketsOf(metric: KnownMetric, window: BucketWindow, parameters: Parameters): string {
  return `CROSS JOIN LATERAL ${bucketSource(metric, window, parameters)} b`;
}

function clamped(bucket: number): number {
  return Math.max(-LAST_BUCKET, Math.min(LAST_BUCKET, bucket));
}

function columnOf({step, first, count}: BucketWindow, buckets: readonly number[], found: readonly number[]) {
  const values = new Float64Array(count);
  const present = new Uint8Array(count);
  const begin = first / STEP_SECONDS[step];
  buckets.forEach((bucket, i) => {
    values[bucket - begin] = found[i] as number;
    present[bucket - begin] = 1;
  });
  return {values, present};
}

function labelsFrom(names: readonly string[], json: string): ValueLabels {
  const values = JSON.parse(json) as string[];
  return Object.fromEntries(names.map((name, i) => [name, decodeText(values[i] ?? '')]));
}

import {
  type Call,
  type Column,
  ENTITY_KEYS,
  type MetricDefinition,
  type MetricReader,
  namesOf,
  type Ranked,
  type RankingRequest,
  type SampledRecord,
  type SampledRecordsRequest,
  STEP_SECONDS,
  type ValueLabels,
  type ValueLabelsRequest,
  type ValuesRequest,
} from '../../../core/api/adapter.js';
import {SECONDS_PER_MINUTE} from '../../../core/toolkit/time.js';
import type {PostgresDatabase} from '../client/database.js';
import {PostgresParameters} from '../client/sql.js';
import {decodeText, encodeText} from '../client/text.js';
import {decodedEntity, entityKey, layerKey} from '../schema/keys.js';
import {clamped, readBuckets} from './buckets.js';
import type {KnownMetric, PostgresCatalog} from './catalog.js';
import {readRanking} from './ranking.js';

/** Each read is one statement, which goes from the entities over their series to the buckets by indexes alone. */
export class PostgresMetricReader implements MetricReader {
  readonly #database: PostgresDatabase;
  readonly #catalog: PostgresCatalog;

  constructor(database: PostgresDatabase, catalog: PostgresCatalog) {
    this.#database = database;
    this.#catalog = catalog;
  }

  async catalog(call: Call, current = false): Promise<readonly MetricDefinition[]> {
    return (await this.#catalog.current(call.signal, current ? 0 : undefined)).definitions;
  }

  async values({metric, entity, valueFilters, window}: ValuesRequest, {signal}: Call): Promise<readonly Column[]> {
    const known = await this.#known(metric, signal);
    if (known === undefined) return [];
    const {scope, valueLabels} = known.definition;
    const parameters = new PostgresParameters();
    const conditions = [
      `e.key = ${parameters.add(entityKey(scope, namesOf(scope, entity)), 'uuid')}`,
      `s.metric = ${parameters.add(known.id, 'int')}`,
    ];
    for (const [label, values] of valueFilters) {
      const position = valueLabels.indexOf(label) + 1;
      if (position === 0 || values.length === 0) return [];
      conditions.push(`s.labels[${position}] = ANY(${parameters.add(values.map(encodeText), 'text[]')})`);
    }
    const rows = await readBuckets(this.#database, known, window, conditions, parameters, signal);
    return rows.map(({labels, ...column}) => ({labels: labelsFrom(valueLabels, labels), ...column}));
  }

  async ranking(request: RankingRequest, {signal}: Call): Promise<readonly Ranked[]> {
    const {metric, layer, parentService} = request;
    const known = await this.#known(metric, signal);
    if (known === undefined) return [];
    const {scope} = known.definition;
    const parameters = new PostgresParameters();
    const conditions = [`s.metric = ${parameters.add(known.id, 'int')}`];
    if (parentService !== undefined) {
      const service = parameters.add(entityKey('Service', [layer, parentService]), 'uuid');
      conditions.push(`e.${scope === 'Service' ? 'key' : 'parent'} = ${service}`);
    } else if (scope === 'Service') {
      conditions.push(`e.parent = ${parameters.add(layerKey(layer), 'uuid')}`);
    } else {
      conditions.push(`e.names[1] = ${parameters.add(encodeText(layer), 'text')}`);
    }
    return readRanking(this.#database, known, request, conditions, parameters, signal);
  }

  async sampledRecords(request: SampledRecordsRequest, {signal}: Call): Promise<readonly SampledRecord[]> {
    const {metric, layer, parentService, order, limit, window} = request;
    const known = await this.#known(metric, signal);
    if (known === undefined) return [];
    const rows = await this.#database.query<[string, string, number, number, string | null]>(
      `SELECT to_json(names)::text, content, bucket::float8, value, trace
       FROM (
         SELECT r.*, e.names FROM records r JOIN entities e ON e.id = r.entity
         WHERE metric = $1 AND service = $2 AND bucket >= $3 AND bucket < $4
       ) r
       ORDER BY value ${order === 'DES' ? 'DESC' : 'ASC'}, content, bucket, trace NULLS FIRST, names LIMIT $5`,
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
      entity: decodedEntity(known.definition.scope, JSON.parse(names) as string[]),
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
    const parameters = new PostgresParameters();
    const conditions = [`s.metric = ${parameters.add(known.id, 'int')}`];
    for (const [key, value] of Object.entries(entity)) {
      if (value === undefined) continue;
      const position = ENTITY_KEYS[scope].indexOf(key as keyof typeof entity) + 1;
      if (position === 0) return [];
      conditions.push(`e.names[${position}] = ${parameters.add(encodeText(value), 'text')}`);
    }
    const first = parameters.add(clamped(Math.floor(from / SECONDS_PER_MINUTE)), 'int');
    const last = parameters.add(clamped(Math.floor(to / SECONDS_PER_MINUTE)), 'int');
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

function labelsFrom(names: readonly string[], json: string): ValueLabels {
  const values = JSON.parse(json) as string[];
  return Object.fromEntries(names.map((name, i) => [name, decodeText(values[i] ?? '')]));
}

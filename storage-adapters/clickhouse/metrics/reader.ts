import {
  type Call,
  type Column,
  ENTITY_KEYS,
  type Entity,
  entityOf,
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
import {MINUTES_PER_HOUR, SECONDS_PER_MINUTE} from '../../../core/toolkit/time.js';
import type {ClickHouseClient} from '../client/client.js';
import {joined, type Sql, sql} from '../client/sql.js';
import {entityId, serviceId} from '../schema/keys.js';
import type {CutOffs} from './buckets.js';
import type {CatalogEntry, ClickHouseCatalog} from './catalog.js';
import {labelsOf, readColumns} from './columns.js';
import {idsOfEntities} from './entity-conditions.js';
import {readRanking} from './ranking.js';

/** Reads metrics, each request with one statement. */
export class ClickHouseMetricReader implements MetricReader {
  readonly #client: ClickHouseClient;
  readonly #catalog: ClickHouseCatalog;
  readonly #cutOffs: () => Promise<CutOffs>;

  constructor(client: ClickHouseClient, catalog: ClickHouseCatalog, cutOffs: () => Promise<CutOffs>) {
    this.#client = client;
    this.#catalog = catalog;
    this.#cutOffs = cutOffs;
  }

  catalog(_call: Call, current = false): Promise<readonly MetricDefinition[]> {
    return current ? this.#catalog.listNow() : this.#catalog.list();
  }

  async values({metric, entity, valueFilters, window}: ValuesRequest, call: Call): Promise<readonly Column[]> {
    const stored = await this.#known(metric, call);
    const filters = stored && labelConditions(stored.definition, valueFilters);
    if (stored === undefined || filters === undefined) return [];
    const keys = metric.valueLabels.length > 0 ? [sql`labels`] : [];
    const where = [isOfEntity(stored.definition, entity), ...filters];
    const selection = {metric: stored.definition, rollups: stored.rollups, where, keys, cutOffs: await this.#cutOffs()};
    return readColumns(this.#client, selection, window, call.signal);
  }

  async ranking(request: RankingRequest, call: Call): Promise<readonly Ranked[]> {
    const {metric, layer, parentService} = request;
    const stored = await this.#known(metric, call);
    if (stored === undefined) return [];
    const {definition, rollups} = stored;
    const where = parentService === undefined ? [] : [sql`service = ${serviceId({layer, service: parentService})}`];
    const selection = {metric: definition, rollups, where, keys: [sql`entity`], cutOffs: await this.#cutOffs()};
    return readRanking(this.#client, selection, request, call.signal);
  }

  async sampledRecords(request: SampledRecordsRequest, call: Call): Promise<readonly SampledRecord[]> {
    const {metric, layer, parentService, order, limit, window} = request;
    const stored = await this.#known(metric, call);
    if (stored === undefined) return [];
    const {name, scope} = stored.definition;
    const service = serviceId({layer, service: parentService});
    const end = window.first + window.count * STEP_SECONDS[window.step];
    const direction = order === 'ASC' ? sql`ASC` : sql`DESC`;
    return this.#client.rows(
      sql`SELECT toUInt8(1), names, content, time, value, trace_id FROM (
          SELECT DISTINCT names, content, time, value, trace_id FROM records
          WHERE metric = ${name} AND service = ${service} AND time >= ${window.first} AND time < ${end}
        ) ORDER BY value ${direction}, content ASC, time ASC, trace_id ASC, names ASC LIMIT ${limit}`,
      row => {
        const record = {
          entity: entityOf(scope, row.strings()),
          content: row.string(),
          time: row.int64(),
          value: row.float64() + 0,
        };
        const [traceId] = row.strings();
        return traceId === undefined ? record : {...record, traceId};
      },
      call.signal,
    );
  }

  async valueLabels({metric, entity = {}, from, to}: ValueLabelsRequest, call: Call): Promise<readonly ValueLabels[]> {
    const stored = await this.#known(metric, call);
    const first = Math.floor(from / SECONDS_PER_MINUTE);
    const last = Math.floor(to / SECONDS_PER_MINUTE);
    const {scope} = metric;
    const given = Object.entries(entity).filter(([, value]) => value !== undefined) as [keyof Entity, string][];
    if (stored === undefined || from > to || given.some(([key]) => !ENTITY_KEYS[scope].includes(key))) return [];
    const conditions = [
      sql`metric = ${metric.name}`,
      sql`hour >= ${Math.floor(first / MINUTES_PER_HOUR)} AND hour <= ${Math.floor(last / MINUTES_PER_HOUR)}`,
      sql`minute >= ${first} AND minute <= ${last}`,
      ...ofEntities(stored.definition, Object.fromEntries(given)),
    ];
    return this.#client.rows(
      sql`SELECT DISTINCT toUInt8(1), labels FROM minutes WHERE ${joined(conditions, ' AND ')}`,
      row => labelsOf(stored.definition, row.strings()),
      call.signal,
    );
  }

  async #known({name}: MetricDefinition, {signal}: Call): Promise<CatalogEntry | undefined> {
    signal.throwIfAborted();
    return this.#catalog.get(name);
  }
}

/** Conditions on the column `labels`; undefined when nothing passes. */
function labelConditions(
  {valueLabels}: MetricDefinition,
  filters: ReadonlyMap<string, readonly string[]>,
): readonly Sql[] | undefined {
  const conditions: Sql[] = [];
  for (const [label, wanted] of filters) {
    const place = valueLabels.indexOf(label);
    if (place < 0 || wanted.length === 0) return undefined;
    conditions.push(sql`labels[${place + 1}] IN ${wanted}`);
  }
  return conditions;
}

function isOfEntity({scope}: MetricDefinition, entity: Entity): Sql {
  return sql`service = ${serviceId(entity)} AND entity = ${entityId(scope, entity)}`;
}

/** Conditions on the columns `service` and `entity` for entities that have the given names. */
function ofEntities(metric: MetricDefinition, given: Partial<Entity>): readonly Sql[] {
  const {layer, service} = given;
  const keys = Object.keys(given);
  if (keys.length === 0) return [];
  if (keys.length === ENTITY_KEYS[metric.scope].length) return [isOfEntity(metric, given as Entity)];
  const ofService = layer === undefined || service === undefined ? [] : [sql`service = ${serviceId({layer, service})}`];
  return [...ofService, sql`entity GLOBAL IN (${idsOfEntities(metric.scope, given)})`];
}

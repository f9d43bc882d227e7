import {
  type BucketWindow,
  type Call,
  type Column,
  ENTITY_KEYS,
  type Entity,
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
import type {Catalog, StoredMetric} from '../catalog/catalog.js';
import {entityId, entityOf, serviceId} from '../catalog/ids.js';
import type {ClickHouseClient} from '../http/client.js';
import {joined, type Sql, sql} from '../sql/sql.js';
import {type Borders, bucketsOf} from './buckets.js';
import {entityConditions, idsOfEntities, LAST_EDGE} from './entity-conditions.js';

const SECONDS_PER_MINUTE = 60;
const MINUTES_PER_HOUR = 60;

/** Reads metrics, each request with one statement. */
export class ClickHouseMetricReader implements MetricReader {
  readonly #client: ClickHouseClient;
  readonly #catalog: Catalog;
  readonly #borders: () => Promise<Borders>;

  constructor(client: ClickHouseClient, catalog: Catalog, borders: () => Promise<Borders>) {
    this.#client = client;
    this.#catalog = catalog;
    this.#borders = borders;
  }

  catalog(): Promise<readonly MetricDefinition[]> {
    return this.#catalog.list();
  }

  async values({metric, entity, valueFilters, window}: ValuesRequest, call: Call): Promise<readonly Column[]> {
    const stored = await this.#known(metric, call);
    const filters = stored && labelConditions(stored.definition, valueFilters);
    if (stored === undefined || filters === undefined) return [];
    const isLabeled = metric.valueLabels.length > 0;
    const {definition, rollups} = stored;
    const buckets = bucketsOf(
      {
        metric: definition,
        rollups,
        where: [isOfEntity(definition, entity), ...filters],
        keys: isLabeled ? [sql`labels`] : [],
      },
      window,
      await this.#borders(),
    );
    const columns = new Columns(definition, window);
    const labels = isLabeled ? sql`labels` : sql`emptyArrayString()`;
    await this.#client.rows(
      sql`SELECT toUInt8(1), ${labels}, bucket, result FROM (${buckets})`,
      row => columns.put(row.strings(), row.int32(), row.float64()),
      call.signal,
    );
    return columns.all();
  }

  async ranking(request: RankingRequest, call: Call): Promise<readonly Ranked[]> {
    const {metric, layer, parentService, order, limit, window} = request;
    const stored = await this.#known(metric, call);
    if (stored === undefined) return [];
    const {definition, rollups} = stored;
    const of = parentService === undefined ? {layer} : {layer, service: parentService};
    const where = parentService === undefined ? [] : [sql`service = ${serviceId({layer, service: parentService})}`];
    const selection = {metric: definition, rollups, where, keys: [sql`entity`]};
    const buckets = bucketsOf(selection, window, await this.#borders());
    const direction = order === 'ASC' ? sql`ASC` : sql`DESC`;
    return this.#client.rows(
      sql`SELECT toUInt8(1), service, name, mean FROM (
          SELECT entity AS id, sum(result) / count() AS mean FROM (${buckets}) GROUP BY entity
        ) AS ranked GLOBAL ANY INNER JOIN (
          SELECT id, service, name FROM entities WHERE ${joined([...entityConditions(definition.scope, of), LAST_EDGE], ' AND ')}
        ) AS named USING id ORDER BY mean ${direction}, service ASC, name ASC LIMIT ${limit}`,
      row => ({entity: entityOf(definition.scope, [layer, row.string(), row.string()]), value: row.float64()}),
      call.signal,
    );
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
          value: row.float64(),
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

  async #known({name}: MetricDefinition, {signal}: Call): Promise<StoredMetric | undefined> {
    signal.throwIfAborted();
    return this.#catalog.get(name);
  }
}

/** Collects the values of series in the order in which they come. */
class Columns {
  readonly #metric: MetricDefinition;
  readonly #window: BucketWindow;
  readonly #first: number;
  readonly #columns = new Map<string, Column>();
  #last: {readonly texts: readonly string[]; readonly column: Column} | undefined;

  constructor(metric: MetricDefinition, window: BucketWindow) {
    this.#metric = metric;
    this.#window = window;
    this.#first = window.first / STEP_SECONDS[window.step];
  }

  put(texts: readonly string[], bucket: number, value: number): void {
    const column = this.#find(texts);
    column.values[bucket - this.#first] = value;
    column.present[bucket - this.#first] = 1;
  }

  all(): readonly Column[] {
    return [...this.#columns.values()];
  }

  #find(texts: readonly string[]): Column {
    if (this.#last?.texts.every((text, i) => text === texts[i])) return this.#last.column;
    const key = JSON.stringify(texts);
    let column = this.#columns.get(key);
    if (column === undefined) {
      const {count} = this.#window;
      column = {
        labels: labelsOf(this.#metric, texts),
        values: new Float64Array(count),
        present: new Uint8Array(count),
      };
      this.#columns.set(key, column);
    }
    this.#last = {texts, column};
    return column;
  }
}

function labelsOf({valueLabels}: MetricDefinition, texts: readonly string[]): ValueLabels {
  return Object.fromEntries(valueLabels.map((label, i) => [label, texts[i] ?? '']));
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

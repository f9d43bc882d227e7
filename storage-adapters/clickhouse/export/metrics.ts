import {
  type Call,
  compareNames,
  ENTITY_KEYS,
  type Entity,
  type ExportPage,
  type ExportRequest,
  entityOf,
  type MetricExport,
  type MetricExporter,
  rollupAt,
  type Scope,
  type Sighting,
} from '../../../core/api/adapter.js';
import {MetricExportPage} from '../../../core/toolkit/metric-export-page.js';
import {decodeResume, encodeResume} from '../../../core/toolkit/resume.js';
import {SECONDS_PER_DAY, SECONDS_PER_HOUR, SECONDS_PER_MINUTE} from '../../../core/toolkit/time.js';
import type {ClickHouseClient} from '../client/client.js';
import {joined, type Sql, sql} from '../client/sql.js';
import type {CutOffs} from '../metrics/buckets.js';
import type {CatalogEntry, ClickHouseCatalog} from '../metrics/catalog.js';
import {labelsOf} from '../metrics/columns.js';
import {entityConditions, LAST_EDGE} from '../metrics/entity-conditions.js';

const KIND = 'metrics';
const SECTIONS = ['entities', 'minutes', 'hours', 'days', 'records'] as const;
type Section = (typeof SECTIONS)[number];
const SCOPES = Object.keys(ENTITY_KEYS) as readonly Scope[];
const ROWS = 10_000;
/** A page ends when it has as many. */
const VALUES = 20_000;
/** With an hour of each, some tens of thousands of values. */
const ENTITIES = 500;
/** Before every key of sixteen bytes in hexadecimal digits. */
const NO_KEY = '';
const NAMES = sql`layer, service, name, dest_layer, dest_service, dest_name`;
const NAME_COUNT = [1, 2, 3, 4, 5, 6];

type Pages = AsyncGenerator<ExportPage<MetricExport>>;

/** Where a section goes on: a number and a name that say in what, and the key of the row behind which. */
interface Place {
  readonly number: number;
  readonly name: string;
  readonly key: string;
}

/** Reads the tables in pages, each with one statement that begins behind the last row of the page before. */
export class ClickHouseMetricExporter implements MetricExporter {
  readonly #client: ClickHouseClient;
  readonly #catalog: ClickHouseCatalog;
  readonly #cutOffs: () => Promise<CutOffs>;

  constructor(client: ClickHouseClient, catalog: ClickHouseCatalog, cutOffs: () => Promise<CutOffs>) {
    this.#client = client;
    this.#catalog = catalog;
    this.#cutOffs = cutOffs;
  }

  async *pages(request: ExportRequest, call: Call): Pages {
    const {after} = request;
    const [section = 'entities', number = 0, name = '', key = NO_KEY] =
      after === undefined ? [] : decodeResume(KIND, after, ['string', 'number', 'string', 'string']);
    const first = SECTIONS.indexOf(section as Section);
    const begun = {number: Number(number), name: String(name), key: String(key)};
    for (const [i, each] of SECTIONS.entries()) {
      if (i < first) continue;
      const place = i === first && after !== undefined ? begun : undefined;
      if (each === 'entities') yield* this.#entities(place, call);
      else if (each === 'records') yield* this.#records(place, request, call);
      else yield* this.#values(each, place, request, call);
    }
  }

  async *#entities(place: Place | undefined, {signal}: Call): Pages {
    if (place === undefined) {
      const page = new MetricExportPage<string>();
      for (const metric of (await this.#catalog.readNow()).values()) page.addMetric(metric);
      yield {content: page.content(), resume: resumeOf('entities', {number: 0, name: '', key: NO_KEY})};
    }
    for (const [i, scope] of SCOPES.entries()) {
      if (place !== undefined && i < place.number) continue;
      let last = place !== undefined && i === place.number ? place.key : NO_KEY;
      for (;;) {
        const conditions = [...entityConditions(scope, {}), sql`hex(id) > ${last}`];
        const rows = await this.#client.rows(
          sql`SELECT toUInt8(1), hex(id) AS key, ${NAMES}, min(minute), max(minute) FROM entities WHERE ${joined(conditions, ' AND ')} GROUP BY key, ${NAMES} ORDER BY key LIMIT ${ROWS}`,
          row => {
            const key = row.string();
            return {
              key,
              entity: entityFrom(
                scope,
                NAME_COUNT.map(() => row.string()),
              ),
              seen: [row.int32(), row.int32()],
            };
          },
          signal,
        );
        if (rows.length === 0) break;
        last = rows.at(-1)?.key ?? last;
        const page = new MetricExportPage<string>();
        for (const {entity, seen} of rows) page.addSightings(sightingsOf(scope, entity, seen));
        yield {content: page.content(), resume: resumeOf('entities', {number: i, name: '', key: last})};
      }
    }
  }

  /** The latest hour or day first, and in it metric by metric. */
  async *#values(
    section: 'minutes' | 'hours' | 'days',
    place: Place | undefined,
    {from = Number.NEGATIVE_INFINITY, to = Number.POSITIVE_INFINITY}: ExportRequest,
    {signal}: Call,
  ): Pages {
    const cutOffs = await this.#cutOffs();
    const table = {minutes: sql`minutes`, hours: sql`hours`, days: sql`days`}[section];
    const column = section === 'days' ? sql`day` : sql`hour`;
    const seconds = section === 'days' ? SECONDS_PER_DAY : SECONDS_PER_HOUR;
    const before = section === 'minutes' ? Number.MAX_SAFE_INTEGER : cutOffs[section];
    const parts = await this.#client.rows(
      sql`SELECT toUInt8(1), ${column} AS bucket, metric FROM ${table} WHERE bucket < ${before} GROUP BY bucket, metric ORDER BY bucket DESC, metric`,
      row => ({bucket: row.int32(), name: row.string()}),
      signal,
    );
    let page = new MetricExportPage<string>();
    let resume = '';
    for (const {bucket, name} of parts) {
      const isOut = bucket * seconds >= to || (bucket + 1) * seconds <= from;
      if (isOut || (place !== undefined && isBefore({bucket, name}, place))) continue;
      const metric = await this.#catalog.get(name);
      if (metric === undefined) continue;
      let last = place?.number === bucket && place.name === name ? place.key : NO_KEY;
      for (let isLast = false; !isLast; ) {
        const ids = await this.#ids({table, column, name, bucket}, last, signal);
        const [first, end] = [ids[0], ids.at(-1)];
        if (first === undefined || end === undefined) break;
        last = end;
        isLast = ids.length < ENTITIES;
        const among = sql`metric = ${name} AND ${column} = ${bucket} AND hex(entity) >= ${first} AND hex(entity) <= ${end}`;
        const rows = await (section === 'minutes'
          ? this.#minuteRows(among, signal)
          : this.#keptRows(table, among, signal));
        page.addMetric(metric);
        const {scope} = metric.definition;
        const known = await this.#named(scope, ids, signal);
        for (const {id, labels, ...row} of rows) {
          const entity = known.get(id);
          const time = 'minute' in row ? row.minute * SECONDS_PER_MINUTE : bucket * seconds;
          if (entity === undefined || time < from || time >= to) continue;
          const series = {metric: name, entity, labels: labelsOf(metric.definition, labels)};
          const key = `${name} ${id} ${JSON.stringify(labels)}`;
          if ('minute' in row) page.addSample(key, series, time, row.value);
          else page.addKept(key, series, termsOf(metric, section === 'days' ? 'day' : 'hour', time, row));
        }
        resume = resumeOf(section, {number: bucket, name, key: last});
        if (page.values < VALUES) continue;
        yield {content: page.content(), resume};
        page = new MetricExportPage<string>();
      }
    }
    if (page.values > 0) yield {content: page.content(), resume};
  }

  /** Of some entities that have rows, in the order of their ids. */
  #ids({table, column, name, bucket}: Part, last: string, signal: AbortSignal): Promise<readonly string[]> {
    return this.#client.rows(
      sql`SELECT toUInt8(1), hex(entity) AS id FROM ${table} WHERE metric = ${name} AND ${column} = ${bucket} AND hex(entity) > ${last} GROUP BY id ORDER BY id LIMIT ${ENTITIES}`,
      row => row.string(),
      signal,
    );
  }

  #minuteRows(among: Sql, signal: AbortSignal) {
    return this.#client.rows(
      sql`SELECT toUInt8(1), hex(entity), labels, minute, argMax(value, version) FROM minutes WHERE ${among} GROUP BY entity, labels, minute`,
      row => ({id: row.string(), labels: row.strings(), minute: row.int32(), value: row.float64() + 0}),
      signal,
    );
  }

  #keptRows(table: Sql, among: Sql, signal: AbortSignal) {
    return this.#client.rows(
      sql`SELECT toUInt8(1), hex(entity), labels, argMax(value, minutes), argMax(total, minutes), max(minutes) FROM ${table} WHERE ${among} GROUP BY entity, labels`,
      row => ({
        id: row.string(),
        labels: row.strings(),
        value: row.float64(),
        total: row.float64(),
        minutes: Number(row.uint64()),
      }),
      signal,
    );
  }

  async #named(scope: Scope, ids: readonly string[], signal: AbortSignal): Promise<ReadonlyMap<string, Entity>> {
    const conditions = [...entityConditions(scope, {}), LAST_EDGE, sql`hex(id) IN ${ids}`];
    const rows = await this.#client.rows(
      sql`SELECT toUInt8(1), hex(id), ${NAMES} FROM entities WHERE ${joined(conditions, ' AND ')}`,
      row =>
        [
          row.string(),
          entityFrom(
            scope,
            NAME_COUNT.map(() => row.string()),
          ),
        ] as const,
      signal,
    );
    return new Map(rows);
  }

  /** Metric by metric, the latest first. */
  async *#records(
    place: Place | undefined,
    {from = Number.MIN_SAFE_INTEGER, to = Number.MAX_SAFE_INTEGER}: ExportRequest,
    {signal}: Call,
  ): Pages {
    for (const metric of (await this.#catalog.readNow()).values()) {
      const {name, kind, scope} = metric.definition;
      if (kind !== 'sampled-record' || (place !== undefined && compareNames(name, place.name) < 0)) continue;
      let last = place?.name === name ? place : {number: Number.MAX_SAFE_INTEGER, key: NO_KEY};
      for (;;) {
        const behind = sql`(time < ${last.number} OR (time = ${last.number} AND hex(digest) > ${last.key}))`;
        const rows = await this.#client.rows(
          sql`SELECT toUInt8(1), hex(digest) AS key, names, time, value, content, trace_id FROM records WHERE metric = ${name} AND time >= ${from} AND time < ${to} AND ${behind} ORDER BY time DESC, key LIMIT ${ROWS}`,
          row => {
            const [key, names, time, value, content] = [
              row.string(),
              row.strings(),
              row.int64(),
              row.float64() + 0,
              row.string(),
            ];
            return {
              key,
              record: {metric: name, entity: entityOf(scope, names), content, time, value},
              trace: row.strings(),
            };
          },
          signal,
        );
        const end = rows.at(-1);
        if (end === undefined) break;
        last = {number: end.record.time, key: end.key};
        const page = new MetricExportPage<string>();
        page.addMetric(metric);
        for (const {record, trace} of rows) {
          const [traceId] = trace;
          page.addRecord(traceId === undefined ? record : {...record, traceId});
        }
        yield {content: page.content(), resume: resumeOf('records', {...last, name})};
      }
    }
  }
}

interface Part {
  readonly table: Sql;
  readonly column: Sql;
  readonly name: string;
  readonly bucket: number;
}

interface KeptRow {
  readonly value: number;
  readonly total: number;
  readonly minutes: number;
}

function termsOf({rollups}: CatalogEntry, step: 'hour' | 'day', time: number, {value, total, minutes}: KeptRow) {
  const rollup = rollupAt(rollups, Math.floor(time / SECONDS_PER_HOUR));
  return {step, time, minutes, terms: [rollup === 'avg' || rollup === 'sum' ? total + 0 : value + 0]};
}

function entityFrom(
  scope: Scope,
  [layer, service, name, destLayer, destService, destName]: readonly (string | undefined)[],
): Entity {
  const own = ENTITY_KEYS[scope].length;
  const source = [layer, service, ...(own % 3 === 0 ? [name] : [])];
  const all = scope.endsWith('Relation')
    ? [...source, destLayer, destService, ...(own === 6 ? [destName] : [])]
    : source;
  return entityOf(
    scope,
    all.map(one => one ?? ''),
  );
}

function sightingsOf(scope: Scope, entity: Entity, seen: readonly number[]): readonly Sighting[] {
  return [...new Set(seen)].map(minute => ({scope, entity, time: minute * SECONDS_PER_MINUTE}));
}

/** Whether a part of the latest first was gone through before the place. */
function isBefore({bucket, name}: Pick<Part, 'bucket' | 'name'>, place: Place): boolean {
  return bucket > place.number || (bucket === place.number && compareNames(name, place.name) < 0);
}

function resumeOf(section: Section, {number, name, key}: Place): string {
  return encodeResume(KIND, [section, number, name, key]);
}

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
import {SECONDS_PER_HOUR, SECONDS_PER_MINUTE} from '../../../core/toolkit/time.js';
import type {ClickHouseClient} from '../client/client.js';
import {joined, sql} from '../client/sql.js';
import type {CutOffs} from '../metrics/buckets.js';
import type {CatalogEntry, ClickHouseCatalog} from '../metrics/catalog.js';
import {labelsOf} from '../metrics/columns.js';
import {entityConditions} from '../metrics/entity-conditions.js';
import {ENTITY_NAMES, EntityNames, readEntity} from './entity-names.js';
import {
  readParts,
  readValues,
  SECONDS_PER_BUCKET,
  type ValuePart,
  type ValuePlace,
  type ValueRow,
  type ValueTable,
} from './value-rows.js';

const KIND = 'metrics';
const SECTIONS = ['entities', 'minutes', 'hours', 'days', 'records'] as const;
type Section = (typeof SECTIONS)[number];
const SCOPES = Object.keys(ENTITY_KEYS) as readonly Scope[];
const ROWS = 10_000;
/** A page ends when it has as many. */
const VALUES = 20_000;
/** Before every key of sixteen bytes in hexadecimal digits. */
const NO_KEY = '';

type Pages = AsyncGenerator<ExportPage<MetricExport>>;

/** Where a section goes on: a number and a name that say in what, and the key of the row behind which. */
type Place = ValuePlace;

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
          sql`SELECT toUInt8(1), hex(id) AS key, ${ENTITY_NAMES}, min(minute), max(minute) FROM entities WHERE ${joined(conditions, ' AND ')} GROUP BY key, ${ENTITY_NAMES} ORDER BY key LIMIT ${ROWS}`,
          row => {
            const key = row.string();
            return {key, entity: readEntity(scope, row), seen: [row.int32(), row.int32()]};
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
  async *#values(table: ValueTable, place: Place | undefined, request: ExportRequest, {signal}: Call): Pages {
    const {from = Number.NEGATIVE_INFINITY, to = Number.POSITIVE_INFINITY} = request;
    const seconds = SECONDS_PER_BUCKET[table];
    const parts = (await readParts(this.#client, table, await this.#cutOffs(), signal)).filter(part => {
      const isIn = part.bucket * seconds < to && (part.bucket + 1) * seconds > from;
      return isIn && !isBefore(part, place);
    });
    const catalog = await this.#catalog.readNow();
    const named = new EntityNames(this.#client);
    let page = new MetricExportPage<string>();
    let resume = '';
    for await (const read of readValues(this.#client, table, parts, {most: VALUES, begun: place}, signal)) {
      for (const [scope, ids] of idsByScope(read.rows, catalog)) await named.read(scope, ids, signal);
      for (const row of read.rows) {
        const metric = catalog.get(row.name);
        const entity = named.get(row.id);
        if (metric === undefined || entity === undefined || row.time < from || row.time >= to) continue;
        page.addMetric(metric);
        const series = {metric: row.name, entity, labels: labelsOf(metric.definition, row.labels)};
        const key = `${row.name} ${row.id} ${JSON.stringify(row.labels)}`;
        if (table === 'minutes') page.addSample(key, series, row.time, row.value);
        else page.addKept(key, series, termsOf(metric, table === 'days' ? 'day' : 'hour', row));
      }
      resume = resumeOf(table, read.place);
      if (page.values < VALUES) continue;
      yield {content: page.content(), resume};
      page = new MetricExportPage<string>();
      named.trim();
    }
    if (page.values > 0) yield {content: page.content(), resume};
  }

  /** Metric by metric, in the order of their names whatever the catalog's; of each the latest first. */
  async *#records(
    place: Place | undefined,
    {from = Number.MIN_SAFE_INTEGER, to = Number.MAX_SAFE_INTEGER}: ExportRequest,
    {signal}: Call,
  ): Pages {
    const catalog = [...(await this.#catalog.readNow()).values()];
    catalog.sort((a, b) => compareNames(a.definition.name, b.definition.name));
    for (const metric of catalog) {
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

/** Of the entities of rows, which have the scopes of their metrics. */
function idsByScope(rows: readonly ValueRow[], catalog: ReadonlyMap<string, CatalogEntry>) {
  const ids = new Map<Scope, Set<string>>();
  for (const {name, id} of rows) {
    const scope = catalog.get(name)?.definition.scope;
    if (scope !== undefined) ids.set(scope, (ids.get(scope) ?? new Set()).add(id));
  }
  return ids;
}

function termsOf({rollups}: CatalogEntry, step: 'hour' | 'day', {time, value, total, minutes}: ValueRow) {
  const rollup = rollupAt(rollups, Math.floor(time / SECONDS_PER_HOUR));
  return {step, time, minutes, terms: [rollup === 'avg' || rollup === 'sum' ? total : value]};
}

function sightingsOf(scope: Scope, entity: Entity, seen: readonly number[]): readonly Sighting[] {
  return [...new Set(seen)].map(minute => ({scope, entity, time: minute * SECONDS_PER_MINUTE}));
}

/** Whether a part of the latest first was gone through before the place. */
function isBefore({bucket, name}: ValuePart, place: Place | undefined): boolean {
  if (place === undefined || bucket < place.number) return false;
  return bucket > place.number || compareNames(name, place.name) < 0;
}

function resumeOf(section: Section, {number, name, key}: Place): string {
  return encodeResume(KIND, [section, number, name, key]);
}

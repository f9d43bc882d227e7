import {
  type Call,
  type ExportPage,
  type ExportRequest,
  type MetricExport,
  type MetricExporter,
  rollupAt,
  type Scope,
  type Series,
} from '../../../core/api/adapter.js';
import {MetricExportPage} from '../../../core/toolkit/metric-export-page.js';
import {decodeResume, encodeResume} from '../../../core/toolkit/resume.js';
import {HOURS_PER_DAY, SECONDS_PER_DAY, SECONDS_PER_HOUR, SECONDS_PER_MINUTE} from '../../../core/toolkit/time.js';
import type {PostgresDatabase} from '../client/database.js';
import {decodeText} from '../client/text.js';
import type {KnownMetric, PostgresCatalog} from '../metrics/catalog.js';
import {TERMS} from '../metrics/exact-sums.js';
import {decodedEntity, plainKey} from '../schema/keys.js';
import {MINUTES, partitionName} from '../schema/partitions.js';
import {SeriesNames} from './series-names.js';

const KIND = 'metrics';
const SECTIONS = ['entities', 'minutes', 'hours', 'days', 'records'] as const;
type Section = (typeof SECTIONS)[number];

const ENTITIES = 5000;
const ROWS = 20_000;
const LAST = 2_147_483_647;
const NO_DIGEST = '';

type Pages = AsyncGenerator<ExportPage<MetricExport>>;

/** Where a section goes on: behind what these say, whose meaning is the section's own. */
type Place = readonly [a: number, b: number, c: string, d: string];

/** Reads the tables by their keys, each page with one statement that begins behind the last row of the page before. */
export class PostgresMetricExporter implements MetricExporter {
  readonly #database: PostgresDatabase;
  readonly #catalog: PostgresCatalog;

  constructor(database: PostgresDatabase, catalog: PostgresCatalog) {
    this.#database = database;
    this.#catalog = catalog;
  }

  async *pages(request: ExportRequest, call: Call): Pages {
    const {after} = request;
    const [section = 'entities', ...begun] =
      after === undefined ? [] : decodeResume(KIND, after, ['string', 'number', 'number', 'string', 'string']);
    const first = SECTIONS.indexOf(section as Section);
    const series = new SeriesNames(this.#database, await this.#metrics(call), call.signal);
    for (const [i, each] of SECTIONS.entries()) {
      if (i < first) continue;
      const place = i === first && after !== undefined ? (begun as unknown as Place) : undefined;
      if (each === 'entities') yield* this.#entities(place, call);
      else if (each === 'minutes') yield* this.#minutes(place, request, series, call);
      else if (each === 'records') yield* this.#records(place, request, call);
      else yield* this.#kept(each, place, request, series, call);
    }
  }

  /** As they are now: what is written is declared before. */
  async #metrics({signal}: Call): Promise<ReadonlyMap<number, KnownMetric>> {
    const {byName} = await this.#catalog.current(signal, 0);
    return new Map([...byName.values()].map(metric => [metric.id, metric]));
  }

  async *#entities(place: Place | undefined, call: Call): Pages {
    if (place === undefined) {
      const page = new MetricExportPage<Series>();
      for (const metric of (await this.#metrics(call)).values()) page.addMetric(metric);
      yield {content: page.content(), resume: resumeOf('entities', [0, 0])};
    }
    let [last] = place ?? [0];
    for (;;) {
      const rows = await this.#database.query<[number, Scope, string, number | null, number | null]>(
        `SELECT id, scope, to_json(names)::text, first_seen, last_seen FROM entities WHERE id > $1 ORDER BY id LIMIT ${ENTITIES}`,
        [last],
        call.signal,
      );
      if (rows.length === 0) return;
      last = rows.at(-1)?.[0] ?? last;
      const page = new MetricExportPage<Series>();
      for (const [, scope, names, first, latest] of rows) {
        if (first === null || latest === null) continue;
        const entity = decodedEntity(scope, JSON.parse(names) as string[]);
        for (const minute of new Set([first, latest])) {
          page.addSightings([{scope, entity, time: minute * SECONDS_PER_MINUTE}]);
        }
      }
      yield {content: page.content(), resume: resumeOf('entities', [last, 0])};
    }
  }

  /** Partition by partition, the latest day first. */
  async *#minutes(
    [begun, begunSeries, begunMinute]: Place = [LAST, -1, '', NO_DIGEST],
    {from, to}: ExportRequest,
    series: SeriesNames,
    {signal}: Call,
  ): Pages {
    for (const day of await this.#days(signal)) {
      const isOut =
        (to !== undefined && day * SECONDS_PER_DAY >= to) ||
        (from !== undefined && (day + 1) * SECONDS_PER_DAY <= from);
      if (day > begun || isOut) continue;
      let [last, minute] = day === begun ? [begunSeries, Number(begunMinute)] : [-1, 0];
      for (;;) {
        const rows = await this.#database.query<[number, number, number]>(
          `SELECT series, bucket, value FROM "${partitionName(MINUTES, day * MINUTES.width)}"
           WHERE (series, bucket) > ($1::int, $2::int) AND bucket >= $3::bigint AND bucket < $4::bigint
           ORDER BY series, bucket LIMIT ${ROWS}`,
          [last, minute, minuteOf(from, -LAST), minuteOf(to, LAST)],
          signal,
        );
        const end = rows.at(-1);
        if (end === undefined) break;
        [last, minute] = end;
        const known = await series.of(rows.map(([id]) => id));
        const page = new MetricExportPage<Series>();
        for (const [id, bucket, value] of rows) {
          const found = known.get(id);
          if (found === undefined) continue;
          page.addMetric(found.metric);
          page.addSample(found.series, found.series, bucket * SECONDS_PER_MINUTE, value);
        }
        yield {content: page.content(), resume: resumeOf('minutes', [day, last, String(minute)])};
      }
    }
  }

  /** The days of which there are minutes, the latest first. */
  async #days(signal: AbortSignal): Promise<readonly number[]> {
    const rows = await this.#database.query<[number]>(
      `SELECT (regexp_match(pg_get_expr(c.relpartbound, c.oid), 'FROM \\(''?(-?\\d+)'))[1]::int AS first
       FROM pg_inherits i JOIN pg_class c ON c.oid = i.inhrelid
       WHERE i.inhparent = 'minutes'::regclass ORDER BY first DESC`,
      [],
      signal,
    );
    return rows.map(([first]) => first / MINUTES.width);
  }

  /** Hours and days of before the border of minutes, series by series. */
  async *#kept(
    section: 'hours' | 'days',
    [begun, begunBucket]: Place = [-1, -LAST, '', NO_DIGEST],
    {from = Number.NEGATIVE_INFINITY, to = Number.POSITIVE_INFINITY}: ExportRequest,
    series: SeriesNames,
    {signal}: Call,
  ): Pages {
    const [[border = null] = []] = await this.#database.query<[number | null]>(
      'SELECT minute_border FROM store',
      [],
      signal,
    );
    if (border === null) return;
    const hours = Math.ceil((border * SECONDS_PER_MINUTE) / SECONDS_PER_HOUR);
    const [step, seconds, before] =
      section === 'hours'
        ? (['hour', SECONDS_PER_HOUR, hours] as const)
        : (['day', SECONDS_PER_DAY, Math.ceil(hours / HOURS_PER_DAY)] as const);
    let [last, lastBucket] = [begun, begunBucket];
    for (;;) {
      const rows = await this.#database.query<[number, number, number, string, number, number, number]>(
        `SELECT series, bucket, count, to_json(${TERMS})::text, min, max, latest FROM ${section}
         WHERE (series, bucket) > ($1::int, $2::int) AND bucket < $3::bigint ORDER BY series, bucket LIMIT ${ROWS}`,
        [last, lastBucket, before],
        signal,
      );
      const end = rows.at(-1);
      if (end === undefined) return;
      [last, lastBucket] = end;
      const known = await series.of(rows.map(([id]) => id));
      const page = new MetricExportPage<Series>();
      for (const [id, bucket, minutes, terms, min, max, latest] of rows) {
        const found = known.get(id);
        const time = bucket * seconds;
        if (found === undefined || time < from || time >= to) continue;
        const rollup = rollupAt(found.metric.rollups, Math.floor(time / SECONDS_PER_HOUR));
        const one = {min: [min], max: [max], latest: [latest], avg: undefined, sum: undefined}[rollup];
        const rolled = {step, time, minutes, terms: one ?? nonZero(JSON.parse(terms) as number[])};
        page.addMetric(found.metric);
        page.addKept(found.series, found.series, rolled);
      }
      yield {content: page.content(), resume: resumeOf(section, [last, lastBucket])};
    }
  }

  /** Metric by metric, in the order of the table's key. */
  async *#records(place: Place | undefined, {from, to}: ExportRequest, call: Call): Pages {
    const metrics = [...(await this.#metrics(call)).values()].sort((a, b) => a.id - b.id);
    for (const metric of metrics) {
      const {id, definition} = metric;
      if (definition.kind !== 'sampled-record' || (place !== undefined && id < place[0])) continue;
      let last: Place | undefined = place?.[0] === id ? place : undefined;
      for (;;) {
        const behind = last === undefined ? '' : 'AND (service, bucket, digest) > ($4::uuid, $5::bigint, $6::uuid)';
        const rows = await this.#database.query<[string, number, string, string, string, number, string | null]>(
          `SELECT service::text, bucket::float8, digest::text, to_json(e.names)::text, content, value, trace
           FROM records r JOIN entities e ON e.id = r.entity
           WHERE metric = $1 AND bucket >= $2::bigint AND bucket < $3::bigint ${behind}
           ORDER BY service, bucket, digest LIMIT ${ROWS}`,
          [id, from ?? -(2 ** 52), to ?? 2 ** 52, ...(last === undefined ? [] : [last[2], last[1], last[3]])],
          call.signal,
        );
        const end = rows.at(-1);
        if (end === undefined) break;
        last = [id, end[1], plainKey(end[0]), plainKey(end[2])];
        const page = new MetricExportPage<Series>();
        page.addMetric(metric);
        for (const [, time, , names, content, value, trace] of rows) {
          const entity = decodedEntity(definition.scope, JSON.parse(names) as string[]);
          const record = {metric: definition.name, entity, content: decodeText(content), time, value};
          page.addRecord(trace === null ? record : {...record, traceId: decodeText(trace)});
        }
        yield {content: page.content(), resume: resumeOf('records', last)};
      }
    }
  }
}

function minuteOf(time: number | undefined, otherwise: number): number {
  return time === undefined ? otherwise : Math.ceil(time / SECONDS_PER_MINUTE);
}

/** Pieces of a sum are mostly zero. */
function nonZero(terms: readonly number[]): readonly number[] {
  const some = terms.filter(term => term !== 0);
  return some.length === 0 ? [0] : some;
}

function resumeOf(
  section: Section,
  [a, b, c = '', d = NO_DIGEST]: readonly [number, number, string?, string?],
): string {
  return encodeResume(KIND, [section, a, b, c, d]);
}

import type {
  Call,
  ExportPage,
  ExportRequest,
  MetricExport,
  MetricExporter,
  Sighting,
} from '../../../core/api/adapter.js';
import {decodeResume, encodeResume} from '../../../core/toolkit/resume.js';
import {
  HOURS_PER_DAY,
  MINUTES_PER_HOUR,
  SECONDS_PER_DAY,
  SECONDS_PER_HOUR,
  SECONDS_PER_MINUTE,
} from '../../../core/toolkit/time.js';
import {pause} from '../../../core/toolkit/yielder.js';
import type {EmbeddedCatalog} from '../metrics/catalog.js';
import type {MetricRecord, SeriesRecord} from '../metrics/metric-records.js';
import {ascending, seriesWindow} from '../metrics/series-window.js';
import type {ReaderPool} from '../threads/reader-pool.js';
import {PageBuilder} from './page-builder.js';

const KIND = 'metrics';
const SECTIONS = ['entities', 'minutes', 'hours', 'days', 'records'] as const;
type Section = (typeof SECTIONS)[number];

const ENTITIES_PER_PAGE = 5000;
const SERIES_PER_READ = 128;
/** Pages on their way are written again when a copy has been killed, so they are not large. */
const SAMPLES_PER_PAGE = 7500;

/** Where a section goes on: behind what these say, whose meaning is the section's own. */
type Place = readonly [a: number, b: number, c: number, digest: string];

type Pages = AsyncGenerator<ExportPage<MetricExport>>;

/** Lists what the catalog knows, and has the values read by a reading thread. */
export class EmbeddedMetricExporter implements MetricExporter {
  readonly #catalog: EmbeddedCatalog;
  readonly #readers: ReaderPool;
  readonly #minutesCutOff: () => number;

  /** `minutesCutOff` is the hour before which minutes may be gone. */
  constructor(catalog: EmbeddedCatalog, readers: ReaderPool, minutesCutOff: () => number) {
    this.#catalog = catalog;
    this.#readers = readers;
    this.#minutesCutOff = minutesCutOff;
  }

  async *pages(request: ExportRequest, call: Call): Pages {
    const {after} = request;
    const [section = 'entities', ...place] =
      after === undefined ? [] : decodeResume(KIND, after, ['string', 'number', 'number', 'number', 'string']);
    const first = SECTIONS.indexOf(section as Section);
    for (const [i, name] of SECTIONS.entries()) {
      const from = i === first && after !== undefined ? (place as unknown as Place) : undefined;
      if (i >= first) yield* this.#section(name, from, request, call);
    }
  }

  #section(section: Section, place: Place | undefined, request: ExportRequest, call: Call): Pages {
    if (section === 'entities') return this.#entities(place, call);
    if (section === 'minutes') return this.#minutes(place, request, call);
    return section === 'records' ? this.#records(place, request, call) : this.#kept(section, place, request, call);
  }

  /** By their ids; the first page has all metrics too. */
  async *#entities([begun]: Place = [-1, 0, 0, ''] as const, call: Call): Pages {
    let page = new PageBuilder();
    if (begun < 0) for (const metric of this.#metrics()) page.addMetric(metric);
    const {size} = this.#catalog.entities;
    for (let from = Math.max(0, begun); ; from += ENTITIES_PER_PAGE) {
      const end = Math.min(from + ENTITIES_PER_PAGE, size);
      for (let id = from; id < end; id++) page.addSightings(this.#sightings(id));
      yield {content: page.content(), resume: resumeOf('entities', [Math.max(end, 0)])};
      if (end >= size) return;
      page = new PageBuilder();
      await pause(call);
    }
  }

  #sightings(id: number): readonly Sighting[] {
    const record = this.#catalog.entities.byId(id);
    if (record === undefined || record.last < record.first) return [];
    const {scope, entity, first, last} = record;
    const times = first === last ? [first] : [first, last];
    return times.map(minute => ({scope, entity, time: minute * SECONDS_PER_MINUTE}));
  }

  /** The latest hour first, and in it metric by metric. */
  async *#minutes(
    place: Place = [Number.MAX_SAFE_INTEGER, -1, -1, ''],
    {from = Number.NEGATIVE_INFINITY, to = Number.POSITIVE_INFINITY}: ExportRequest,
    call: Call,
  ): Pages {
    const [begun, begunMetric, begunSeries] = place;
    let page = new PageBuilder();
    let resume = '';
    let before = Math.min(begun === Number.MAX_SAFE_INTEGER ? begun : begun + 1, Math.ceil(to / SECONDS_PER_HOUR));
    for (;;) {
      const hour = await this.#readers.call('newestHour', {before, step: 'minute'}, call.signal);
      if (hour === null || (hour + 1) * SECONDS_PER_HOUR <= from) break;
      before = hour;
      for (const metric of this.#metrics()) {
        if (hour === begun && metric.id < begunMetric) continue;
        const done = hour === begun && metric.id === begunMetric ? begunSeries : -1;
        for (const series of parts(ascending(metric.series).filter(({id}) => id > done))) {
          const window = {step: 'minute', first: hour * SECONDS_PER_HOUR, count: MINUTES_PER_HOUR} as const;
          const {values} = await this.#readers.call('values', seriesWindow(metric, series, window), call.signal);
          page.addHour(series, values, {hour, from, to});
          resume = resumeOf('minutes', [hour, metric.id, series.at(-1)?.id ?? -1]);
          if (page.samples < SAMPLES_PER_PAGE) continue;
          yield {content: page.content(), resume};
          page = new PageBuilder();
        }
      }
    }
    if (resume !== '') yield {content: page.content(), resume};
  }

  /** Metric by metric, and of each the latest first. */
  async *#kept(
    section: 'hours' | 'days',
    [begun, row, series]: Place = [-1, Number.MAX_SAFE_INTEGER, 0, ''],
    {from = Number.NEGATIVE_INFINITY, to = Number.POSITIVE_INFINITY}: ExportRequest,
    call: Call,
  ): Pages {
    const cutOff = this.#minutesCutOff();
    if (!Number.isFinite(cutOff)) return;
    const [step, seconds, before] =
      section === 'hours'
        ? (['hour', SECONDS_PER_HOUR, cutOff] as const)
        : (['day', SECONDS_PER_DAY, Math.ceil(cutOff / HOURS_PER_DAY)] as const);
    for (const metric of this.#metrics()) {
      if (metric.id < begun) continue;
      let last = metric.id === begun ? {row, series} : {row: Number.MAX_SAFE_INTEGER, series: 0};
      for (;;) {
        const request = {table: section, metric: metric.id, ...last, before};
        const rows = await this.#readers.call('keptRows', request, call.signal);
        if (rows.last === null) break;
        last = rows.last;
        const page = new PageBuilder();
        for (const [i, bucket] of rows.bucket.entries()) {
          const kept = {step, time: bucket * seconds, minutes: rows.minutes[i] ?? 0, terms: rows.terms[i] ?? []};
          const record = this.#catalog.series(rows.series[i] ?? -1);
          if (record !== undefined && kept.time >= from && kept.time < to) page.addKept(record, kept);
        }
        yield {content: page.content(), resume: resumeOf(section, [metric.id, last.row, last.series])};
      }
    }
  }

  /** Metric by metric, in the order of the table. */
  async *#records(
    [begun, ...key]: Place = [-1, -1, 0, ''],
    {from = Number.MIN_SAFE_INTEGER, to = Number.MAX_SAFE_INTEGER}: ExportRequest,
    call: Call,
  ): Pages {
    for (const metric of this.#metrics()) {
      if (metric.id < begun || metric.declared.kind !== 'sampled-record') continue;
      const [service, time, digest] = key;
      let place = metric.id === begun ? {service, time, digest} : {service: -1, time: 0, digest: ''};
      for (;;) {
        const request = {metric: metric.id, place, from, to};
        const {records, last} = await this.#readers.call('recordPage', request, call.signal);
        if (last === null) break;
        place = last;
        const page = new PageBuilder();
        for (const {entity: id, content, time: second, value, traceId} of records) {
          const entity = this.#catalog.entities.byId(id)?.entity;
          if (entity === undefined) continue;
          const record = {metric: metric.declared.name, entity, content, time: second, value};
          page.addRecord(metric, traceId === null ? record : {...record, traceId});
        }
        yield {content: page.content(), resume: resumeOf('records', [metric.id, last.service, last.time, last.digest])};
      }
    }
  }

  /** Those that readers see, by id. */
  #metrics(): readonly MetricRecord[] {
    const known = [...this.#catalog.metrics.all()].filter(({definition}) => definition !== undefined);
    return known.sort((a, b) => a.id - b.id);
  }
}

function resumeOf(
  section: Section,
  [a, b = 0, c = 0, digest = '']: readonly [number, number?, number?, string?],
): string {
  return encodeResume(KIND, [section, a, b, c, digest]);
}

function* parts(series: readonly SeriesRecord[]): Iterable<readonly SeriesRecord[]> {
  for (let from = 0; from < series.length; from += SERIES_PER_READ) yield series.slice(from, from + SERIES_PER_READ);
}

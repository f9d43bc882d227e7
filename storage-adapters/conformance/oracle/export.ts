import {
  type Call,
  type ExportPage,
  type ExportRequest,
  GatewayError,
  type HistoryWriter,
  type KeptBucket,
  type MetricExport,
  type MetricExporter,
  type RecordInput,
  type Series,
  STEP_SECONDS,
  type TraceExporter,
} from '../../../core/api/adapter.js';
import {batch, type SampleInput} from '../data/metrics.js';
import type {OracleMetadata} from './metadata.js';
import type {OracleMetrics} from './metrics.js';

const EVER = {from: Number.NEGATIVE_INFINITY, to: Number.POSITIVE_INFINITY};
/** The place behind declarations and entities. */
const FIRST_PLACE = Number.MAX_SAFE_INTEGER;

/** What there is of a day. */
interface Day {
  readonly samples: SampleInput[];
  readonly records: RecordInput[];
  readonly kept: (Omit<KeptBucket, 'series'> & {readonly of: Series})[];
}

/** Everything of metrics: first what is declared and who is known, then a page for each day, the latest first. */
export class OracleMetricExporter implements MetricExporter {
  readonly #metrics: OracleMetrics;
  readonly #metadata: OracleMetadata;

  constructor(metrics: OracleMetrics, metadata: OracleMetadata) {
    this.#metrics = metrics;
    this.#metadata = metadata;
  }

  async *pages(request: ExportRequest, {signal}: Call): AsyncGenerator<ExportPage<MetricExport>> {
    const {after, from, to} = {...EVER, ...request};
    const isIn = (time: number): boolean => time >= from && time < to;
    const place = after === undefined ? undefined : placeIn('metrics', after);
    if (place === undefined) {
      const first = {...this.#page({samples: [], records: [], kept: []}), sightings: this.#metadata.sightings()};
      yield {content: first, resume: resumeAt('metrics', FIRST_PLACE)};
    }
    for (const [day, content] of this.#days(isIn)) {
      signal.throwIfAborted();
      if (day >= (place ?? FIRST_PLACE)) continue;
      yield {content: this.#page(content), resume: resumeAt('metrics', day)};
    }
  }

  /** Every day, the latest first, with those of its times that are wanted. */
  #days(isWanted: (time: number) => boolean): readonly (readonly [number, Day])[] {
    const days = new Map<number, Day>();
    const dayWith = (time: number): Day => {
      const day = days.get(dayOf(time)) ?? {samples: [], records: [], kept: []};
      days.set(dayOf(time), day);
      return day;
    };
    for (const {minutes, kept, ...series} of this.#metrics.allSeries()) {
      for (const [time, value] of minutes) {
        const {samples} = dayWith(time);
        if (isWanted(time)) samples.push({...series, time, value});
      }
      for (const step of ['hour', 'day'] as const) {
        for (const [time, rest] of kept[step]) {
          const day = dayWith(time);
          if (isWanted(time)) day.kept.push({of: series, step, time, ...rest});
        }
      }
    }
    for (const record of this.#metrics.allRecords()) {
      const {records} = dayWith(record.time);
      if (isWanted(record.time)) records.push(record);
    }
    return [...days].sort(([a], [b]) => b - a);
  }

  #page({samples, records, kept}: Day): MetricExport {
    const series = [...new Set(kept.map(({of}) => of))];
    const places = new Map(series.map((one, place) => [one, place]));
    const values = kept.map(({of, ...bucket}) => ({series: places.get(of) ?? 0, ...bucket}));
    return {...batch({samples, records}), metrics: this.#metrics.histories(), kept: {series, values}};
  }
}

function dayOf(time: number): number {
  return Math.floor(time / STEP_SECONDS.day);
}

export class OracleHistoryWriter implements HistoryWriter {
  readonly #metrics: OracleMetrics;

  constructor(metrics: OracleMetrics) {
    this.#metrics = metrics;
  }

  async write({metrics, kept, ...rest}: MetricExport): Promise<void> {
    await this.#metrics.write({metrics: metrics.map(({definition}) => definition), ...emptyBatch()});
    for (const history of metrics) this.#metrics.adopt(history);
    await this.#metrics.write({...rest, metrics: []});
    for (const {series: index, ...bucket} of kept.values) {
      const series = kept.series[index];
      if (series !== undefined) this.#metrics.keep(series, {series: index, ...bucket});
    }
  }
}

function emptyBatch() {
  const {sightings, samples, records} = batch({});
  return {sightings, samples, records};
}

type Kind = 'compat' | 'native' | 'otlp';

interface ExportedTraces<Fragment> {
  exported(request: ExportRequest): readonly (readonly Fragment[])[];
}

/** Whole traces, a few on a page, in the order in which they came. */
export class OracleTraceExporter<Fragment> implements TraceExporter<Fragment> {
  readonly #kind: Kind;
  readonly #traces: ExportedTraces<Fragment>;

  constructor(kind: Kind, traces: ExportedTraces<Fragment>) {
    this.#kind = kind;
    this.#traces = traces;
  }

  async *pages(request: ExportRequest, {signal}: Call): AsyncGenerator<ExportPage<readonly Fragment[]>> {
    const {after} = request;
    let done = after === undefined ? 0 : placeIn(this.#kind, after);
    for (const content of this.#traces.exported(request).slice(done)) {
      signal.throwIfAborted();
      yield {content, resume: resumeAt(this.#kind, ++done)};
    }
  }
}

function resumeAt(kind: string, place: number): string {
  return `${kind} ${place}`;
}

function placeIn(kind: string, text: string): number {
  const [found, place, ...rest] = text.split(' ');
  if (found === kind && place !== undefined && /^-?\d+$/.test(place) && rest.length === 0) return Number(place);
  throw new GatewayError('bad_request', `after is no place in the export of ${kind}`);
}

import {
  type Call,
  type ExportPage,
  type ExportRequest,
  GatewayError,
  type HistoryWriter,
  type KeptBucket,
  type MetricExport,
  type MetricExporter,
  type Series,
  STEP_SECONDS,
  type TraceExporter,
} from '../../../core/api/adapter.js';
import {batch} from '../data/metrics.js';
import type {OracleMetadata} from './metadata.js';
import type {OracleMetrics} from './metrics.js';

const EVER = {from: Number.NEGATIVE_INFINITY, to: Number.POSITIVE_INFINITY};
/** The place behind declarations and entities. */
const FIRST_PLACE = Number.MAX_SAFE_INTEGER;

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
      const first = {...this.#values(() => false), sightings: this.#metadata.sightings()};
      yield {content: first, resume: resumeAt('metrics', FIRST_PLACE)};
    }
    for (const day of this.#days()) {
      signal.throwIfAborted();
      if (day >= (place ?? FIRST_PLACE)) continue;
      const content = this.#values(time => dayOf(time) === day && isIn(time));
      yield {content, resume: resumeAt('metrics', day)};
    }
  }

  #days(): readonly number[] {
    const times = this.#metrics
      .allSeries()
      .flatMap(({minutes, kept}) => [...minutes.keys(), ...kept.hour.keys(), ...kept.day.keys()]);
    for (const {time} of this.#metrics.allRecords()) times.push(time);
    return [...new Set(times.map(dayOf))].sort((a, b) => b - a);
  }

  #values(isWanted: (time: number) => boolean): MetricExport {
    const all = this.#metrics.allSeries();
    const samples = all.flatMap(({minutes, ...series}) =>
      [...minutes].filter(([time]) => isWanted(time)).map(([time, value]) => ({...series, time, value})),
    );
    const records = this.#metrics.allRecords().filter(({time}) => isWanted(time));
    const series: Series[] = [];
    const values: KeptBucket[] = [];
    for (const {metric, entity, labels, kept} of all) {
      const place = series.push({metric, entity, labels}) - 1;
      for (const step of ['hour', 'day'] as const) {
        for (const [time, rest] of kept[step]) if (isWanted(time)) values.push({series: place, step, time, ...rest});
      }
    }
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

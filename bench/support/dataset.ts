import type {Entity, MetricBatch, MetricDefinition, Series} from '../../core/api/adapter.js';

/**
 * The data of the metric benchmarks: services × instances, each with two common metrics and one percentile metric of
 * five values, so seven series an instance, one sample a minute. Values are a pure function of series and minute, so
 * every store gets the same ones in whatever order it likes.
 */
export interface DatasetShape {
  readonly services: number;
  readonly instances: number;
  readonly minutes: number;
  /** The start of the first minute in Unix seconds, a full hour. */
  readonly start: number;
}

export const PERCENTILES = ['50', '75', '90', '95', '99'] as const;
/** Two common metrics beside the percentiles. */
export const SERIES_PER_INSTANCE = 2 + PERCENTILES.length;
export const LAYER = 'GENERAL';

const metric = (name: string, labeled: boolean): MetricDefinition => ({
  name,
  scope: 'ServiceInstance',
  kind: labeled ? 'labeled' : 'common',
  type: 'gauge',
  help: '',
  unit: '',
  rollup: 'avg',
  valueLabels: labeled ? ['p'] : [],
});

export const METRICS: readonly MetricDefinition[] = [
  metric('instance_cpm', false),
  metric('instance_resp_time', false),
  metric('instance_percentile', true),
];

export const serviceName = (index: number): string => `service-${String(index).padStart(3, '0')}`;
export const instanceName = (service: number, index: number): string =>
  `${serviceName(service)}-pod-${String(index).padStart(2, '0')}`;

/** Every series, by service, then instance, then metric: index order is the order of `valueAt`. */
export function allSeries(shape: DatasetShape): readonly Series[] {
  const series: Series[] = [];
  for (let s = 0; s < shape.services; s++) {
    for (let i = 0; i < shape.instances; i++) {
      const entity: Entity = {layer: LAYER, service: serviceName(s), serviceInstance: instanceName(s, i)};
      series.push({metric: 'instance_cpm', entity, labels: {}});
      series.push({metric: 'instance_resp_time', entity, labels: {}});
      for (const p of PERCENTILES) series.push({metric: 'instance_percentile', entity, labels: {p}});
    }
  }
  return series;
}

/** A whole-number value with a daily curve and noise, as counters and latencies of services have. */
export function valueAt(seriesIndex: number, minute: number): number {
  const noise = (Math.imul(seriesIndex + 1, 2654435761) ^ Math.imul(minute + 1, 40503)) >>> 22;
  return 200 + (seriesIndex % 97) + ((minute % 1440) >> 3) + (noise % 50);
}

/** One batch a minute, in the order in which data arrives. */
export function* minuteBatches(shape: DatasetShape, minutesPerBatch = 1): Generator<MetricBatch> {
  const series = allSeries(shape);
  for (let minute = 0; minute < shape.minutes; minute += minutesPerBatch) {
    const width = Math.min(minutesPerBatch, shape.minutes - minute);
    const size = series.length * width;
    const index = new Uint32Array(size);
    const time = new Float64Array(size);
    const value = new Float64Array(size);
    for (let m = 0, at = 0; m < width; m++) {
      for (let s = 0; s < series.length; s++, at++) {
        index[at] = s;
        time[at] = shape.start + (minute + m) * 60;
        value[at] = valueAt(s, minute + m);
      }
    }
    yield {metrics: minute === 0 ? METRICS : [], sightings: [], samples: {series, index, time, value}, records: []};
  }
}

/** The same minute as metric records, one JSON object a line: a body for the ingest path or a file for `load`. */
export function* recordLines(shape: DatasetShape): Generator<string> {
  for (const {name, scope, kind, valueLabels} of METRICS) {
    yield `${JSON.stringify({record: 'metric', name, scope, kind, ...(kind === 'labeled' ? {valueLabels} : {})})}\n`;
  }
  const heads = allSeries(shape).map(({metric: name, entity, labels}) => {
    const head = {record: 'sample', metric: name, ...entity, ...(name === 'instance_percentile' ? {labels} : {})};
    return JSON.stringify(head).slice(0, -1);
  });
  for (let minute = 0; minute < shape.minutes; minute++) {
    const time = shape.start + minute * 60;
    yield heads.map((head, s) => `${head},"time":${time},"value":${valueAt(s, minute)}}\n`).join('');
  }
}

/** The data as OpenMetrics text for `promtool tsdb create-blocks-from openmetrics`: a family's samples together. */
export function* openMetrics(shape: DatasetShape): Generator<string> {
  const series = allSeries(shape);
  for (const {name} of METRICS) {
    yield `# TYPE ${name} gauge\n`;
    for (let s = 0; s < series.length; s++) {
      const one = series[s];
      if (one?.metric !== name) continue;
      const p = one.labels.p === undefined ? '' : `,p="${one.labels.p}"`;
      const {layer, service, serviceInstance} = one.entity;
      const head = `${name}{layer="${layer}",service="${service}",service_instance="${serviceInstance}"${p}}`;
      let text = '';
      for (let minute = 0; minute < shape.minutes; minute++) {
        text += `${head} ${valueAt(s, minute)} ${shape.start + minute * 60}\n`;
      }
      yield text;
    }
  }
  yield '# EOF\n';
}

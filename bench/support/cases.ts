import type {Call, MetricDefinition, Readers} from '../../core/api/adapter.js';
import {type DatasetShape, instanceName, LAYER, METRICS, PERCENTILES, serviceName} from './dataset.js';

/** One question, asked of the gateway, of Prometheus and of the adapter itself. */
export interface Case {
  readonly name: string;
  /** The paths of `variants` different requests, which a run walks through. */
  readonly gateway: readonly string[];
  readonly prometheus: readonly string[];
  /** The read that the gateway does for variant `index`. */
  readonly direct: (readers: Readers, index: number, call: Call) => Promise<unknown>;
}

const VARIANTS = 200;

function metricNamed(name: string): MetricDefinition {
  const found = METRICS.find(metric => metric.name === name);
  if (found === undefined) throw new Error(`no metric ${name}`);
  return found;
}

function required<T>(value: T | undefined): T {
  if (value === undefined) throw new Error('the adapter supplies no reader');
  return value;
}

/** The cases of the metric queries, over the last hour of the data set. */
export function metricCases(shape: DatasetShape): readonly Case[] {
  const end = shape.start + (shape.minutes - 1) * 60;
  const hour = {step: 'minute', first: end - 3600, count: 61} as const;
  const latest = {step: 'minute', first: end - 120, count: 3} as const;
  const variants = Array.from({length: VARIANTS}, (_, i) => i);
  const serviceOf = (i: number): number => (i * 7) % shape.services;
  const instanceOf = (i: number): string => instanceName(serviceOf(i), i % shape.instances);
  const entityOf = (i: number) => ({layer: LAYER, service: serviceName(serviceOf(i)), serviceInstance: instanceOf(i)});
  const selector = (metric: string, i: number, more = ''): string =>
    `${metric}{layer='${LAYER}',service='${serviceName(serviceOf(i))}',service_instance='${instanceOf(i)}'${more}}`;
  const ranked = (i: number): string =>
    `sum by (service) (instance_cpm{layer='${LAYER}',parent_service='${serviceName(serviceOf(i))}',top_n='10',order='DES'})`;
  const summed = (i: number): string =>
    `sum by (service) (instance_cpm{layer='${LAYER}',service='${serviceName(serviceOf(i))}'})`;

  const instant = (query: string): string => `/api/v1/query?query=${encodeURIComponent(query)}&time=${end}`;
  const range = (query: string): string =>
    `/api/v1/query_range?query=${encodeURIComponent(query)}&start=${end - 3600}&end=${end}&step=60`;
  const values = (match: string): string =>
    `/api/v1/label/service_instance/values?match[]=${encodeURIComponent(match)}&start=${end - 3600}&end=${end}`;
  const series = (match: string): string =>
    `/api/v1/series?match[]=${encodeURIComponent(match)}&start=${end - 3600}&end=${end}`;
  const noFilters = new Map<string, readonly string[]>();

  return [
    {
      name: 'instant, 1 series',
      gateway: variants.map(i => instant(selector('instance_cpm', i))),
      prometheus: variants.map(i => instant(selector('instance_cpm', i))),
      direct: (readers, i, call) =>
        required(readers['metrics.query.v1']).values(
          {metric: metricNamed('instance_cpm'), entity: entityOf(i), valueFilters: noFilters, window: latest},
          call,
        ),
    },
    {
      name: 'range 1 h, 1 series',
      gateway: variants.map(i => range(selector('instance_cpm', i))),
      prometheus: variants.map(i => range(selector('instance_cpm', i))),
      direct: (readers, i, call) =>
        required(readers['metrics.query.v1']).values(
          {metric: metricNamed('instance_cpm'), entity: entityOf(i), valueFilters: noFilters, window: hour},
          call,
        ),
    },
    {
      name: 'range 1 h, sum by over 10 instances',
      gateway: variants.map(i => range(ranked(i))),
      prometheus: variants.map(i => range(summed(i))),
      direct: (readers, i, call) =>
        required(readers['metrics.query.v1']).ranking(
          {
            metric: metricNamed('instance_cpm'),
            layer: LAYER,
            parentService: serviceName(serviceOf(i)),
            order: 'DES',
            limit: 10,
            window: hour,
          },
          call,
        ),
    },
    {
      name: 'range 1 h, 5 percentiles',
      gateway: variants.map(i => range(selector('instance_percentile', i, `,p='${PERCENTILES.join(',')}'`))),
      prometheus: variants.map(i => range(selector('instance_percentile', i, `,p=~'${PERCENTILES.join('|')}'`))),
      direct: (readers, i, call) =>
        required(readers['metrics.query.v1']).values(
          {
            metric: metricNamed('instance_percentile'),
            entity: entityOf(i),
            valueFilters: new Map([['p', PERCENTILES]]),
            window: hour,
          },
          call,
        ),
    },
    {
      name: 'label values, 10 instances',
      gateway: variants.map(i => values(`instance_traffic{layer='${LAYER}',service='${serviceName(serviceOf(i))}'}`)),
      prometheus: variants.map(i => values(`instance_cpm{layer='${LAYER}',service='${serviceName(serviceOf(i))}'}`)),
      direct: async (readers, i, call) => {
        const seen = {from: end - (end % 86_400), to: end};
        const request = {layer: LAYER, service: serviceName(serviceOf(i)), seen};
        for await (const page of required(readers['metadata.query.v1']).instances(request, call)) void page;
      },
    },
    {
      // Prometheus 2.42 knows no limit; without a selector it lists from its index, which is the least it can do.
      name: 'label values, first 10 services',
      gateway: [
        `/api/v1/label/service/values?match[]=${encodeURIComponent(`service_traffic{layer='${LAYER}'}`)}&limit=10`,
      ],
      prometheus: ['/api/v1/label/service/values?limit=10'],
      direct: async (readers, _i, call) => {
        for await (const page of required(readers['metadata.query.v1']).services({layer: LAYER}, call)) void page;
      },
    },
    {
      name: 'series, 10 instances',
      gateway: variants.map(i => series(`instance_traffic{layer='${LAYER}',service='${serviceName(serviceOf(i))}'}`)),
      prometheus: variants.map(i => series(`instance_cpm{layer='${LAYER}',service='${serviceName(serviceOf(i))}'}`)),
      direct: async (readers, i, call) => {
        const request = {layer: LAYER, service: serviceName(serviceOf(i)), seen: {from: end - 3600, to: end}};
        for await (const page of required(readers['metadata.query.v1']).instances(request, call)) void page;
      },
    },
    {
      name: 'names of metrics',
      gateway: ['/api/v1/label/__name__/values'],
      prometheus: ['/api/v1/label/__name__/values'],
      direct: (readers, _i, call) => required(readers['metrics.query.v1']).catalog(call),
    },
  ];
}

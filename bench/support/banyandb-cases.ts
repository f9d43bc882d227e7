import type {NativeTraceReader, Readers, SpanFilter} from '../../core/api/adapter.js';
import {call} from '../../storage-adapters/conformance/call.js';
import {SERVICE} from './banyandb-data.js';

/** One question, to the readers and to the gateway. */
export interface BanyanDBCase {
  readonly name: string;
  readonly direct: (readers: Readers) => Promise<unknown>;
  readonly gateway: {readonly of: 'metrics' | 'traces'; readonly path: string};
}

const DAY = 86_400;

export function banyandbCases(end: number): readonly BanyanDBCase[] {
  return [...metricCases(end), ...traceCases(end)];
}

function metricCases(end: number): readonly BanyanDBCase[] {
  const labels = `layer="${SERVICE.layer}",service="${SERVICE.service}"`;
  const range = (query: string, minutes: number): string =>
    `/api/v1/query_range?query=${encodeURIComponent(query)}&start=${end - minutes * 60}&end=${end - 60}&step=60`;
  const metricOf = async ({'metrics.query.v1': metrics}: Readers, name: string) => {
    const metric = (await metrics?.catalog(call))?.find(one => one.name === name);
    if (metrics === undefined || metric === undefined) throw new Error(`there is no ${name}`);
    return {metrics, metric};
  };
  return [
    {
      name: 'values of a service, 60 minutes',
      direct: async readers => {
        const {metrics, metric} = await metricOf(readers, 'service_cpm');
        const window = {step: 'minute', first: end - 3600, count: 60} as const;
        return metrics.values({metric, entity: SERVICE, valueFilters: new Map(), window}, call);
      },
      gateway: {of: 'metrics', path: range(`service_cpm{${labels}}`, 60)},
    },
    {
      name: 'ranking of 1,000 endpoints, 30 minutes',
      direct: async readers => {
        const {metrics, metric} = await metricOf(readers, 'endpoint_cpm');
        const window = {step: 'minute', first: end - 1800, count: 30} as const;
        const {layer, service} = SERVICE;
        return metrics.ranking({metric, layer, parentService: service, order: 'DES', limit: 10, window}, call);
      },
      gateway: {
        of: 'metrics',
        path: range(
          `endpoint_cpm{layer="${SERVICE.layer}",parent_service="${SERVICE.service}",top_n="10",order="DES"}`,
          30,
        ),
      },
    },
  ];
}

function traceCases(end: number): readonly BanyanDBCase[] {
  const window = {from: (end - DAY) * 1_000_000, to: end * 1_000_000};
  const native = ({'traces.native.v2': reader}: Readers): NativeTraceReader => {
    if (reader === undefined) throw new Error('there are no native traces');
    return reader;
  };
  const search = (name: string, filter: SpanFilter, query: string, limit: number): BanyanDBCase => ({
    name,
    direct: async readers => {
      let left = limit;
      for await (const _ of native(readers).search({filter, ...window}, call)) if (--left === 0) break;
    },
    gateway: {
      of: 'traces',
      path: `/native/api/search?q=${encodeURIComponent(query)}&start=${end - DAY}&end=${end}&limit=${limit}`,
    },
  });
  const service = {on: 'service', value: 'svc-3'} as const;
  const tag = {on: 'tag', key: 'http.method', value: 'GET'} as const;
  const id = Buffer.from('trace-17').toString('hex');
  return [
    {
      name: 'trace by id',
      direct: readers => native(readers).trace('trace-17', call),
      gateway: {of: 'traces', path: `/native/api/v2/traces/${id}`},
    },
    search('search, first 20 of 24 h', [], '{}', 20),
    search('search of a service, first 20', [service], '{resource.service.name="svc-3"}', 20),
    search('search of a service, all 97', [service], '{resource.service.name="svc-3"}', 1000),
    search('search of a tag, all 445', [tag], '{span.http.method="GET"}', 1000),
    search('search that finds nothing', [{on: 'service', value: 'nobody'}], '{resource.service.name="nobody"}', 20),
  ];
}

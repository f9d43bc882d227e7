import type {Fields} from '../support/http.js';
import {
  BUSY_HOUR,
  commonName,
  DAY,
  ENDPOINTS,
  entitiesOf,
  FIRST_DAY,
  type Keys,
  LABELED,
  ROLLUPS,
  SCOPES,
  type ScopeName,
  SERVICES,
} from './metric-records.js';
import type {SwapRequest} from './request.js';

const END = BUSY_HOUR + 3599;
/** Each answered in buckets of another length. */
const SPANS = {minute: 3599, hour: 20 * 3600, day: 3 * DAY} as const;
type Step = keyof typeof SPANS;

const LABEL_NAMES: Readonly<Record<string, string>> = {
  serviceInstance: 'service_instance',
  destLayer: 'dest_layer',
  destService: 'dest_service',
  destServiceInstance: 'dest_service_instance',
  destEndpoint: 'dest_endpoint',
};

function selector(metric: string, labels: Keys): string {
  const pairs = Object.entries(labels).map(([key, value]) => `${LABEL_NAMES[key] ?? key}=${JSON.stringify(value)}`);
  return `${metric}{${pairs.join(',')}}`;
}

const some = 'something';

function range(query: string, step: Step, finds: SwapRequest['finds'] = some): SwapRequest {
  const end = step === 'day' ? FIRST_DAY + 4 * DAY - 1 : END;
  const parameters = {query, start: String(end - SPANS[step]), end: String(end), step: '60'};
  return {listener: 'metrics', path: '/api/v1/query_range', parameters, finds};
}

function instant(query: string, finds: SwapRequest['finds'] = some): SwapRequest {
  return {listener: 'metrics', path: '/api/v1/query', parameters: {query, time: String(END)}, finds};
}

function metadata(path: string, parameters: Fields, finds: SwapRequest['finds'] = some): SwapRequest {
  return {listener: 'metrics', path: `/api/v1/${path}`, parameters: {end: String(END), ...parameters}, finds};
}

const SCOPE_NAMES = Object.keys(SCOPES) as ScopeName[];
const GENERAL = SERVICES.map(service => ({layer: 'GENERAL', service}));
const [SONGS = {}, APP = {}] = GENERAL;

function common(): readonly SwapRequest[] {
  return SCOPE_NAMES.flatMap((scope, s) =>
    ROLLUPS.flatMap((rollup, r) => {
      const entities = entitiesOf(scope);
      const one = selector(commonName(scope, rollup), entities[(s * 5 + r * 3) % entities.length] ?? {});
      return [
        range(one, 'hour'),
        range(one, 'day'),
        ...(r === s % 5 ? [range(one, 'minute'), range(`${one}[5m]`, 'day', 'an error')] : []),
      ];
    }),
  );
}

function labeled(): readonly SwapRequest[] {
  return LABELED.flatMap(({metric, scope, labels}) => {
    const [entity = {}] = entitiesOf(scope);
    const last = labels.at(-1) ?? {};
    return [
      range(selector(metric, entity), 'minute'),
      range(selector(metric, {...entity, ...last}), 'hour'),
      range(selector(metric, entity), 'day'),
      range(`sum by (p, code, pool) (${selector(metric, entity)})`, 'hour'),
      instant(`${selector(metric, entity)}`),
      metadata('labels', {'match[]': metric}),
      ...Object.keys(last).map(name => metadata(`label/${name}/values`, {'match[]': selector(metric, entity)})),
      metadata('series', {'match[]': selector(metric, entity), start: String(BUSY_HOUR)}),
    ];
  });
}

function calculations(): readonly SwapRequest[] {
  const songs = selector('service_avg', SONGS);
  const app = selector('service_avg', APP);
  const percentiles = selector('service_percentile', SONGS);
  return [
    ...['+', '-', '*', '/', '%'].flatMap(operator => [
      range(`${songs} ${operator} ${songs}`, 'minute'),
      range(`${songs} ${operator} 3`, 'hour'),
      range(`100 ${operator} ${percentiles}`, 'day'),
    ]),
    ...['==', '!=', '>', '<', '>=', '<='].flatMap(operator => [
      range(`${songs} ${operator} bool ${app}`, 'minute'),
      range(`${percentiles} ${operator} bool 100`, 'hour'),
    ]),
    range(`${songs} > ${app}`, 'minute'),
    ...['sum', 'min', 'max', 'avg'].flatMap(name => [
      range(`${name}(${percentiles})`, 'minute'),
      range(`${name} by (service) (${percentiles})`, 'hour'),
      range(`${name} without (p) (${selector('service_percentile', APP)})`, 'day'),
    ]),
    instant(songs),
    instant(`${songs}[30m]`),
    instant(`${percentiles}[2h]`),
    instant('1 + 2 * 3'),
    instant(selector('service_avg', {layer: 'GENERAL', service: 'nobody'}), 'nothing'),
    instant(selector('service_avgs', SONGS), 'an error'),
    instant(selector('service_avg', {layer: 'GENERAL'}), 'an error'),
    range(`${songs} ^ 2`, 'minute', 'an error'),
  ];
}

/** Rollups whose values of hours and days are multiples of 1/64 again, so that their sums have all digits. */
const EXACT = ROLLUPS.filter(rollup => rollup !== 'avg');

function rankings(): readonly SwapRequest[] {
  return (['ASC', 'DES'] as const).flatMap(order => [
    ...(['Service', 'ServiceInstance', 'Endpoint'] as const).flatMap(scope =>
      (['minute', 'hour', 'day'] as const).flatMap((step, i) => {
        const metric = commonName(
          scope,
          step === 'minute' ? 'avg' : (EXACT[(i + scope.length) % EXACT.length] ?? 'sum'),
        );
        const ranked = {layer: i === 1 ? 'MESH' : 'GENERAL', top_n: '5', order};
        return [
          range(selector(metric, ranked), step),
          ...(scope === 'Service' ? [] : [range(selector(metric, {...ranked, parent_service: SERVICES[3]}), step)]),
        ];
      }),
    ),
    ...SERVICES.flatMap(service =>
      ['top_statements', 'top_endpoints'].map(metric =>
        range(selector(metric, {layer: 'GENERAL', parent_service: service, top_n: '7', order}), 'minute'),
      ),
    ),
    instant(selector('top_statements', {layer: 'GENERAL', parent_service: 'nobody', top_n: '7', order}), 'nothing'),
    instant(selector('service_instance_avg', {layer: 'GENERAL', top_n: '100', order})),
  ]);
}

function entities(): readonly SwapRequest[] {
  const of = (metric: string, labels: Keys, more: Fields = {}) => ({'match[]': selector(metric, labels), ...more});
  const window = {start: String(FIRST_DAY), end: String(FIRST_DAY + 4 * DAY - 1)};
  return [
    metadata('label/layer/values', {'match[]': 'service_avg'}),
    metadata('label/__name__/values', {}),
    metadata('label/__name__/values', {limit: '7'}),
    metadata('labels', {}),
    metadata('metadata', {}),
    metadata('metadata', {metric: 'service_.*', limit: '3'}),
    metadata('labels', {'match[]': 'service_relation_avg'}),
    ...['GENERAL', 'MESH', 'SEEN'].flatMap(layer => [
      metadata('label/service/values', of('service_traffic', {layer}, window)),
      metadata('series', of('service_traffic', {layer}, window)),
      metadata('series', of('service_traffic', {layer}, {...window, limit: '2'})),
    ]),
    ...GENERAL.flatMap(service => [
      metadata('label/service_instance/values', of('instance_traffic', service, window)),
      metadata('label/endpoint/values', of('endpoint_traffic', service, window)),
      metadata('series', of('endpoint_traffic', {...service, keyword: 'songs', limit: '1'}, window), some),
    ]),
    metadata('series', {'match[]': "service_traffic{layer='GENERAL',service=~'.*(a|o).*'}", ...window}),
    metadata('series', {'match[]': "service_traffic{layer='GENERAL',service!~'s.*'}", ...window}),
    metadata(
      'label/endpoint/values',
      of('endpoint_traffic', {layer: 'SEEN', service: SERVICES[3], keyword: ENDPOINTS[3]}, window),
    ),
    metadata('label/endpoint/values', of('endpoint_traffic', {layer: 'SEEN', service: SERVICES[3]}), 'nothing'),
    metadata('label/service/values', of('service_traffic', {layer: 'NOWHERE'}), 'nothing'),
  ];
}

/** What a dashboard asks of the Prometheus query API. */
export const METRIC_REQUESTS: readonly SwapRequest[] = [
  ...common(),
  ...labeled(),
  ...calculations(),
  ...rankings(),
  ...entities(),
];

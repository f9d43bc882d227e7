import {type Draw, drawFrom, pick} from './random.js';

/** The start of a UTC day. Everything lies in the four days from here. */
export const FIRST_DAY = 19_676 * 86_400;
export const DAY = 86_400;
/** The start of the hour that has a value in nearly every minute. */
export const BUSY_HOUR = FIRST_DAY + DAY + 10 * 3600;

export const LAYERS = ['GENERAL', 'MESH'] as const;
export const SERVICES = ['songs', 'app', 'Gate, "way"', "it's 😀 \\ ü"] as const;
export const INSTANCES = ['pod-a', 'pod-B', 'pod,c'] as const;
export const ENDPOINTS = ['GET:/songs', 'POST:/songs', '/a?b=c%d', 'ß'] as const;
export const ROLLUPS = ['avg', 'sum', 'min', 'max', 'latest'] as const;
export const SCOPES = {
  Service: [],
  ServiceInstance: ['serviceInstance'],
  Endpoint: ['endpoint'],
  ServiceRelation: ['destLayer', 'destService'],
  ServiceInstanceRelation: ['serviceInstance', 'destLayer', 'destService', 'destServiceInstance'],
  EndpointRelation: ['endpoint', 'destLayer', 'destService', 'destEndpoint'],
} as const;

export type ScopeName = keyof typeof SCOPES;
export type Keys = Readonly<Record<string, string>>;

/** A metric of each scope and rollup. */
export function commonName(scope: ScopeName, rollup: string): string {
  return `${scope.replaceAll(/(?<!^)([A-Z])/g, '_$1').toLowerCase()}_${rollup}`;
}

const declare = (name: string, scope: ScopeName, more: object): object => ({record: 'metric', name, scope, ...more});

const METRICS: readonly object[] = [
  ...Object.keys(SCOPES).flatMap(scope =>
    ROLLUPS.map(rollup =>
      declare(commonName(scope as ScopeName, rollup), scope as ScopeName, {
        kind: 'common',
        rollup,
        type: rollup === 'sum' ? 'counter' : 'gauge',
        help: `the ${rollup} of a ${scope}`,
      }),
    ),
  ),
  declare('service_percentile', 'Service', {kind: 'labeled', valueLabels: ['p'], unit: 'ms'}),
  declare('service_status', 'Service', {kind: 'labeled', valueLabels: ['code', 'zone'], rollup: 'sum'}),
  declare('instance_pool', 'ServiceInstance', {kind: 'labeled', valueLabels: ['pool'], rollup: 'max'}),
  declare('relation_percentile', 'ServiceRelation', {kind: 'labeled', valueLabels: ['p'], rollup: 'latest'}),
  declare('top_statements', 'Service', {kind: 'sampled-record'}),
  declare('top_endpoints', 'Endpoint', {kind: 'sampled-record'}),
];

/** The entities of a scope, of each layer and service a few. */
export function entitiesOf(scope: ScopeName): readonly Keys[] {
  const draw = drawFrom(scope.length);
  const others = {
    serviceInstance: INSTANCES,
    endpoint: ENDPOINTS,
    destLayer: LAYERS,
    destService: SERVICES,
    destServiceInstance: INSTANCES,
    destEndpoint: ENDPOINTS,
  };
  const entities = LAYERS.flatMap(layer =>
    SERVICES.flatMap(service =>
      Array.from({length: SCOPES[scope].length === 0 ? 1 : 3}, (): Keys => {
        const more = SCOPES[scope].map(key => [key, pick(draw, others[key])]);
        return {layer, service, ...Object.fromEntries(more)};
      }),
    ),
  );
  return [...new Map(entities.map(entity => [JSON.stringify(entity), entity])).values()];
}

export const LABELED: readonly {
  readonly metric: string;
  readonly scope: ScopeName;
  readonly labels: readonly Keys[];
}[] = [
  {metric: 'service_percentile', scope: 'Service', labels: ['50', '75', '90', '95', '99'].map(p => ({p}))},
  {
    metric: 'service_status',
    scope: 'Service',
    labels: ['200', '404'].flatMap(code => ['eu', 'a,b', "o'"].map(zone => ({code, zone}))),
  },
  {metric: 'instance_pool', scope: 'ServiceInstance', labels: ['http', 'ü 😀'].map(pool => ({pool}))},
  {metric: 'relation_percentile', scope: 'ServiceRelation', labels: ['50', '99'].map(p => ({p}))},
];

/** Multiples of 1/64, so that sums are exact in whatever order they are made. */
function drawValue(draw: Draw): number {
  return pick(draw, [0, draw(6_400_000) / 64, -draw(6400) / 64, draw(64) / 64, 2 ** 40 + draw(64), 100]);
}

/** A minute in five over the four days, and nine in ten of the busy hour. */
function* minutesOf(draw: Draw): Generator<number> {
  for (let time = FIRST_DAY; time < FIRST_DAY + 4 * DAY; time += 60) {
    const isBusy = time >= BUSY_HOUR && time < BUSY_HOUR + 3600;
    if (isBusy ? draw(10) > 0 : draw(100) === 0) yield time;
  }
}

/** Metric records of every scope, kind and rollup, one JSON object a line. */
export function metricRecords(): readonly string[] {
  const draw = drawFrom(1);
  const records: object[] = [...METRICS];
  const samples = (metric: string, entity: Keys, more: object = {}): void => {
    for (const time of minutesOf(draw)) {
      records.push({record: 'sample', metric, ...entity, ...more, time, value: drawValue(draw)});
    }
  };
  for (const scope of Object.keys(SCOPES) as ScopeName[]) {
    for (const entity of entitiesOf(scope)) for (const rollup of ROLLUPS) samples(commonName(scope, rollup), entity);
  }
  for (const {metric, scope, labels} of LABELED) {
    for (const entity of entitiesOf(scope)) for (const each of labels) samples(metric, entity, {labels: each});
  }
  for (const [i, service] of SERVICES.entries()) {
    const layer = 'GENERAL';
    for (let n = 0; n < 40; n++) {
      const content = pick(draw, ['select 1', 'select "ü" -- 😀', "it's", 'a\nb\tc']);
      const time = BUSY_HOUR + draw(3600);
      const traceId = draw(3) === 0 ? {} : {traceId: `trace-${draw(5)}`};
      const record = {record: 'sampled-record', layer, service, content, time, value: draw(640) / 64, ...traceId};
      records.push({...record, metric: 'top_statements'});
      records.push({...record, metric: 'top_endpoints', endpoint: pick(draw, ENDPOINTS)});
    }
    const seen = FIRST_DAY + i * DAY;
    records.push({record: 'entity', scope: 'Service', layer: 'SEEN', service, time: seen});
    for (const endpoint of ENDPOINTS) {
      records.push({record: 'entity', scope: 'Endpoint', layer: 'SEEN', service, endpoint, time: seen});
    }
  }
  return records.map(record => JSON.stringify(record));
}

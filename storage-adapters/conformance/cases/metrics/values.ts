import type {BucketWindow, Entity, Scope} from '../../../../core/api/adapter.js';
import {call} from '../../call.js';
import {comparableColumns} from '../../comparable.js';
import {batch, metric, type SampleInput} from '../../data/metrics.js';
import {DAY, MINUTE, ownDays} from '../../data/times.js';
import type {Group} from '../../group.js';
import type {Subject} from '../../subject.js';

const START = ownDays(2);
const LAYER = 'KIT-VALUES';

/** An entity of each scope, beside one that differs from it in each key alone. */
const ENTITIES: Readonly<Record<Scope, Entity>> = {
  Service: {layer: LAYER, service: 'a'},
  ServiceInstance: {layer: LAYER, service: 'a', serviceInstance: 'i'},
  Endpoint: {layer: LAYER, service: 'a', endpoint: '/e'},
  ServiceRelation: {layer: LAYER, service: 'a', destLayer: LAYER, destService: 'b'},
  ServiceInstanceRelation: {
    layer: LAYER,
    service: 'a',
    serviceInstance: 'i',
    destLayer: LAYER,
    destService: 'b',
    destServiceInstance: 'j',
  },
  EndpointRelation: {
    layer: LAYER,
    service: 'a',
    endpoint: '/e',
    destLayer: LAYER,
    destService: 'b',
    destEndpoint: '/f',
  },
};
const SCOPES = Object.keys(ENTITIES) as readonly Scope[];

const nameOf = (scope: Scope): string => `kit_values_${scope}`;

function besides(entity: Entity): readonly Entity[] {
  return Object.keys(entity).map(key => ({...entity, [key]: `${LAYER}-other`}));
}

const SPARSE = 'kit_values_sparse';
const HOSTILE = 'kit_values_hostile';

/** Names that an adapter must pass on as they are, each its own entity. */
const NAMES = [
  "'; DROP TABLE samples; --",
  'a"b',
  "it's",
  'back\\slash',
  'percent % and _',
  '{$1} ${x} ?',
  'tab\tline\nfeed\r',
  'Ünïcödé',
  'ünïcödé',
  '中文',
  '\u{1F600}',
  ' a ',
  'A',
  'a ',
  'é',
  'e\u0301',
  '-1',
  'null',
];

const SAMPLES: readonly SampleInput[] = [
  ...SCOPES.flatMap(scope =>
    [ENTITIES[scope], ...besides(ENTITIES[scope])].map((entity, i) => ({
      metric: nameOf(scope),
      entity,
      time: START,
      value: i,
    })),
  ),
  ...[0, 1, 59, 60, 1439, 1440].map(minute => ({
    metric: SPARSE,
    entity: ENTITIES.Service,
    time: START + minute * MINUTE,
    value: minute,
  })),
  ...NAMES.map((service, i) => ({metric: HOSTILE, entity: {layer: LAYER, service}, time: START, value: i + 1})),
];

async function valuesOf(subject: Subject, name: string, entity: Entity, window: BucketWindow): Promise<unknown> {
  const request = {metric: await subject.metric(name), entity, valueFilters: new Map(), window};
  return comparableColumns(await subject.metrics.values(request, call));
}

const column = (...values: readonly (number | null)[]) => [{labels: {}, values}];

const minutes = (from: number, count: number): BucketWindow => ({step: 'minute', first: START + from * MINUTE, count});

export const values: Group = {
  name: 'values',
  needs: ['metrics.query.v1'],
  data: {
    metrics: [
      batch({
        metrics: [...SCOPES.map(scope => metric(nameOf(scope), {scope})), metric(SPARSE), metric(HOSTILE)],
        samples: SAMPLES,
      }),
    ],
  },
  tests: {
    'entities that differ in one key are different, in every scope': async (t, subject) => {
      for (const scope of SCOPES) {
        for (const [i, entity] of [ENTITIES[scope], ...besides(ENTITIES[scope])].entries()) {
          const found = await valuesOf(subject, nameOf(scope), entity, minutes(0, 1));
          t.deepEqual(found, column(i), `${scope} ${JSON.stringify(entity)}`);
        }
      }
    },
    'buckets without a value are marked as such, at the edges of the window and between': async (t, subject) => {
      const read = (window: BucketWindow) => valuesOf(subject, SPARSE, ENTITIES.Service, window);
      t.deepEqual(await read(minutes(-1, 4)), column(null, 0, 1, null), 'the first minutes');
      t.deepEqual(await read(minutes(58, 4)), column(null, 59, 60, null), 'around the hour');
      t.deepEqual(await read(minutes(1439, 2)), column(1439, 1440), 'around midnight');
      t.deepEqual(await read(minutes(59, 1)), column(59), 'one minute');
    },
    'a window without a value has no series, in the past and in the future': async (t, subject) => {
      for (const step of ['minute', 'hour', 'day'] as const) {
        for (const days of [-30, 5, 30, 20_000]) {
          const window = {step, first: START + days * DAY, count: 3};
          t.deepEqual(await valuesOf(subject, SPARSE, ENTITIES.Service, window), [], JSON.stringify(window));
        }
      }
      t.deepEqual(await valuesOf(subject, SPARSE, ENTITIES.Service, minutes(61, 1378)), [], 'between two minutes');
    },
    'an entity that does not exist has no series': async (t, subject) => {
      for (const entity of [
        {layer: LAYER, service: 'nobody'},
        {layer: 'KIT-NOWHERE', service: 'a'},
        {layer: '', service: ''},
      ]) {
        t.deepEqual(await valuesOf(subject, SPARSE, entity, minutes(0, 2000)), [], JSON.stringify(entity));
      }
    },
    'names of any characters are told apart exactly': async (t, subject) => {
      for (const [i, service] of NAMES.entries()) {
        const found = await valuesOf(subject, HOSTILE, {layer: LAYER, service}, minutes(0, 1));
        t.deepEqual(found, column(i + 1), JSON.stringify(service));
      }
      for (const service of ['%', '_', 'a', "' OR '1'='1"]) {
        const found = await valuesOf(subject, HOSTILE, {layer: LAYER, service}, minutes(0, 1));
        t.deepEqual(found, [], JSON.stringify(service));
      }
    },
    'the arrays of an answer belong to the caller': async (t, subject) => {
      const request = {
        metric: await subject.metric(SPARSE),
        entity: ENTITIES.Service,
        valueFilters: new Map(),
        window: minutes(0, 2),
      };
      const [first] = await subject.metrics.values(request, call);
      first?.values.fill(-7);
      first?.present.fill(0);
      t.deepEqual(await valuesOf(subject, SPARSE, ENTITIES.Service, minutes(0, 2)), column(0, 1), 'asked again');
    },
  },
};

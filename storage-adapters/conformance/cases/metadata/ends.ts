import type {MetadataReader, MetricDefinition} from '../../../../core/api/adapter.js';
import {call} from '../../call.js';
import {namesOf, servicesOf} from '../../comparable.js';
import {batch, metric} from '../../data/metrics.js';
import {MINUTE, ownDays} from '../../data/times.js';
import type {Group} from '../../group.js';

const START = ownDays(13);
const METRICS: readonly MetricDefinition[] = [
  metric('kit_ends_endpoint_relation', {scope: 'EndpointRelation'}),
  metric('kit_ends_instance', {scope: 'ServiceInstance'}),
  metric('kit_ends_records', {kind: 'sampled-record', scope: 'Endpoint'}),
];

const endpointRelation = {
  layer: 'KIT-ENDS-1',
  service: 'a',
  endpoint: '/a',
  destLayer: 'KIT-ENDS-2',
  destService: 'b',
  destEndpoint: '/b',
};
const instanceRelation = {
  layer: 'KIT-ENDS-3',
  service: 'c',
  serviceInstance: 'i',
  destLayer: 'KIT-ENDS-4',
  destService: 'd',
  destServiceInstance: 'j',
};
const serviceRelation = {layer: 'KIT-ENDS-5', service: 'e', destLayer: 'KIT-ENDS-6', destService: 'f'};

const instances = (metadata: MetadataReader, layer: string, service: string, minute?: number) =>
  namesOf(metadata.instances({layer, service, ...seenIn(minute)}, call));
const endpoints = (metadata: MetadataReader, layer: string, service: string, minute?: number) =>
  namesOf(metadata.endpoints({layer, service, ...seenIn(minute)}, call));

function seenIn(minute: number | undefined) {
  if (minute === undefined) return {};
  const time = START + minute * MINUTE;
  return {seen: {from: time, to: time}};
}

export const ends: Group = {
  name: 'ends',
  needs: ['metadata.query.v1'],
  data: {
    metrics: [
      batch({
        metrics: METRICS,
        samples: [
          {metric: 'kit_ends_endpoint_relation', entity: endpointRelation, time: START + MINUTE, value: 1},
          {
            metric: 'kit_ends_instance',
            entity: {layer: 'KIT-ENDS-7', service: 'g', serviceInstance: 'k'},
            time: START + 2 * MINUTE,
            value: 0,
          },
        ],
        sightings: [
          {scope: 'ServiceInstanceRelation', entity: instanceRelation, time: START + MINUTE},
          {scope: 'ServiceRelation', entity: serviceRelation, time: START},
        ],
        records: [
          {
            metric: 'kit_ends_records',
            entity: {layer: 'KIT-ENDS-8', service: 'h', endpoint: '/h'},
            content: 'select 1',
            time: START + 3 * MINUTE + 59,
            value: 1,
          },
        ],
      }),
    ],
  },
  tests: {
    'samples, sightings and records make their entities known, with their services': async (t, {metadata}) => {
      t.deepEqual(await servicesOf(metadata, 'KIT-ENDS-7'), ['g'], 'the service of an instance');
      t.deepEqual(await instances(metadata, 'KIT-ENDS-7', 'g'), ['k'], 'an instance with a sample');
      t.deepEqual(await servicesOf(metadata, 'KIT-ENDS-8'), ['h'], 'the service of an endpoint');
      t.deepEqual(await endpoints(metadata, 'KIT-ENDS-8', 'h'), ['/h'], 'an endpoint with a record');
    },
    'a relation makes both its ends known, with their services': async (t, {metadata}) => {
      const layers = (await metadata.layers(call)).filter(layer => layer.startsWith('KIT-ENDS-'));
      t.deepEqual(
        layers,
        [1, 2, 3, 4, 5, 6, 7, 8].map(i => `KIT-ENDS-${i}`),
        'layers',
      );
      const services = ['a', 'b', 'c', 'd', 'e', 'f'];
      for (const [i, service] of services.entries()) {
        t.deepEqual(await servicesOf(metadata, `KIT-ENDS-${i + 1}`), [service], `services of KIT-ENDS-${i + 1}`);
      }
      t.deepEqual(await endpoints(metadata, 'KIT-ENDS-1', 'a'), ['/a'], 'the source endpoint');
      t.deepEqual(await endpoints(metadata, 'KIT-ENDS-2', 'b'), ['/b'], 'the destination endpoint');
      t.deepEqual(await instances(metadata, 'KIT-ENDS-3', 'c'), ['i'], 'the source instance');
      t.deepEqual(await instances(metadata, 'KIT-ENDS-4', 'd'), ['j'], 'the destination instance');
    },
    'an entity is seen in the minute of its sample, sighting or record': async (t, {metadata}) => {
      for (const [minute, found] of [
        [0, []],
        [1, ['/b']],
        [2, []],
      ] as const) {
        t.deepEqual(await endpoints(metadata, 'KIT-ENDS-2', 'b', minute), found, `a relation, minute ${minute}`);
      }
      for (const [minute, found] of [
        [1, []],
        [2, ['k']],
        [3, []],
      ] as const) {
        t.deepEqual(await instances(metadata, 'KIT-ENDS-7', 'g', minute), found, `a sample, minute ${minute}`);
      }
      for (const [minute, found] of [
        [2, []],
        [3, ['/h']],
        [4, []],
      ] as const) {
        t.deepEqual(await endpoints(metadata, 'KIT-ENDS-8', 'h', minute), found, `a record, minute ${minute}`);
      }
    },
  },
};

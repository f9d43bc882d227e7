import test from 'ava';
import type {Entity, Scope} from '../../../core/api/adapter.js';
import {QueryMeasure} from '../../../storage-adapters/banyandb/proto/methods.js';
import {toMilliseconds} from '../../../storage-adapters/banyandb/proto/timestamp.js';
import {batch} from '../../../storage-adapters/conformance/data/metrics.js';
import {externalLayers} from '../../fixtures/banyandb/seed/layers.js';
import {Seeder} from '../../fixtures/banyandb/seed/seeder.js';
import {TRAFFIC_TAGS, type TrafficName} from '../../fixtures/banyandb/seed/traffic.js';
import {between, families, tagsOf} from './support/queries.js';
import {type Started, startFake} from './support/start-fake.js';

const T0 = Date.UTC(2026, 0, 5, 12) / 1000;

async function documents({client}: Started, traffic: TrafficName): Promise<readonly (readonly unknown[])[]> {
  const tags = TRAFFIC_TAGS[traffic];
  const {data_points} = await client.call(QueryMeasure, {
    groups: ['sw_metadata'],
    name: `${traffic}_minute`,
    time_range: between(0, Date.UTC(2261, 0)),
    tag_projection: families({
      searchable: tags.filter(({indexed}) => indexed).map(({name}) => name),
      'storage-only': [...tags.filter(({indexed}) => !indexed).map(({name}) => name), 'id'],
    }),
    limit: 1000,
  });
  return data_points.map(point => [toMilliseconds(point.timestamp ?? {seconds: '0', nanos: 0}) / 1000, tagsOf(point)]);
}

const seen = (scope: Scope, entity: Entity, time = T0): {scope: Scope; entity: Entity; time: number} => ({
  scope,
  entity,
  time,
});

test('a service has a row for each layer, and one id for those of one flag', async t => {
  const started = await startFake(t);
  const seeder = await Seeder.open(started.fake.local);
  const layers = ['GENERAL', 'MESH', 'VIRTUAL_CACHE'];
  await seeder.metrics(batch({sightings: layers.map(layer => seen('Service', {layer, service: 'a::b'}))}));
  const row = (id: string, service_id: string, layer: bigint): unknown => [
    T0,
    {id, service_id, layer, service_traffic_name: 'a::b', short_name: 'b', service_group: 'a'},
  ];
  t.deepEqual(await documents(started, 'service_traffic'), [
    row('YTo6Yg==.2', 'YTo6Yg==.1', 2n),
    row('YTo6Yg==.1', 'YTo6Yg==.1', 1n),
    row('YTo6Yg==.19', 'YTo6Yg==.0', 19n),
  ]);
});

test('an instance and an endpoint know when they were first seen and last seen, in the zone of the writer', async t => {
  const started = await startFake(t);
  const seeder = await Seeder.open(started.fake.local, {timeZone: 'Asia/Kolkata'});
  const instance = {layer: 'GENERAL', service: 'a', serviceInstance: 'i'};
  const endpoint = {layer: 'GENERAL', service: 'a', endpoint: '/e'};
  await seeder.metrics(batch({sightings: [seen('ServiceInstance', instance, T0 + 60), seen('Endpoint', endpoint)]}));
  await seeder.metrics(
    batch({sightings: [seen('ServiceInstance', instance, T0 + 600), seen('ServiceInstance', instance)]}),
  );
  t.deepEqual(await documents(started, 'instance_traffic'), [
    [
      T0,
      {
        id: 'YQ==.1_aQ==',
        service_id: 'YQ==.1',
        last_ping: 202601051740n,
        instance_traffic_name: 'i',
        properties: '{}',
      },
    ],
  ]);
  t.deepEqual(await documents(started, 'endpoint_traffic'), [
    [T0, {id: 'YQ==.1_L2U=', service_id: 'YQ==.1', endpoint_traffic_name: '/e', last_ping: 202601051730n}],
  ]);
  t.is((await documents(started, 'service_traffic')).length, 1);
});

test('a relation makes both its ends known', async t => {
  const started = await startFake(t);
  const seeder = await Seeder.open(started.fake.local);
  const entity = {
    layer: 'GENERAL',
    service: 'a',
    endpoint: '/a',
    destLayer: 'VIRTUAL_DATABASE',
    destService: 'db',
    destEndpoint: 'query',
  };
  await seeder.metrics(batch({sightings: [seen('EndpointRelation', entity)]}));
  const ids = async (traffic: TrafficName): Promise<readonly unknown[]> =>
    (await documents(started, traffic)).map(([, tags]) => (tags as {readonly id: string}).id);
  t.deepEqual(await ids('service_traffic'), ['YQ==.2', 'ZGI=.14']);
  t.deepEqual(await ids('endpoint_traffic'), ['YQ==.1_L2E=', 'ZGI=.0_cXVlcnk=']);
});

test('a layer of its own has a number that the seeder was told, and others are refused', async t => {
  const started = await startFake(t);
  const layers = externalLayers(['OURS', 'THEIRS']);
  const seeder = await Seeder.open(started.fake.local, {layers});
  await seeder.metrics(batch({sightings: [seen('Service', {layer: 'THEIRS', service: 's'})]}));
  t.deepEqual(layers, {'10000': 'OURS', '10001': 'THEIRS'});
  const [[, tags] = []] = await documents(started, 'service_traffic');
  t.is((tags as {readonly layer: bigint}).layer, 10_001n);
  await t.throwsAsync(seeder.metrics(batch({sightings: [seen('Service', {layer: 'NOBODYS', service: 's'})]})), {
    message: /layer 'NOBODYS' has no number/,
  });
});

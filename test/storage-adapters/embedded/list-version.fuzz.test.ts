import test from 'ava';
import fc from 'fast-check';
import type {MetricDefinition, SeenWindow} from '../../../core/api/adapter.js';
import {call} from '../../../storage-adapters/conformance/call.js';
import {EmbeddedMetadataReader} from '../../../storage-adapters/embedded/metadata/reader.js';
import {Entities} from '../../../storage-adapters/embedded/metrics/entities.js';
import {Metrics} from '../../../storage-adapters/embedded/metrics/metric-records.js';

const DEFINITION: MetricDefinition = {
  name: 'a',
  scope: 'Service',
  kind: 'common',
  type: 'gauge',
  help: '',
  unit: '',
  rollup: 'avg',
  valueLabels: [],
};
const SERVICE = {layer: 'L', service: 's'};
const MINUTES = 180;

const minute = fc.nat({max: MINUTES});
const sighting = fc.record({serviceInstance: fc.constantFrom('a', 'b', 'c'), minute});
const window = fc
  .tuple(fc.oneof(minute, fc.constantFrom(0, 60, 120)), minute)
  .map(([from, length]): SeenWindow => ({from: from * 60, to: (from + length) * 60}));

/** All lists that a window has a part in. */
async function listed(metadata: EmbeddedMetadataReader, seen: SeenWindow): Promise<string> {
  const lists: (readonly string[])[] = [await metadata.layers()];
  for await (const page of metadata.services({layer: SERVICE.layer}, call)) lists.push(page);
  for await (const page of metadata.instances({...SERVICE, seen}, call)) lists.push(page);
  return JSON.stringify(lists);
}

test('a list that has changed has another version', async t => {
  await fc.assert(
    fc.asyncProperty(fc.array(sighting, {maxLength: 12}), fc.array(window, {maxLength: 8}), async (seen, windows) => {
      const entities = new Entities();
      const metadata = new EmbeddedMetadataReader(entities, new Metrics());
      for (const {serviceInstance, minute: at} of seen) {
        const before = await Promise.all(windows.map(one => listed(metadata, one)));
        const versions = windows.map(one => metadata.version(one));
        const record = entities.findOrAdd('ServiceInstance', {...SERVICE, serviceInstance});
        for (const each of record.seenWith) entities.seen(each, at, at);
        for (const [i, one] of windows.entries()) {
          if ((await listed(metadata, one)) !== before[i] && metadata.version(one) === versions[i]) return false;
        }
      }
      return true;
    }),
  );
  t.pass();
});

test('samples of entities that were seen in the same hour change no list by whole hours', t => {
  const entities = new Entities();
  const metadata = new EmbeddedMetadataReader(entities, new Metrics());
  const record = entities.findOrAdd('Service', SERVICE);
  entities.seen(record, 60, 61);
  const versions = () => [metadata.version({from: 3600, to: 7200}), metadata.version({from: 3660, to: 7200})];
  const [byHours, byMinutes] = versions();
  entities.seen(record, 62, 119);
  t.is(versions()[0], byHours);
  t.not(versions()[1], byMinutes);
  entities.seen(record, 120, 120);
  t.not(versions()[0], byHours);
});

test('a metric that is declared changes every list once it is stored', t => {
  const metrics = new Metrics();
  const metadata = new EmbeddedMetadataReader(new Entities(), metrics);
  const versions = () => [metadata.version(), metadata.version({from: 3660, to: 7200})];
  const before = versions();
  const {record} = metrics.declare(DEFINITION);
  t.deepEqual(versions(), before);
  metrics.confirm(record, record.declared);
  for (const [i, version] of versions().entries()) t.not(version, before[i]);
});

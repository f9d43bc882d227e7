import test from 'ava';
import type {AdapterDefinition} from '../../../core/api/adapter.js';
import adapter from '../../../storage-adapters/banyandb/adapter.js';
import {GROUPS} from '../../../storage-adapters/conformance/cases/groups.js';
import {testAdapter} from '../../../storage-adapters/conformance/test-adapter.js';
import {FakeBanyanDB} from '../../fixtures/banyandb/fake.js';
import {externalLayers} from '../../fixtures/banyandb/seed/layers.js';
import {Seeder} from '../../fixtures/banyandb/seed/seeder.js';
import {layersOf} from './support/layers-of.js';

const layers = externalLayers(layersOf(GROUPS.flatMap(({data}) => data?.metrics ?? [])));
/** Why the layout cannot hold what a test stores. */
const ONE_ID_IN_ALL_LAYERS = 'services of the same name in two normal layers have one id, and so the same values';
const OF_SERVICES =
  'records are of services, whatever the scope of their metric, and of all layers of a service together';

const exempt = {
  'the catalog has every metric as it was declared, by name':
    'help, unit, type and rollup are not stored, and a relation without rows shows no scope',
  'entities that differ in one key are different, in every scope': ONE_ID_IN_ALL_LAYERS,
  'a labeled metric has one series for each set of labels': 'values of labels cannot have a comma',
  'a series passes the filters when each label has one of the values wanted': 'values of labels cannot have a comma',
  'equal means are ordered by service and then by name, in code points, for both orders': ONE_ID_IN_ALL_LAYERS,
  'a ranking is cut to its limit, among equal means too': ONE_ID_IN_ALL_LAYERS,
  'a ranking has the entities of its layer, and of its parent service if it names one': ONE_ID_IN_ALL_LAYERS,
  'sampled records come by value, equal ones by content, time and trace id, for both orders': OF_SERVICES,
  'sampled records are cut to the limit, among equal values too': OF_SERVICES,
  'a sampled record counts by its second, from the start of the first bucket to the end of the last': OF_SERVICES,
  'sampled records are those of one service of one layer': OF_SERVICES,
  'the text of a sampled record is kept as it is, up to a mebibyte': OF_SERVICES,
  'values of sampled records are doubles and come back exactly': 'they are whole numbers',
  'an export has every declaration, entity, value and sampled record':
    'help, unit, type and rollup are not stored, nor when a service was seen last',
  'a window bounds values and sampled records, its start included, its end not':
    'its declarations and entities are those of the whole export',
  'what was exported of metrics answers alike where it is taken back':
    'the oracle has help, unit, type and rollups of what was stored',
};

const servers = new Map<string, FakeBanyanDB>();

testAdapter(test, {
  adapter: adapter as AdapterDefinition,
  config: async ({name}) => {
    const fake = await FakeBanyanDB.start();
    Seeder.open(fake, {layers});
    servers.set(name, fake);
    return {
      config: {endpoints: fake.endpoints, layers, longestSegment: '10d'},
      remove() {
        fake.stop();
        servers.delete(name);
      },
    };
  },
  async seed({metrics = [], spans = [], segments = []}, {name}) {
    const fake = servers.get(name);
    if (fake === undefined) throw new Error(`no server was started for ${name}`);
    // As their senders gave them: the OAP would name services of spans that have none.
    const seeder = Seeder.open(fake, {layers, rebuild: false});
    if (metrics.length > 0) seeder.metrics(...metrics);
    for (const batch of spans) seeder.spans(batch);
    for (const batch of segments) seeder.segments(batch);
  },
  expects: [
    'metrics.query.v1',
    'metadata.query.v1',
    'topology.query.v1',
    'traces.compat.v1',
    'traces.native.v2',
    'export.metrics.v1',
    'export.compat.v1',
    'export.native.v1',
  ],
  // Zipkin's protobuf form and the report protocol have no room for the first of these, and an OAP writes means of hours.
  unsupported: [
    'compat-kinds',
    'compat-flags',
    'compat-timeless',
    'native-words',
    'segment-layers',
    'record-entities',
    'hour-sums',
  ],
  exempt,
});

import {ENTITY_KEYS, type Entity, entityOf} from '../../../core/api/adapter.js';
import {call} from '../call.js';
import {comparableColumns, namesOf} from '../comparable.js';
import {batch, metric} from '../data/metrics.js';
import {LONGEST_NAME, longText} from '../data/texts.js';
import {ownDays} from '../data/times.js';
import type {Group} from '../group.js';

const START = ownDays(32);
const METRIC = 'kit_long_names';
const LABELED = 'kit_long_names_labeled';

const name = (seed: string): string => longText(LONGEST_NAME, seed);

/** Relations between endpoints that differ in the last character of one name alone. */
const ENTITIES: readonly Entity[] = ['a', 'b'].map(end => {
  const entity = entityOf('EndpointRelation', ENTITY_KEYS.EndpointRelation.map(name));
  return {...entity, destEndpoint: name('destEndpoint').slice(0, -1) + end};
});
const [FIRST = {layer: '', service: ''}] = ENTITIES;
const SERVICE: Entity = {layer: FIRST.layer, service: FIRST.service};
const LABELS = {p: longText(LONGEST_NAME, 'label')};

export const longNames: Group = {
  name: 'long_names',
  needs: ['metrics.query.v1', 'metadata.query.v1'],
  data: {
    metrics: [
      batch({
        metrics: [metric(METRIC, {scope: 'EndpointRelation'}), metric(LABELED, {kind: 'labeled', valueLabels: ['p']})],
        samples: [
          ...ENTITIES.map((entity, value) => ({metric: METRIC, entity, time: START, value})),
          {metric: LABELED, entity: SERVICE, labels: LABELS, time: START, value: 7},
        ],
      }),
    ],
  },
  tests: {
    'names of 1,024 bytes are kept in every key of an entity': async (t, subject) => {
      const window = {step: 'minute', first: START, count: 1} as const;
      const request = {metric: await subject.metric(METRIC), valueFilters: new Map<string, string[]>(), window};
      for (const [value, entity] of ENTITIES.entries()) {
        const columns = await subject.metrics.values({...request, entity}, call);
        t.deepEqual(comparableColumns(columns), [{labels: {}, values: [value]}], `entity ${value}`);
      }
      const labeled = {...request, metric: await subject.metric(LABELED), entity: SERVICE};
      const [column] = await subject.metrics.values({...labeled, valueFilters: new Map([['p', [LABELS.p]]])}, call);
      t.true(column?.labels.p === LABELS.p, 'a value label');
    },
    'names of 1,024 bytes are listed': async (t, {metadata}) => {
      const {layer, service, endpoint = '', destLayer = '', destService = ''} = FIRST;
      t.true((await metadata.layers(call)).includes(destLayer), 'layers');
      t.deepEqual(await namesOf(metadata.services({layer}, call)), [service], 'services');
      t.deepEqual(
        await namesOf(metadata.endpoints({layer, service, keyword: endpoint}, call)),
        [endpoint],
        'endpoints',
      );
      const listed = await namesOf(metadata.endpoints({layer: destLayer, service: destService}, call));
      t.deepEqual(
        listed,
        ENTITIES.map(({destEndpoint}) => destEndpoint),
        'destination endpoints',
      );
    },
  },
};

import {compareNames, type Sighting} from '../../../../core/api/adapter.js';
import {call, callWith} from '../../call.js';
import {namesOf, sameList} from '../../comparable.js';
import {batch} from '../../data/metrics.js';
import {ownDays} from '../../data/times.js';
import type {Group} from '../../group.js';
import {within} from '../../within.js';

const START = ownDays(22);
const ENTITY = {layer: 'KIT-TEN-THOUSAND-NAMES', service: 'a'};
const COUNT = 10_000;
const ENDPOINTS = Array.from({length: COUNT}, (_, i) => `/e/${(i * 7919) % COUNT}`);
const SORTED = [...ENDPOINTS].sort(compareNames);
const SERVICES = ENDPOINTS.map(name => `s${name}`);

const SIGHTINGS: readonly Sighting[] = ENDPOINTS.flatMap((endpoint, i) => [
  {scope: 'Endpoint', entity: {...ENTITY, endpoint}, time: START},
  {scope: 'Service', entity: {...ENTITY, service: SERVICES[i] ?? ''}, time: START},
]);

export const tenThousandNames: Group = {
  name: 'ten_thousand_names',
  needs: ['metadata.query.v1'],
  data: {metrics: [0, 1, 2, 3].map(i => batch({sightings: SIGHTINGS.slice(i * 5000, (i + 1) * 5000)}))},
  tests: {
    'ten thousand names are listed in order, each once': async (t, {metadata}) => {
      sameList(t, await namesOf(metadata.endpoints(ENTITY, call)), SORTED, 'endpoints');
      const services = await namesOf(metadata.services({layer: ENTITY.layer}, call));
      sameList(t, services, ['a', ...SORTED.map(name => `s${name}`)], 'services');
    },
    'a keyword is looked for in ten thousand names': async (t, {metadata}) => {
      const listed = await namesOf(metadata.endpoints({...ENTITY, keyword: '99'}, call));
      sameList(
        t,
        listed,
        SORTED.filter(name => name.includes('99')),
        'endpoints',
      );
    },
    'a list may be left early, many times': async (t, {metadata}) => {
      for (let round = 0; round < 30; round++) {
        const found: string[] = [];
        for await (const page of metadata.endpoints(ENTITY, call)) {
          found.push(...page);
          if (found.length > 0) break;
        }
        sameList(t, found, SORTED.slice(0, found.length), `round ${round}`);
      }
    },
    'a list that is cancelled rejects with the reason or has been answered': async (t, {metadata}) => {
      const reason = new Error('no longer wanted');
      const outcome = await within(
        'a list that was cancelled',
        namesOf(metadata.endpoints(ENTITY, callWith(AbortSignal.abort(reason)))),
      );
      if (outcome.status === 'rejected') t.true(outcome.reason === reason, 'it rejects with signal.reason');
      else sameList(t, outcome.value, SORTED, 'endpoints');
      t.is((await namesOf(metadata.endpoints(ENTITY, call))).length, COUNT, 'the next list');
    },
  },
};

import type {Entity, MetadataReader, Scope, SeenWindow, Sighting} from '../../../../core/api/adapter.js';
import {call} from '../../call.js';
import {namesOf} from '../../comparable.js';
import {batch} from '../../data/metrics.js';
import {DAY, HOUR, MINUTE, ownDays} from '../../data/times.js';
import type {Group} from '../../group.js';

const START = ownDays(12);
const ENTITY = {layer: 'KIT-SEEN', service: 'a'};

/** Name → the minutes in which it was seen. */
const SEEN: Readonly<Record<string, readonly number[]>> = {
  day: [0, 1440],
  early: [0],
  late: [1440],
  second: [1],
  twice: [10, 5],
};

function sightings(scope: Scope, entityOf: (name: string) => Entity): readonly Sighting[] {
  return Object.entries(SEEN).flatMap(([name, minutes]) =>
    minutes.map(minute => ({scope, entity: entityOf(name), time: START + minute * MINUTE})),
  );
}

/** Seconds from the start, and who was seen: last seen at or after `from`, first seen at or before `to`. */
const WINDOWS: readonly (SeenWindow & {readonly names: readonly string[]})[] = [
  {from: 0, to: 0, names: ['day', 'early']},
  {from: 0, to: 59, names: ['day', 'early']},
  {from: 0, to: 60, names: ['day', 'early', 'second']},
  {from: 59, to: 59, names: ['day', 'early']},
  {from: 60, to: 60, names: ['day', 'second']},
  {from: 119, to: 299, names: ['day', 'second']},
  {from: 120, to: 299, names: ['day']},
  {from: 120, to: 300, names: ['day', 'twice']},
  {from: 659, to: HOUR, names: ['day', 'twice']},
  {from: 660, to: HOUR, names: ['day']},
  {from: DAY, to: DAY, names: ['day', 'late']},
  {from: DAY + 59, to: 2 * DAY, names: ['day', 'late']},
  {from: DAY + 60, to: 2 * DAY, names: []},
  {from: -DAY, to: -1, names: []},
  {from: -DAY, to: 0, names: ['day', 'early']},
  {from: -DAY, to: 9 * DAY, names: ['day', 'early', 'late', 'second', 'twice']},
];

type List = (metadata: MetadataReader, seen: SeenWindow) => Promise<readonly string[]>;

const LISTS: Readonly<Record<string, List>> = {
  instances: (metadata, seen) => namesOf(metadata.instances({...ENTITY, seen}, call)),
  endpoints: (metadata, seen) => namesOf(metadata.endpoints({...ENTITY, seen}, call)),
};

export const seen: Group = {
  name: 'seen',
  needs: ['metadata.query.v1'],
  data: {
    metrics: [
      batch({
        sightings: [
          ...sightings('ServiceInstance', serviceInstance => ({...ENTITY, serviceInstance})),
          ...sightings('Endpoint', endpoint => ({...ENTITY, endpoint})),
        ],
      }),
    ],
  },
  tests: {
    'a seen window lists who was last seen from its start on and first seen to its end, by minutes': async (
      t,
      {metadata},
    ) => {
      for (const [what, list] of Object.entries(LISTS)) {
        for (const {from, to, names} of WINDOWS) {
          const listed = await list(metadata, {from: START + from, to: START + to});
          t.deepEqual(listed, names, `${what} seen in [${from}, ${to}]`);
        }
      }
    },
    'a seen window and a keyword hold together': async (t, {metadata}) => {
      const window = {from: START, to: START + 60};
      const listed = await namesOf(metadata.endpoints({...ENTITY, seen: window, keyword: 'a'}, call));
      t.deepEqual(listed, ['day', 'early'], 'endpoints');
    },
  },
};

import {compareNames, type Entity, type Sighting} from '../../../../core/api/adapter.js';
import {call} from '../../call.js';
import {namesOf, servicesOf} from '../../comparable.js';
import {batch} from '../../data/metrics.js';
import {ownDays} from '../../data/times.js';
import type {Group} from '../../group.js';

const START = ownDays(11);
const LAYER = 'KIT-NAMES';
const OTHER = 'KIT-NAMES\u{1F600}';
const THIRD = 'KIT-NAMES\uFF5E';

/** Names in the order of code points, which JavaScript's own order of text and that of a language are not. */
const NAMES: readonly string[] = [
  ' ',
  ' a',
  '"',
  '%',
  "'; DROP TABLE names; --",
  '-1',
  '0',
  '10',
  '9',
  'A',
  'B',
  'Z',
  '\\',
  '_',
  'a',
  'a ',
  'a\tb',
  'a b',
  'a-b',
  'a/b',
  'aa',
  'ab',
  'b',
  'e\u0301',
  'z',
  'é',
  'ß',
  '中',
  '\uE000',
  '\uFF5E',
  '\uFFFD',
  '\u{10000}',
  '\u{1F600}',
  '\u{1F600}a',
  '\u{10FFFF}',
].sort(compareNames);

const seen = (scope: Sighting['scope'], entity: Entity): Sighting => ({scope, entity, time: START});

/** Written in an order that is not the one of the answers. */
const SIGHTINGS: readonly Sighting[] = [...NAMES]
  .reverse()
  .flatMap(name => [
    seen('Service', {layer: LAYER, service: name}),
    seen('ServiceInstance', {layer: OTHER, service: 'instances', serviceInstance: name}),
    seen('Endpoint', {layer: OTHER, service: 'endpoints', endpoint: name}),
  ]);

const TWICE = seen('Service', {layer: THIRD, service: 'a'});

/** Keywords, told from what they could mean elsewhere: patterns, cases, parts of a character. */
const KEYWORDS: readonly string[] = [
  'a',
  'A',
  '%',
  '_',
  "'",
  '\\',
  ' ',
  '\u{1F600}',
  '\u0301',
  'a/b',
  'nothing has this',
  '',
  '.',
  '^a',
  '*',
];

export const names: Group = {
  name: 'names',
  needs: ['metadata.query.v1'],
  data: {metrics: [batch({sightings: [...SIGHTINGS, TWICE]})]},
  tests: {
    'layers are those of the data, in code point order': async (t, {metadata}) => {
      const layers = await metadata.layers(call);
      t.deepEqual(
        layers.filter(layer => layer.startsWith(LAYER)),
        [LAYER, THIRD, OTHER],
        'layers',
      );
      t.deepEqual([...layers], [...layers].sort(compareNames), 'the order of all layers');
    },
    'services are listed in code point order, each once': async (t, {metadata}) => {
      t.deepEqual(await servicesOf(metadata, LAYER), NAMES, 'services');
    },
    'instances are listed in code point order, each once': async (t, {metadata}) => {
      const listed = await namesOf(metadata.instances({layer: OTHER, service: 'instances'}, call));
      t.deepEqual(listed, NAMES, 'instances');
    },
    'endpoints are listed in code point order, each once': async (t, {metadata}) => {
      const listed = await namesOf(metadata.endpoints({layer: OTHER, service: 'endpoints'}, call));
      t.deepEqual(listed, NAMES, 'endpoints');
    },
    'a service is listed in each layer that it lives in, and an instance is no endpoint': async (t, {metadata}) => {
      t.deepEqual(await servicesOf(metadata, THIRD), ['a'], 'services of the third layer');
      t.deepEqual(await servicesOf(metadata, OTHER), ['endpoints', 'instances'], 'services of the other layer');
      t.deepEqual(await namesOf(metadata.endpoints({layer: OTHER, service: 'instances'}, call)), [], 'endpoints');
      t.deepEqual(await namesOf(metadata.instances({layer: OTHER, service: 'endpoints'}, call)), [], 'instances');
    },
    'a layer or a service that does not exist has empty lists': async (t, {metadata}) => {
      for (const layer of ['KIT-NOWHERE', LAYER.toLowerCase(), '', '%', `${LAYER} `]) {
        t.deepEqual(await servicesOf(metadata, layer), [], `services of ${JSON.stringify(layer)}`);
        t.deepEqual(await namesOf(metadata.instances({layer, service: 'a'}, call)), [], 'instances');
        t.deepEqual(await namesOf(metadata.endpoints({layer, service: 'a'}, call)), [], 'endpoints');
      }
      for (const service of ['Endpoints', 'endpoint', '%', '']) {
        t.deepEqual(await namesOf(metadata.endpoints({layer: OTHER, service}, call)), [], JSON.stringify(service));
      }
    },
    'a keyword keeps the endpoints that contain it, case included': async (t, {metadata}) => {
      for (const keyword of KEYWORDS) {
        const listed = await namesOf(metadata.endpoints({layer: OTHER, service: 'endpoints', keyword}, call));
        t.deepEqual(
          listed,
          NAMES.filter(name => name.includes(keyword)),
          `keyword ${JSON.stringify(keyword)}`,
        );
      }
    },
    'a hint takes away no name that fits it, and adds none': async (t, {metadata}) => {
      const hints = [
        {equals: 'a'},
        {equals: 'nothing'},
        {oneOf: ['b', "'; DROP TABLE names; --", '\u{1F600}', 'nothing']},
        {oneOf: []},
        {prefix: 'a'},
        {prefix: '\u{1F600}'},
        {prefix: '%'},
        {prefix: '', oneOf: ['a', 'b'], equals: 'b'},
      ];
      for (const name of hints) {
        const fits = (text: string): boolean =>
          (name.equals ?? text) === text && (name.oneOf ?? [text]).includes(text) && text.startsWith(name.prefix ?? '');
        const lists = [
          await namesOf(metadata.services({layer: LAYER, name}, call)),
          await namesOf(metadata.instances({layer: OTHER, service: 'instances', name}, call)),
          await namesOf(metadata.endpoints({layer: OTHER, service: 'endpoints', name}, call)),
        ];
        for (const listed of lists) {
          t.deepEqual(listed.filter(fits), NAMES.filter(fits), `names that fit ${JSON.stringify(name)}`);
          t.deepEqual(
            listed.filter(text => !NAMES.includes(text)),
            [],
            `names that do not exist`,
          );
          t.deepEqual([...listed], [...listed].sort(compareNames), `the order with ${JSON.stringify(name)}`);
        }
      }
    },
  },
};

import type {Entity, MetricBatch, SeenWindow} from '../../../../core/api/adapter.js';
import {call} from '../../call.js';
import {namesOf, servicesOf} from '../../comparable.js';
import {batch, metric} from '../../data/metrics.js';
import {HOUR, MINUTE, ownDays} from '../../data/times.js';
import type {Group} from '../../group.js';
import type {Subject} from '../../subject.js';

const START = ownDays(72);
const LAYER = 'KIT-VERSION';
const a = {layer: LAYER, service: 'a'};
const b = {layer: LAYER, service: 'b'};
const METRIC = metric('kit_version_cpm');

/** Most make some list another one, the others none; each is written after what is above it. */
const STEPS: Readonly<Record<string, MetricBatch>> = {
  'a metric that is declared': batch({metrics: [METRIC]}),
  'a new layer and service': batch({sightings: [{scope: 'Service', entity: a, time: START + 2 * HOUR}]}),
  'a new instance': seenAt('ServiceInstance', {...a, serviceInstance: 'i'}, 2 * HOUR + 10 * MINUTE),
  'the instance a minute later': seenAt('ServiceInstance', {...a, serviceInstance: 'i'}, 2 * HOUR + 11 * MINUTE),
  'the instance an hour later': seenAt('ServiceInstance', {...a, serviceInstance: 'i'}, 3 * HOUR + 11 * MINUTE),
  'the instance at an earlier minute': seenAt('ServiceInstance', {...a, serviceInstance: 'i'}, 2 * HOUR + 9 * MINUTE),
  'the instance between its first and its last minute': seenAt(
    'ServiceInstance',
    {...a, serviceInstance: 'i'},
    3 * HOUR,
  ),
  'a new endpoint': seenAt('Endpoint', {...a, endpoint: '/e'}, 3 * HOUR),
  'a service that a sample makes known': batch({
    samples: [{metric: METRIC.name, entity: b, time: START + 3 * HOUR, value: 1}],
  }),
  'another value of a known series': batch({
    samples: [{metric: METRIC.name, entity: b, time: START + 3 * HOUR, value: 2}],
  }),
  'a metric that is declared anew': batch({metrics: [{...METRIC, help: 'calls per minute'}]}),
};

const WINDOWS: readonly (SeenWindow | undefined)[] = [
  undefined,
  ...[
    [2 * HOUR, 2 * HOUR],
    [3 * HOUR, 4 * HOUR],
    [2 * HOUR + 9 * MINUTE, 2 * HOUR + 9 * MINUTE],
    [2 * HOUR + 11 * MINUTE, 3 * HOUR],
    [3 * HOUR + 11 * MINUTE, 4 * HOUR],
  ].map(([from = 0, to = 0]) => ({from: START + from, to: START + to})),
];

function seenAt(scope: 'ServiceInstance' | 'Endpoint', entity: Entity, at: number): MetricBatch {
  return batch({sightings: [{scope, entity, time: START + at}]});
}

/** Every list of the layer, those of members by this window. */
async function lists({metadata, readers}: Subject, seen: SeenWindow | undefined): Promise<string> {
  const of = {...a, ...(seen && {seen})};
  const members = [await namesOf(metadata.instances(of, call)), await namesOf(metadata.endpoints(of, call))];
  const catalog = ((await readers['metrics.query.v1']?.catalog(call)) ?? []).filter(({name}) => name === METRIC.name);
  const layers = (await metadata.layers(call)).filter(layer => layer === LAYER);
  return JSON.stringify([members, catalog, layers, await servicesOf(metadata, LAYER)]);
}

/** A reader that has a version tells by it that a list may have changed, which callers keep meanwhile. */
export const version: Group = {
  name: 'version',
  needs: ['metadata.query.v1', 'ingest.metrics.v1'],
  tests: {
    'whatever changes a list changes the version, and no version comes again with another list': async (t, subject) => {
      const known = WINDOWS.map(() => new Map<number, {readonly listed: string; readonly after: string}>());
      for (const [step, data] of [['nothing', batch({})] as const, ...Object.entries(STEPS)]) {
        await subject.write({metrics: [data]});
        for (const [i, seen] of WINDOWS.entries()) {
          const number = subject.metadata.version?.(seen);
          if (number === undefined) continue;
          const listed = await lists(subject, seen);
          const before = known[i]?.get(number) ?? {listed, after: step};
          known[i]?.set(number, before);
          const window = seen === undefined ? 'without a window' : `by [${seen.from - START}, ${seen.to - START}]`;
          t.is(listed, before.listed, `lists ${window} of version ${number}, after ${before.after} and after ${step}`);
        }
      }
      t.pass('a reader without a version has nothing to tell');
    },
  },
};

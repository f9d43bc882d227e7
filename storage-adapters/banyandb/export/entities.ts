import type {Call, ExportPage, MetricExport, Scope, Sighting} from '../../../core/api/adapter.js';
import {MetricExportPage} from '../../../core/toolkit/metric-export-page.js';
import {SECONDS_PER_MINUTE} from '../../../core/toolkit/time.js';
import type {Services} from '../metadata/services.js';
import type {Traffic} from '../metadata/traffic.js';
import {encodePlace, type MetricPlace} from './place.js';

const SIGHTINGS_PER_PAGE = 5000;

const CHILDREN = [
  ['instance', 'ServiceInstance', 'serviceInstance'],
  ['endpoint', 'Endpoint', 'endpoint'],
] as const;

/** Services with their instances and endpoints, by the ids of services: in each of the layers that a service is in. */
export async function* entityPages(
  traffic: Traffic,
  begun: MetricPlace,
  {signal}: Call,
): AsyncGenerator<ExportPage<MetricExport>> {
  const services = await traffic.services(signal);
  let sightings: Sighting[] = [];
  let last = begun.name;
  const page = (): ExportPage<MetricExport> => {
    const of = new MetricExportPage<string>();
    of.addSightings(sightings);
    sightings = [];
    return {content: of.content(), resume: encodePlace({...begun, name: last})};
  };
  for (const id of services.ids()) {
    if (id <= begun.name) continue;
    for await (const one of sightingsOf(id, services, traffic, signal)) sightings.push(one);
    last = id;
    if (sightings.length >= SIGHTINGS_PER_PAGE) yield page();
  }
  if (sightings.length > 0) yield page();
}

async function* sightingsOf(
  id: string,
  services: Services,
  traffic: Traffic,
  signal: AbortSignal,
): AsyncGenerator<Sighting> {
  const service = services.nameOf(id);
  const layers = services.layersOf(id);
  for (const layer of layers) yield seen('Service', {layer, service}, services.firstSeen(layer, id) ?? 0);
  for (const [kind, scope, key] of CHILDREN) {
    for (const {name, firstSeen, lastSeen = firstSeen} of await traffic.childrenOf(kind, id, signal)) {
      for (const layer of layers) {
        const entity = {layer, service, [key]: name};
        for (const time of new Set([firstSeen, lastSeen])) yield seen(scope, entity, time);
      }
    }
  }
}

function seen(scope: Scope, entity: Sighting['entity'], time: number): Sighting {
  return {scope, entity, time: Math.floor(time / SECONDS_PER_MINUTE) * SECONDS_PER_MINUTE};
}

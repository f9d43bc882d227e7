import {type Entity, entityOf as named, type Scope} from '../../../core/api/adapter.js';
import type {Services} from '../metadata/services.js';
import {endsOf} from '../schema/entity-ids.js';

const CHILD_KEYS: Readonly<Record<Scope, 'serviceInstance' | 'endpoint' | undefined>> = {
  Service: undefined,
  ServiceInstance: 'serviceInstance',
  Endpoint: 'endpoint',
  ServiceRelation: undefined,
  ServiceInstanceRelation: 'serviceInstance',
  EndpointRelation: 'endpoint',
};

const DEST_KEYS = {serviceInstance: 'destServiceInstance', endpoint: 'destEndpoint'} as const;

/** The entity of an id that is no relation, as one of its layer. */
export function entityOf(scope: Scope, id: string, layer: string, services: Services): Entity {
  const [{serviceId, child} = {serviceId: ''}] = endsOf(scope, id);
  const key = CHILD_KEYS[scope];
  const service = services.nameOf(serviceId);
  return key === undefined || child === undefined ? {layer, service} : {layer, service, [key]: child};
}

/** The relations of an id: one for each pair of layers that its ends are in. */
export function relationsOf(scope: Scope, id: string, services: Services): readonly Entity[] {
  const ends = endsOf(scope, id).map(({serviceId, child}) =>
    services
      .layersOf(serviceId)
      .map(layer => [layer, services.nameOf(serviceId), ...(child === undefined ? [] : [child])]),
  );
  const [sources = [], destinations = []] = ends;
  return sources.flatMap(source => destinations.map(destination => named(scope, [...source, ...destination])));
}

/** The ends of an entity: layer and name of each service. */
export function servicesOf({layer, service, destLayer, destService}: Entity): readonly (readonly [string, string])[] {
  const source = [layer, service] as const;
  return destLayer === undefined || destService === undefined ? [source] : [source, [destLayer, destService]];
}

/** Whether an id has every key that is given. A service is in all of its layers with the same id. */
export function hasKeys(scope: Scope, id: string, given: Partial<Entity>, services: Services): boolean {
  const [source, destination] = endsOf(scope, id);
  const key = CHILD_KEYS[scope];
  const fits = (end: typeof source, layer?: string, service?: string, child?: string): boolean => {
    if (end === undefined) return layer === undefined && service === undefined && child === undefined;
    if (layer !== undefined && !services.isIn(layer, end.serviceId)) return false;
    if (service !== undefined && services.nameOf(end.serviceId) !== service) return false;
    return child === undefined || end.child === child;
  };
  const other = key === 'endpoint' ? given.serviceInstance : given.endpoint;
  if (other !== undefined) return false;
  return (
    fits(source, given.layer, given.service, key && given[key]) &&
    fits(destination, given.destLayer, given.destService, key && given[DEST_KEYS[key]])
  );
}

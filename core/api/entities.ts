import {ENTITY_KEYS, type Entity, type Scope} from './metrics.js';

/** The names of an entity, in the order of its scope's keys: how entities compare, and how they may be stored. */
export function namesOf(scope: Scope, entity: Entity): string[] {
  return ENTITY_KEYS[scope].map(key => entity[key] ?? '');
}

/** The entity of a scope that has these names, in the order of the scope's keys. The inverse of `namesOf`. */
export function entityOf(scope: Scope, names: readonly string[]): Entity {
  const entity: {-readonly [Key in keyof Entity]: Entity[Key]} = {layer: '', service: ''};
  for (const [i, key] of ENTITY_KEYS[scope].entries()) entity[key] = names[i] ?? '';
  return entity;
}

/**
 * What a writer makes known together with an entity: the service of an instance or endpoint, both ends of a relation,
 * its source first. An end is not looked into again: the service of a relation's instance is an end of that instance, so the
 * function is applied to what it gives. Doing so again with what is stored is harmless.
 */
export function impliedEntities(scope: Scope, entity: Entity): readonly (readonly [Scope, Entity])[] {
  const {layer, service, serviceInstance = '', endpoint = '', destLayer = '', destService = ''} = entity;
  const {destServiceInstance = '', destEndpoint = ''} = entity;
  const source = {layer, service};
  const destination = {layer: destLayer, service: destService};
  switch (scope) {
    case 'Service':
      return [];
    case 'ServiceInstance':
    case 'Endpoint':
      return [['Service', source]];
    case 'ServiceRelation':
      return [
        ['Service', source],
        ['Service', destination],
      ];
    case 'ServiceInstanceRelation':
      return [
        ['ServiceInstance', {...source, serviceInstance}],
        ['ServiceInstance', {...destination, serviceInstance: destServiceInstance}],
      ];
    case 'EndpointRelation':
      return [
        ['Endpoint', {...source, endpoint}],
        ['Endpoint', {...destination, endpoint: destEndpoint}],
      ];
  }
}

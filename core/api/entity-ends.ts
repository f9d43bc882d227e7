import type {Entity, Scope} from './metrics.js';

/**
 * What a writer makes known together with an entity: the service of an instance or endpoint, both ends of a relation,
 * its source first. An end is not looked into again: the service of a relation's instance is an end of that instance, so the
 * function is applied to what it gives. Doing so again with what is stored is harmless.
 */
export function endsOf(scope: Scope, entity: Entity): readonly (readonly [Scope, Entity])[] {
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

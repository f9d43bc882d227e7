import type {Entity, Scope} from '../../../core/api/adapter.js';
import {isNormal} from './layers.js';

/**
 * The ids of entities: names in base64, which has no `.`, `-` or `_`, joined by those. A service is `name.1`, or `name.0`
 * in a layer of guessed services; an instance or endpoint `service_name`; a relation its two ends.
 */
const BLANK = '_blank';

const encode = (name: string): string => Buffer.from(name).toString('base64');
const decode = (text: string): string => Buffer.from(text, 'base64').toString();

const BASE64 = '[A-Za-z0-9+/]*={0,2}';
const SERVICE = `${BASE64}\\.[01]`;
const CHILD = `${SERVICE}_${BASE64}`;

/** What an id can be of. Ids of instances and endpoints look alike. */
export type IdForm = 'service' | 'child' | 'service relation' | 'instance relation' | 'endpoint relation';

const FORMS: readonly (readonly [IdForm, RegExp])[] = [
  ['service', new RegExp(`^${SERVICE}$`)],
  ['child', new RegExp(`^${CHILD}$`)],
  ['service relation', new RegExp(`^${SERVICE}-${SERVICE}$`)],
  ['instance relation', new RegExp(`^${CHILD}-${CHILD}$`)],
  ['endpoint relation', new RegExp(`^${SERVICE}-${BASE64}-${SERVICE}-${BASE64}$`)],
];

/** Undefined for ids of other things, such as processes. */
export function formOf(id: string): IdForm | undefined {
  return FORMS.find(([, pattern]) => pattern.test(id))?.[0];
}

export function serviceId(layer: string, service: string): string {
  return `${encode(service.trim() === '' ? BLANK : service)}.${isNormal(layer) ? 1 : 0}`;
}

/** Of a service whose layer is not known. */
export function serviceIds(service: string): readonly string[] {
  return [`${encode(service)}.1`, `${encode(service)}.0`];
}

const childId = (layer: string, service: string, name: string): string =>
  `${serviceId(layer, service)}_${encode(name)}`;

/** The id of an entity that is complete for the scope. */
export function entityId(scope: Scope, entity: Entity): string {
  const {layer, service, serviceInstance = '', endpoint = ''} = entity;
  const {destLayer = '', destService = '', destServiceInstance = '', destEndpoint = ''} = entity;
  switch (scope) {
    case 'Service':
      return serviceId(layer, service);
    case 'ServiceInstance':
      return childId(layer, service, serviceInstance);
    case 'Endpoint':
      return childId(layer, service, endpoint);
    case 'ServiceRelation':
      return `${serviceId(layer, service)}-${serviceId(destLayer, destService)}`;
    case 'ServiceInstanceRelation':
      return `${childId(layer, service, serviceInstance)}-${childId(destLayer, destService, destServiceInstance)}`;
    case 'EndpointRelation':
      return [
        serviceId(layer, service),
        encode(endpoint),
        serviceId(destLayer, destService),
        encode(destEndpoint),
      ].join('-');
  }
}

/** One end of an entity: the id of its service, and the name of the instance or endpoint. */
export interface End {
  readonly serviceId: string;
  readonly child?: string;
}

/** The ends of an id, one, or of a relation two. */
export function endsOf(scope: Scope, id: string): readonly End[] {
  if (scope === 'EndpointRelation') {
    const [source = '', sourceName = '', destination = '', destinationName = ''] = id.split('-');
    return [
      {serviceId: source, child: decode(sourceName)},
      {serviceId: destination, child: decode(destinationName)},
    ];
  }
  return id.split('-').map(end => {
    const [service = '', child] = end.split('_');
    return child === undefined ? {serviceId: service} : {serviceId: service, child: decode(child)};
  });
}

/** The name in the id of a service, `_blank` for one that has none. */
export const serviceName = (id: string): string => decode(id.slice(0, id.lastIndexOf('.')));

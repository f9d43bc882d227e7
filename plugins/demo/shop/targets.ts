import type {Entity} from '../../../core/api/plugin.js';
import {noise} from './incidents.js';
import {CALLS, DATABASE, type SceneCall, type SceneEndpoint, type SceneService, SERVICES} from './services.js';

/** Something of the scene that takes calls, and so has metrics. */
export interface Target {
  readonly entity: Entity;
  /** Tells its noise from that of others. */
  readonly id: string;
  /** The service whose state decides how it fares. */
  readonly service: string;
  /** Calls per minute at the busiest time of the day. */
  readonly calls: number;
  /** Typical response time in milliseconds. */
  readonly latency: number;
}

const isTraced = ({layer}: SceneService): boolean => layer !== DATABASE;

const traced = SERVICES.filter(isTraced);
const endpointCalls = CALLS.filter(({to}) => isTraced(to.service));

export const services: readonly Target[] = traced.map(serviceTarget);

export const databases: readonly Target[] = SERVICES.filter(each => !isTraced(each)).map(serviceTarget);

export const instances: readonly Target[] = traced.flatMap(service =>
  service.instances.map(name => {
    const whole = serviceTarget(service);
    const share = (1 + 0.1 * noise(name, 0)) / service.instances.length;
    return {...whole, id: name, calls: whole.calls * share, entity: {...whole.entity, serviceInstance: name}};
  }),
);

export const endpoints: readonly Target[] = traced.flatMap(service =>
  service.endpoints.map(endpoint => ({
    entity: {layer: service.layer, service: service.name, endpoint: endpoint.name},
    id: `${service.name} ${endpoint.name}`,
    service: service.name,
    calls: endpoint.calls,
    latency: endpoint.latency,
  })),
);

export const endpointRelations: readonly Target[] = endpointCalls.map(({from, to, ratio}) => ({
  entity: {...between(from.service, to.service), endpoint: from.endpoint.name, destEndpoint: to.endpoint.name},
  id: `${from.endpoint.name} ${to.service.name} ${to.endpoint.name}`,
  service: to.service.name,
  calls: from.endpoint.calls * ratio,
  latency: to.endpoint.latency,
}));

export const serviceRelations: readonly Target[] = relate(CALLS);

/** Relations whose two ends are both traced, so that the called side reports them too. */
export const tracedServiceRelations: readonly Target[] = relate(endpointCalls);

export const instanceRelations: readonly Target[] = tracedServiceRelations.flatMap(relation => {
  const [from, to] = [instancesOf(relation.entity.service), instancesOf(relation.entity.destService)];
  return from.flatMap(source =>
    to.map(destination => ({
      ...relation,
      entity: {...relation.entity, serviceInstance: source, destServiceInstance: destination},
      id: `${source} ${destination}`,
      calls: relation.calls / (from.length * to.length),
    })),
  );
});

function serviceTarget(service: SceneService): Target {
  return {
    entity: {layer: service.layer, service: service.name},
    id: service.name,
    service: service.name,
    ...together(service.endpoints),
  };
}

/** One target for each pair of services, over all the calls between them. */
function relate(calls: readonly SceneCall[]): readonly Target[] {
  const samePair = (a: SceneCall, b: SceneCall): boolean =>
    a.from.service === b.from.service && a.to.service === b.to.service;
  const firsts = calls.filter((call, i) => calls.findIndex(other => samePair(call, other)) === i);
  return firsts.map(first => {
    const {from, to} = first;
    const members = calls.filter(each => samePair(each, first));
    return {
      entity: between(from.service, to.service),
      id: `${from.service.name} ${to.service.name}`,
      service: to.service.name,
      ...together(members.map(member => ({...member.to.endpoint, calls: member.from.endpoint.calls * member.ratio}))),
    };
  });
}

function between(from: SceneService, to: SceneService): Entity {
  return {layer: from.layer, service: from.name, destLayer: to.layer, destService: to.name};
}

function instancesOf(name: string | undefined): readonly string[] {
  return traced.find(service => service.name === name)?.instances ?? [];
}

/** All calls, and the response time of the average one. */
function together(parts: readonly SceneEndpoint[]): {readonly calls: number; readonly latency: number} {
  const calls = parts.reduce((sum, part) => sum + part.calls, 0);
  const time = parts.reduce((sum, part) => sum + part.calls * part.latency, 0);
  return {calls, latency: time / calls};
}

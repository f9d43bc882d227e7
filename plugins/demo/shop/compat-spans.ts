import {createHash} from 'node:crypto';
import {httpEndpoint} from './http-endpoint.js';
import type {Request, Visit} from './requests.js';
import {DATABASE} from './services.js';

/** The trace id under which a request is reported. */
export function compatTraceId({minute, number}: Request): string {
  return hex(`trace ${minute} ${number}`, 32);
}

/** A request as tracers in its services report it: a span where a call is made, and one where it is taken. */
export function* compatSpans(request: Request): Generator<object> {
  yield* taken(request.visit, compatTraceId(request), '0', undefined);
}

function* taken(visit: Visit, traceId: string, path: string, parentId: string | undefined): Generator<object> {
  const {method} = httpEndpoint(visit.endpoint.name);
  const id = hex(`${traceId} ${path}`, 16);
  yield {
    traceId,
    id,
    parentId,
    kind: 'SERVER',
    name: `${method} ${httpEndpoint(visit.endpoint.name).path}`,
    ...times(visit, 0),
    localEndpoint: endpointOf(visit),
    tags: {...httpTags(visit), 'instance.name': visit.instance},
  };
  for (const [i, call] of visit.calls.entries()) yield* made(visit, call, traceId, `${path}.${i}`, id);
}

function* made(from: Visit, to: Visit, traceId: string, path: string, parentId: string): Generator<object> {
  const id = hex(`${traceId} call ${path}`, 16);
  const isDatabase = to.service.layer === DATABASE;
  yield {
    traceId,
    id,
    parentId,
    kind: 'CLIENT',
    name: isDatabase ? to.endpoint.name : httpEndpoint(to.endpoint.name).method,
    ...times(to, isDatabase ? 0 : 300),
    localEndpoint: endpointOf(from),
    remoteEndpoint: isDatabase ? {serviceName: to.service.name, ipv4: '10.0.9.1', port: 3306} : endpointOf(to),
    ...(to.failed ? {annotations: [{timestamp: to.end, value: 'call failed'}]} : {}),
    tags: isDatabase ? databaseTags(to) : httpTags(to),
  };
  if (!isDatabase) yield* taken(to, traceId, path, id);
}

/** The times of a visit; where the call was made it began earlier and ended later. */
function times({start, end}: Visit, network: number): {readonly timestamp: number; readonly duration: number} {
  return {timestamp: start - network, duration: end - start + 2 * network};
}

function httpTags({endpoint, failed}: Visit): Readonly<Record<string, string>> {
  const {method, path} = httpEndpoint(endpoint.name);
  const status = failed ? '500' : '200';
  return {'http.method': method, 'http.path': path, 'http.status_code': status, ...(failed ? {error: 'true'} : {})};
}

function databaseTags({service, statement = '', failed}: Visit): Readonly<Record<string, string>> {
  const tags = {'db.type': 'sql', 'db.instance': service.name, 'db.statement': statement};
  return failed ? {...tags, error: 'true'} : tags;
}

function endpointOf({service, instance}: Visit): object {
  const host = Number(instance.slice(instance.lastIndexOf('-') + 1)) + 1;
  return {serviceName: service.name, ipv4: `10.0.${service.name.length}.${host}`, port: 8080};
}

function hex(name: string, digits: number): string {
  return createHash('sha256').update(name).digest('hex').slice(0, digits);
}

import {MICROS_PER_MS, MICROS_PER_SECOND, SECONDS_PER_MINUTE} from '../../../core/toolkit/time.js';
import {failures, noise, slowdown} from './incidents.js';
import {
  CALLS,
  DATABASE,
  type SceneEndpoint,
  type SceneNode,
  type SceneService,
  SERVICES,
  STATEMENTS,
} from './services.js';

/** Requests of a minute that are traced, out of many. */
const TRACED_REQUESTS = 4;

/** The share of the usual response time that a service takes for itself; the rest are its calls. */
const OWN_SHARE = 0.3;

/** Few requests are traced, so that of the failed ones more than their share must be. */
const FAILURES_SHOWN = 4;

/** The way of a call from one service to the next, in microseconds. */
const NETWORK = 400;

/** A call of an endpoint, with all that it caused. Times are microseconds since the Unix epoch. */
export interface Visit {
  readonly service: SceneService;
  readonly endpoint: SceneEndpoint;
  /** Empty for a database. */
  readonly instance: string;
  readonly start: number;
  readonly end: number;
  readonly failed: boolean;
  /** Of a database. */
  readonly statement?: string;
  /** In the order of their starts. */
  readonly calls: readonly Visit[];
}

/** A traced request from outside. */
export interface Request {
  readonly minute: number;
  /** Among the requests of the minute, from 0. */
  readonly number: number;
  readonly visit: Visit;
}

const isCalled = ({service, endpoint}: SceneNode): boolean =>
  CALLS.some(({to}) => to.service === service && to.endpoint === endpoint);

/** Where requests come in from outside. */
const ENTRIES = SERVICES.filter(({layer}) => layer !== DATABASE)
  .flatMap(service => service.endpoints.map(endpoint => ({service, endpoint})))
  .filter(node => !isCalled(node));

/** The traced requests of a minute (counted from the Unix epoch), always the same. */
export function requestsOf(minute: number): readonly Request[] {
  return Array.from({length: TRACED_REQUESTS}, (_, number) => {
    const node = ENTRIES[(minute * TRACED_REQUESTS + number) % ENTRIES.length] ?? fail();
    const second =
      minute * SECONDS_PER_MINUTE +
      (number * SECONDS_PER_MINUTE) / TRACED_REQUESTS +
      5 * luck(`wait ${number}`, minute);
    return {minute, number, visit: visit(node, minute, `${number}`, Math.floor(second * MICROS_PER_SECOND))};
  });
}

/** `path` tells visits of a request apart. */
function visit(node: SceneNode, minute: number, path: string, start: number): Visit {
  const {service, endpoint} = node;
  const varied = 1 + 0.5 * noise(`work ${path}`, minute);
  const work = Math.round(endpoint.latency * MICROS_PER_MS * OWN_SHARE * slowdown(service.name, minute) * varied);
  const calls: Visit[] = [];
  let at = start + Math.floor(work / 2);
  for (const [i, {to, ratio}] of CALLS.filter(({from}) => sameNode(from, node)).entries()) {
    const times = Math.floor(ratio + luck(`times ${path}.${i}`, minute));
    for (let k = 0; k < times; k++) {
      const call = visit(to, minute, `${path}.${i}.${k}`, at + NETWORK);
      calls.push(call);
      at = call.end + NETWORK;
    }
  }
  const fails = luck(`fails ${path}`, minute) < FAILURES_SHOWN * failures(service.name, minute);
  const {instances} = service;
  const statement = STATEMENTS[Math.floor(luck(`statement ${path}`, minute) * STATEMENTS.length)] ?? fail();
  return {
    service,
    endpoint,
    instance: instances[Math.floor(luck(`instance ${path}`, minute) * instances.length)] ?? '',
    start,
    end: at + Math.ceil(work / 2),
    failed: fails || calls.some(call => call.failed && call.service.layer !== DATABASE),
    ...(service.layer === DATABASE ? {statement} : {}),
    calls,
  };
}

function sameNode(a: SceneNode, b: SceneNode): boolean {
  return a.service === b.service && a.endpoint === b.endpoint;
}

/** From 0 to less than 1. */
function luck(name: string, minute: number): number {
  return Math.min((noise(name, minute) + 1) / 2, 1 - Number.EPSILON);
}

function fail(): never {
  throw new Error('the scene is empty');
}

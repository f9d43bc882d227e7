import type {Logger, Meter} from '../api/telemetry.js';
import type {Limits} from '../config/gateway-config.js';
import {BodyBudget} from './body.js';
import {Gate} from './gate.js';
import {InFlight} from './in-flight.js';

/** How many of the largest bodies may be in memory at once. */
const BODIES = 3;

/** What all listeners share: limits hold for the gateway, not for each listener. */
export interface HttpServices {
  readonly limits: Limits;
  readonly gate: Gate;
  readonly inFlight: InFlight;
  readonly bodies: BodyBudget;
  readonly loggerOf: (component: string) => Logger;
  readonly meterOf: (component: string) => Meter;
}

export function createHttpServices(
  limits: Limits,
  loggerOf: HttpServices['loggerOf'],
  meterOf: HttpServices['meterOf'],
): HttpServices {
  return {
    limits,
    gate: new Gate(limits.concurrentQueries),
    inFlight: new InFlight(limits),
    bodies: new BodyBudget(BODIES * Math.max(limits.ingestBody, limits.formBody)),
    loggerOf,
    meterOf,
  };
}

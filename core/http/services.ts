import type {Socket} from 'node:net';
import {Access} from '../access/access.js';
import type {Logger, Meter} from '../api/telemetry.js';
import type {Limits} from '../config/gateway-config.js';
import {AdmissionLimiter} from './admission.js';
import {AnswerBudget} from './answer-budget.js';
import {BodyBudget} from './body.js';
import {InFlight} from './in-flight.js';
import {QueryRecorder} from './recorder.js';

/** How many of the largest bodies may be in memory at once. */
const BODIES = 3;
/** Memory for answers that wait for their clients, in bytes. */
const ANSWERS = 64 * 1024 * 1024;
/** Of so many queries one may be heavy: each holds megabytes, and more of them at once would only all be slower. */
const LIGHT_PER_HEAVY = 16;

/** What all listeners share, for as long as the gateway runs: limits hold for the gateway, not for each listener. */
export interface HttpServices {
  /** Those of the moment. */
  limits: Limits;
  /** Who may use them. */
  readonly access: Access;
  readonly admission: AdmissionLimiter;
  /** Where queries go on that have told that they are heavy. */
  readonly heavyAdmission: AdmissionLimiter;
  readonly inFlight: InFlight;
  /** Connections that end with their next answer. */
  readonly ending: WeakSet<Socket>;
  readonly bodies: BodyBudget;
  readonly answers: AnswerBudget;
  readonly recorder: QueryRecorder;
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
    access: new Access(loggerOf('gateway'), meterOf('gateway')),
    admission: new AdmissionLimiter(limits.concurrentQueries),
    heavyAdmission: new AdmissionLimiter(heavyPlaces(limits), limits.concurrentQueries),
    inFlight: new InFlight(limits),
    ending: new WeakSet(),
    answers: new AnswerBudget(ANSWERS),
    bodies: new BodyBudget(bodyBytes(limits)),
    recorder: new QueryRecorder(loggerOf('record')),
    loggerOf,
    meterOf,
  };
}

/** Lets other limits hold, for what comes from now on. */
export function changeLimits(services: HttpServices, limits: Limits): void {
  services.limits = limits;
  services.admission.resize(limits.concurrentQueries);
  services.heavyAdmission.resize(heavyPlaces(limits), limits.concurrentQueries);
  services.inFlight.limit(limits);
  services.bodies.resize(bodyBytes(limits));
}

function heavyPlaces({concurrentQueries}: Limits): number {
  return Math.ceil(concurrentQueries / LIGHT_PER_HEAVY);
}

function bodyBytes({ingestBody, formBody}: Limits): number {
  return BODIES * Math.max(ingestBody, formBody);
}

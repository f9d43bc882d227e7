import type {Socket} from 'node:net';
import {Access} from '../access/access.js';
import type {Logger, Meter} from '../api/telemetry.js';
import type {Limits} from '../config/gateway-config.js';
import {AdmissionLimiter} from './admission.js';
import {AnswerBudget} from './answer-budget.js';
import {BodyBudget} from './body.js';
import {InFlight} from './in-flight.js';
import {ownPorts, type Ports} from './port.js';
import {RecordFile, type RecordFiles} from './record-file.js';
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
  /** How many processes share them. */
  readonly workers: number;
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
  readonly ports: Ports;
  readonly loggerOf: (component: string) => Logger;
  readonly meterOf: (component: string) => Meter;
}

/** What a process that is one of several has from another; left out, it has all of that itself. */
export interface Shared {
  /** How many share the limits: each has its part. */
  readonly workers: number;
  readonly ports: Ports;
  readonly recordFiles: RecordFiles;
}

const ALONE: Shared = {
  workers: 1,
  ports: ownPorts,
  recordFiles: (config, log) => new RecordFile(config, log),
};

export function createHttpServices(
  limits: Limits,
  loggerOf: HttpServices['loggerOf'],
  meterOf: HttpServices['meterOf'],
  {workers, ports, recordFiles}: Shared = ALONE,
): HttpServices {
  const places = placesOf(limits, workers);
  return {
    workers,
    limits,
    access: new Access(loggerOf('gateway'), meterOf('gateway')),
    admission: new AdmissionLimiter(places),
    heavyAdmission: new AdmissionLimiter(heavyOf(places), places),
    inFlight: new InFlight(limits),
    ending: new WeakSet(),
    answers: new AnswerBudget(ANSWERS / workers),
    bodies: new BodyBudget(bodyBytes(limits, workers)),
    recorder: new QueryRecorder(loggerOf('record'), recordFiles),
    ports,
    loggerOf,
    meterOf,
  };
}

/** Lets other limits hold, for what comes from now on. */
export function changeLimits(services: HttpServices, limits: Limits): void {
  const {workers} = services;
  const places = placesOf(limits, workers);
  services.limits = limits;
  services.admission.resize(places);
  services.heavyAdmission.resize(heavyOf(places), places);
  services.inFlight.limit(limits);
  services.bodies.resize(bodyBytes(limits, workers));
}

function placesOf({concurrentQueries}: Limits, workers: number): number {
  return Math.ceil(concurrentQueries / workers);
}

function heavyOf(places: number): number {
  return Math.ceil(places / LIGHT_PER_HEAVY);
}

/** Of however many share them, each has room for one. */
function bodyBytes({ingestBody, formBody}: Limits, workers: number): number {
  return Math.max(1, BODIES / workers) * Math.max(ingestBody, formBody);
}

export function tooManyQueries({limits: {concurrentQueries}, workers}: HttpServices): string {
  const part = workers === 1 ? '' : ` (a part for each of ${workers} workers)`;
  return `more queries at once than limits.concurrentQueries, ${concurrentQueries}${part}, and its queue allow; try again`;
}

import {HOURS_PER_DAY, MINUTES_PER_DAY, MINUTES_PER_HOUR} from '../../../core/toolkit/time.js';

/**
 * How busy, how slow and how faulty the scene is in a minute. Everything follows from the minute and the name alone, so
 * that any minute can be made at any time, again, and comes out the same.
 */

/** An incident begins every two hours, so that a whole one is always among the first hours, and lasts 24 minutes. */
const INCIDENT_EVERY = 2 * MINUTES_PER_HOUR;
const INCIDENT_LENGTH = 24;

/** Where the incident starts and who feels it: response times grow by this factor at its peak. */
const INCIDENT: ReadonlyMap<string, number> = new Map([
  ['payment', 9],
  ['checkout', 5],
  ['orders-db:3306', 3],
  ['gateway', 1.4],
]);

/** The share of the day's peak traffic: quiet at four in the morning UTC, busiest at four in the afternoon. */
export function traffic(minute: number): number {
  const angle = ((minute % MINUTES_PER_DAY) / MINUTES_PER_DAY - 16 / HOURS_PER_DAY) * 2 * Math.PI;
  return 0.6 + 0.4 * Math.cos(angle);
}

/** 0 outside the incident; rises to 1 within six minutes, stays, and falls again. */
export function incident(minute: number): number {
  const into = minute % INCIDENT_EVERY;
  if (into >= INCIDENT_LENGTH) return 0;
  return Math.min(1, (into + 1) / 6, (INCIDENT_LENGTH - into) / 6);
}

/** By how much a service is slower than usual. */
export function slowdown(service: string, minute: number): number {
  return 1 + ((INCIDENT.get(service) ?? 1) - 1) * incident(minute);
}

/** The share of calls that fail. */
export function failures(service: string, minute: number): number {
  const hit = (INCIDENT.get(service) ?? 1) - 1;
  return 0.002 * (1 + noise(`failures ${service}`, minute)) + 0.03 * hit * incident(minute);
}

/** Between -1 and 1, evenly; the same for the same name and minute. */
export function noise(name: string, minute: number): number {
  let hash = 0x811c9dc5 ^ minute;
  for (let i = 0; i < name.length; i++) hash = Math.imul(hash ^ name.charCodeAt(i), 0x01000193);
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return ((hash ^ (hash >>> 16)) >>> 0) / 0x7fffffff - 1;
}

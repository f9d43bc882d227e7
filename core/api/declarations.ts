import {GatewayError} from './errors.js';
import type {MetricDefinition, Rollup} from './metrics.js';

/** Why a metric cannot be declared again like this, for a `bad_request`; undefined when it can. */
export function conflictBetween(standing: MetricDefinition, again: MetricDefinition): string | undefined {
  const key = (['scope', 'kind', 'valueLabels'] as const).find(one => String(standing[one]) !== String(again[one]));
  if (key === undefined) return undefined;
  return `the metric "${again.name}" is already declared with ${key} "${standing[key]}" and cannot be declared again with "${again[key]}"`;
}

/** Refuses samples and records of a metric that the catalog does not have. */
export function undeclared(name: string): GatewayError {
  return new GatewayError('bad_request', `the metric "${name}" is not declared; declare it before its samples`);
}

/** Whether a declaration that does not conflict says nothing new. */
export function isSameDeclaration(a: MetricDefinition, b: MetricDefinition): boolean {
  return a.type === b.type && a.help === b.help && a.unit === b.unit && a.rollup === b.rollup;
}

/**
 * Which rollup of a metric counts from which hour (since the epoch) on, oldest first; each begins with a UTC day. The
 * first, the rollup of the first declaration, has the hour 0 and counts for everything before it too.
 */
export type RollupHistory = readonly {readonly from: number; readonly rollup: Rollup}[];

const HOURS_PER_DAY = 24;

/** The history after a declaration with another rollup; `newest` is the newest hour that has values, if any has. */
export function withRollup(history: RollupHistory, rollup: Rollup, newest: number | undefined): RollupHistory {
  if (newest === undefined) return [{from: 0, rollup}];
  const from = (Math.floor(newest / HOURS_PER_DAY) + 1) * HOURS_PER_DAY;
  const kept = history.filter((entry, i) => i === 0 || entry.from < from);
  return kept.at(-1)?.rollup === rollup ? kept : [...kept, {from, rollup}];
}

/**
 * The history that a metric has after a page of an export that has it with the history `given`: that one, where the metric
 * had never another rollup than the last of it, and else its own.
 */
export function adoptedHistory(own: RollupHistory, given: RollupHistory): RollupHistory {
  const isNewHere = own.length === 1 && own[0]?.rollup === given.at(-1)?.rollup;
  return isNewHere && given.length > 1 ? given : own;
}

/** The rollup that counts for an hour. All hours of a day have the same one, so it is that of the day too. */
export function rollupAt(history: RollupHistory, hour: number): Rollup {
  for (let i = history.length - 1; i > 0; i--) {
    const entry = history[i];
    if (entry !== undefined && entry.from <= hour) return entry.rollup;
  }
  return history[0]?.rollup ?? 'avg';
}

import type {ConfigMistake, JsonSchema} from '../api/json-schema.js';
import {MS_PER_DAY} from './time.js';

/**
 * The option `retention` of storage adapters: the same keys, and the same rule, on every storage.
 *
 * How long each kind of data is kept, in milliseconds; what is left out is kept for ever.
 */
export interface Retention {
  readonly minute?: number;
  readonly hour?: number;
  readonly day?: number;
  readonly records?: number;
  readonly traces?: number;
}

/** A hundred years: above it a number is a mistake, and times before the epoch of anything would come of it. */
export const LONGEST_RETENTION = 36_525 * MS_PER_DAY;

/**
 * The schema of the option. `shortest` is the least time that the engine can tell apart, in milliseconds; `how` says how
 * it removes, and `traces` what of a trace counts.
 */
export function retentionSchema(
  shortest: number,
  {how, traces}: {readonly how: string; readonly traces: string},
): JsonSchema {
  const kept = (description: string): JsonSchema => ({
    type: ['number', 'string'],
    format: 'duration',
    minimum: shortest,
    maximum: LONGEST_RETENTION,
    description,
  });
  return {
    type: 'object',
    additionalProperties: false,
    description: `How long data is kept${how}. Each kind that is left out is kept for ever.`,
    properties: {
      minute: kept('Minute values. Samples that arrive later than this are dropped and counted.'),
      hour: kept('Hour values; at least as long as minute values.'),
      day: kept('Day values; at least as long as minute and hour values.'),
      records: kept('Sampled records.'),
      traces: kept(traces),
    },
  };
}

const FROM_FINE_TO_COARSE = ['minute', 'hour', 'day'] as const;

/**
 * Values of an hour are made of its minutes, and those of a day of its hours, anew when a minute is written again: so
 * coarser values cannot go before finer ones. For `checkConfig`; the keys are those below `retention`.
 */
export function retentionMistakes(retention: Retention = {}): readonly ConfigMistake[] {
  const mistakes: ConfigMistake[] = [];
  let longest: {readonly name: string; readonly kept: number} | undefined;
  for (const name of FROM_FINE_TO_COARSE) {
    const kept = retention[name];
    if (kept === undefined) continue;
    if (longest !== undefined && kept < longest.kept) {
      const message = `found ${inDays(kept)}, expected at least retention.${longest.name}, ${inDays(longest.kept)}: ${name} values are made of finer ones`;
      mistakes.push({key: `retention.${name}`, message});
    } else {
      longest = {name, kept};
    }
  }
  return mistakes;
}

function inDays(milliseconds: number): string {
  const days = Number((milliseconds / MS_PER_DAY).toFixed(2));
  return `${days} ${days === 1 ? 'day' : 'days'}`;
}

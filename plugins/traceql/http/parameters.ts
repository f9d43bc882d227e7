import {GatewayError, type Parameters, type TimeWindow} from '../../../core/api/plugin.js';
import {didYouMean, parameterProblem, quote} from '../../../core/toolkit/messages.js';
import {MICROS_PER_MS, MICROS_PER_SECOND, MS_PER_SECOND} from '../../../core/toolkit/time.js';
import {parseDuration} from '../language/literals.js';
import {SCOPES, type TagScope} from '../search/tag-names.js';

/** Decoding of the parameters that the endpoints share. Of a repeated one the first counts; an empty one is absent. */

/** The last second of the year 9999. */
const LATEST = 253_402_300_799;

/**
 * The window from `start` to `end`, both whole seconds and included. Without `end` it ends now, without `start` it is
 * `lookback` milliseconds long.
 */
export function windowOf(parameters: Parameters, lookback: number): TimeWindow {
  const end = secondsOf(parameters, 'end') ?? Math.floor(Date.now() / MS_PER_SECOND);
  const start = secondsOf(parameters, 'start');
  checkOrder(start, end, parameters);
  const from = start === undefined ? end * MICROS_PER_SECOND - lookback * MICROS_PER_MS : start * MICROS_PER_SECOND;
  return {from, to: (end + 1) * MICROS_PER_SECOND};
}

/** Refuses what is no time, where times have no effect. */
export function checkTimes(parameters: Parameters): void {
  checkOrder(secondsOf(parameters, 'start'), secondsOf(parameters, 'end'), parameters);
}

function checkOrder(start: number | undefined, end: number | undefined, parameters: Parameters): void {
  if (start === undefined || end === undefined || start <= end) return;
  const given = parameters.first('end');
  const last = given === undefined ? `"end", now ${end}` : `"end" ${quote(given)}`;
  refuse('start', parameters.first('start'), `which lies after ${last}`);
}

function secondsOf(parameters: Parameters, name: string): number | undefined {
  const text = parameters.first(name);
  if (text === undefined) return undefined;
  const seconds = /^\d+$/.test(text) ? Number(text) : undefined;
  if (seconds !== undefined && seconds <= LATEST) return seconds;
  return refuse(name, text, 'expected a time in whole Unix seconds such as 1700000040');
}

export function limitOf(parameters: Parameters, otherwise: number): number {
  const text = parameters.first('limit');
  if (text === undefined) return otherwise;
  const limit = /^\d+$/.test(text) ? Math.min(Number(text), Number.MAX_SAFE_INTEGER) : 0;
  return limit < 1 ? refuse('limit', text, 'expected a whole number from 1') : limit;
}

/** Bounds of the duration of traces in microseconds. Of 0 there is none: some clients send both always. */
export function traceDurationOf(parameters: Parameters): {readonly min?: number; readonly max?: number} {
  const min = durationOf(parameters, 'minDuration');
  const max = durationOf(parameters, 'maxDuration');
  if (min !== undefined && max !== undefined && min > max) {
    const most = quote(parameters.first('maxDuration'));
    refuse('minDuration', parameters.first('minDuration'), `which is above "maxDuration" ${most}`);
  }
  return {...(min !== undefined && {min}), ...(max !== undefined && {max})};
}

function durationOf(parameters: Parameters, name: string): number | undefined {
  const text = parameters.first(name);
  if (text === undefined) return undefined;
  const value = parseDuration(text) ?? refuse(name, text, `expected ${DURATION}`);
  return value === 0 ? undefined : value;
}

const DURATION = 'a duration such as 100ms or 1.5s, in us, ms, s, m or h';

/** Undefined for all scopes. */
export function scopeOf(parameters: Parameters): TagScope | undefined {
  const text = parameters.first('scope');
  const wanted = text?.toLowerCase() ?? 'all';
  if (wanted === 'all' || wanted === 'none') return undefined;
  return (
    SCOPES.find(each => each === wanted) ??
    refuse('scope', text, `expected one of ${['all', ...SCOPES].join(', ')}${didYouMean(wanted, SCOPES)}`)
  );
}

function refuse(name: string, text: string | undefined, problem: string): never {
  throw new GatewayError('bad_request', parameterProblem(name, text, problem));
}

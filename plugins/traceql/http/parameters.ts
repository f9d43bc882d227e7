import {GatewayError, type Parameters, type TimeWindow} from '../../../core/api/plugin.js';
import {parseDuration} from '../language/literals.js';
import {excerpt} from '../messages.js';
import {SCOPES, type Scope} from '../search/tag-names.js';

/** Decoding of the parameters that the endpoints share. Of a repeated one the first counts; an empty one is absent. */

/** Microseconds of a second, and of a millisecond. */
const SECOND = 1_000_000;
const MILLISECOND = 1000;
/** The last second of the year 9999. */
const LATEST = 253_402_300_799;

/**
 * The window from `start` to `end`, both whole seconds and included. Without `end` it ends now, without `start` it is
 * `lookback` milliseconds long.
 */
export function windowOf(parameters: Parameters, lookback: number): TimeWindow {
  const end = secondsOf(parameters, 'end') ?? Math.floor(Date.now() / 1000);
  const start = secondsOf(parameters, 'start');
  if (start !== undefined && start > end) {
    const given = parameters.first('end') === undefined ? `, now ${end}` : ` ${end}`;
    throw new GatewayError('bad_request', `the parameter 'start' ${start} lies after 'end'${given}`);
  }
  const from = start === undefined ? end * SECOND - lookback * MILLISECOND : start * SECOND;
  return {from, to: (end + 1) * SECOND};
}

/** Refuses what is no time, where times have no effect. */
export function checkTimes(parameters: Parameters): void {
  const [start, end] = [secondsOf(parameters, 'start'), secondsOf(parameters, 'end')];
  if (start !== undefined && end !== undefined && start > end) {
    throw new GatewayError('bad_request', `the parameter 'start' ${start} lies after 'end' ${end}`);
  }
}

function secondsOf(parameters: Parameters, name: string): number | undefined {
  const text = parameters.first(name);
  if (text === undefined) return undefined;
  const seconds = /^\d+$/.test(text) ? Number(text) : undefined;
  if (seconds === undefined || seconds > LATEST) {
    const message = `the parameter '${name}' is a time in whole Unix seconds such as 1700000040, not '${excerpt(text)}'`;
    throw new GatewayError('bad_request', message);
  }
  return seconds;
}

export function limitOf(parameters: Parameters, otherwise: number): number {
  const text = parameters.first('limit');
  if (text === undefined) return otherwise;
  const limit = /^\d+$/.test(text) ? Math.min(Number(text), Number.MAX_SAFE_INTEGER) : 0;
  if (limit < 1) {
    throw new GatewayError('bad_request', `the parameter 'limit' is a whole number from 1, not '${excerpt(text)}'`);
  }
  return limit;
}

/** Bounds of the duration of traces in microseconds. Of 0 there is none: some clients send both always. */
export function traceDurationOf(parameters: Parameters): {readonly min?: number; readonly max?: number} {
  const min = durationOf(parameters, 'minDuration');
  const max = durationOf(parameters, 'maxDuration');
  if (min !== undefined && max !== undefined && min > max) {
    const [less, more] = [parameters.first('minDuration'), parameters.first('maxDuration')];
    throw new GatewayError('bad_request', `the parameter 'minDuration' ${less} is above 'maxDuration' ${more}`);
  }
  return {...(min !== undefined && {min}), ...(max !== undefined && {max})};
}

function durationOf(parameters: Parameters, name: string): number | undefined {
  const text = parameters.first(name);
  if (text === undefined) return undefined;
  const value = parseDuration(text);
  if (value === undefined) {
    const message = `the parameter '${name}' is a duration such as 100ms or 1.5s, in us, ms, s, m or h, not '${excerpt(text)}'`;
    throw new GatewayError('bad_request', message);
  }
  return value === 0 ? undefined : value;
}

/** Undefined for all scopes. */
export function scopeOf(parameters: Parameters): Scope | undefined {
  const text = parameters.first('scope');
  const wanted = text?.toLowerCase() ?? 'all';
  if (wanted === 'all' || wanted === 'none') return undefined;
  const scope = SCOPES.find(each => each === wanted);
  if (scope === undefined) {
    const known = ['all', ...SCOPES].join(', ');
    throw new GatewayError('bad_request', `the parameter 'scope' is one of ${known}, not '${excerpt(text ?? '')}'`);
  }
  return scope;
}

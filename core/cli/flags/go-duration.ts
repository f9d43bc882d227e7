import type {ConfigError} from '../../config/config-error.js';
import {flagError} from './flag-error.js';

/** Nanoseconds of each unit. */
const UNITS: Readonly<Record<string, number>> = {
  ns: 1,
  us: 1e3,
  µs: 1e3,
  μs: 1e3,
  ms: 1e6,
  s: 1e9,
  m: 60e9,
  h: 3600e9,
};
const PART = /^(\d+(?:\.\d*)?|\.\d+)([^\d.]*)/;
const MS = 1e6;
/** A Go duration is a signed 64-bit number of nanoseconds. */
const LONGEST_NS = 2 ** 63;

/**
 * A duration as Go writes it (`10s`, `1h30m`, `1.5h`, `-.5s`) in milliseconds, fractions included. Differs from the
 * durations of the configuration file: a bare number other than 0 has no meaning here, and there are no days.
 */
export function parseGoDuration(text: string): number {
  const sign = /^[+-]/.test(text) ? text.charAt(0) : '';
  let rest = text.slice(sign.length);
  if (rest === '0') return 0;
  if (rest === '') throw invalid(text);
  let sum = 0;
  while (rest !== '') {
    const [part, amount = '', unit = ''] = PART.exec(rest) ?? [];
    if (part === undefined) throw invalid(text);
    if (unit === '') throw flagError(`time: missing unit in duration ${JSON.stringify(text)}`);
    const factor = Object.hasOwn(UNITS, unit) ? UNITS[unit] : undefined;
    if (factor === undefined) {
      throw flagError(`time: unknown unit ${JSON.stringify(unit)} in duration ${JSON.stringify(text)}`);
    }
    sum += Number(amount) * factor;
    rest = rest.slice(part.length);
  }
  if (sum >= LONGEST_NS) throw invalid(text);
  return (sign === '-' ? -sum : sum) / MS;
}

const invalid = (text: string): ConfigError => flagError(`time: invalid duration ${JSON.stringify(text)}`);

/** Milliseconds as Go prints a duration: `10s`, `5m0s`, `1h30m0s`, `500ms`. */
export function formatGoDuration(ms: number): string {
  const ns = Math.round(Math.abs(ms) * MS);
  const sign = ms < 0 ? '-' : '';
  if (ns === 0) return '0s';
  if (ns < 1e3) return `${sign}${ns}ns`;
  if (ns < 1e6) return `${sign}${ns / 1e3}µs`;
  if (ns < 1e9) return `${sign}${ns / 1e6}ms`;
  const seconds = ns / 1e9;
  const hours = Math.floor(seconds / 3600);
  const minutes = Math.floor(seconds / 60) % 60;
  const rest = `${Number((seconds % 60).toFixed(9))}s`;
  if (hours > 0) return `${sign}${hours}h${minutes}m${rest}`;
  return minutes > 0 ? `${sign}${minutes}m${rest}` : `${sign}${rest}`;
}

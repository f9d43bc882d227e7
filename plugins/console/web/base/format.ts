const NUMBER = new Intl.NumberFormat('en', {maximumSignificantDigits: 4, useGrouping: true});
const COUNT = new Intl.NumberFormat('en');

/** A count, whole. */
export function count(value: number): string {
  return COUNT.format(value);
}

/** `1 span`, `2 spans`. */
export function counted(value: number, noun: string): string {
  return `${count(value)} ${noun}${value === 1 ? '' : 's'}`;
}

/** A measured number, short: for axes and marks, not for values that somebody copies. */
export function short(value: number): string {
  const size = Math.abs(value);
  if (size >= 1e15) return value.toExponential(2);
  for (const [unit, factor] of [
    ['T', 1e12],
    ['G', 1e9],
    ['M', 1e6],
    ['k', 1e4],
  ] as const) {
    if (size >= factor) return `${NUMBER.format(value / (unit === 'k' ? 1000 : factor))}${unit}`;
  }
  if (size > 0 && size < 1e-3) return value.toExponential(2);
  return NUMBER.format(value);
}

const BYTES = ['B', 'KiB', 'MiB', 'GiB', 'TiB', 'PiB'];

export function bytes(value: number): string {
  const power = value < 1 ? 0 : Math.min(BYTES.length - 1, Math.floor(Math.log2(value) / 10));
  return `${NUMBER.format(value / 1024 ** power)} ${BYTES[power]}`;
}

/** A time that has passed. `microseconds`: of any length. */
export function duration(microseconds: number): string {
  if (microseconds < 1000) return `${NUMBER.format(microseconds)} µs`;
  if (microseconds < 1e6) return `${NUMBER.format(microseconds / 1000)} ms`;
  if (microseconds < 60e6) return `${NUMBER.format(microseconds / 1e6)} s`;
  const seconds = Math.round(microseconds / 1e6);
  return coarse(seconds);
}

/** Two units are enough: `2 d 3 h`. */
export function coarse(seconds: number): string {
  const units = [
    ['d', 86_400],
    ['h', 3600],
    ['min', 60],
    ['s', 1],
  ] as const;
  const first = units.findIndex(([, size]) => seconds >= size);
  if (first < 0) return '0 s';
  let rest = Math.round(seconds);
  const parts: string[] = [];
  for (const [unit, size] of units.slice(first, first + 2)) {
    const whole = Math.floor(rest / size);
    rest -= whole * size;
    if (whole > 0) parts.push(`${whole} ${unit}`);
  }
  return parts.join(' ');
}

export type Zone = 'local' | 'utc';

const pad = (value: number, digits = 2): string => String(value).padStart(digits, '0');

/** `2026-11-28 19:05:00`, with what is asked of the second's parts. */
export function time(milliseconds: number, zone: Zone = 'local', fraction = 0): string {
  const date = new Date(milliseconds);
  if (Number.isNaN(date.getTime())) return 'no time';
  const shifted = zone === 'utc' ? date : new Date(milliseconds - date.getTimezoneOffset() * 60_000);
  const day = `${shifted.getUTCFullYear()}-${pad(shifted.getUTCMonth() + 1)}-${pad(shifted.getUTCDate())}`;
  const clock = [shifted.getUTCHours(), shifted.getUTCMinutes(), shifted.getUTCSeconds()].map(part => pad(part));
  const rest = fraction === 0 ? '' : `.${pad(shifted.getUTCMilliseconds(), 3).slice(0, fraction)}`;
  return `${day} ${clock.join(':')}${rest}`;
}

/** How long ago, in words. */
export function ago(milliseconds: number, now: number): string {
  const seconds = Math.max(0, (now - milliseconds) / 1000);
  return seconds < 1 ? 'now' : `${coarse(seconds < 60 ? Math.floor(seconds) : seconds)} ago`;
}

/** A share from 0 to 1. One that is not nothing never reads as nothing. */
export function percent(share: number): string {
  if (share > 0 && share < 0.0001) return '< 0.01 %';
  return `${NUMBER.format(Math.round(share * 10_000) / 100)} %`;
}

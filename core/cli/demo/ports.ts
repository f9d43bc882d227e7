import {InvalidArgumentError} from 'commander';

/** The usual port of each listener, and its distance from `--port-base`. */
export const LISTENERS = {
  metrics: {port: 9090, offset: 0},
  traces: {port: 3200, offset: 1},
  diagnostics: {port: 17_913, offset: 2},
  ingest: {port: 9411, offset: 3},
  admin: {port: 9464, offset: 4},
} as const;

const HIGHEST_BASE = 65_535 - Math.max(...Object.values(LISTENERS).map(({offset}) => offset));

/** The value of `--port-base`. */
export function parsePortBase(text: string): number {
  const base = /^\d{1,5}$/.test(text) ? Number(text) : -1;
  if (base < 0 || base > HIGHEST_BASE) {
    throw new InvalidArgumentError(`Expected a whole number from 0 to ${HIGHEST_BASE}; 0 takes any free ports.`);
  }
  return base;
}

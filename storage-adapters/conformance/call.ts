import type {Call, Logger, Meter} from '../../core/api/adapter.js';

const quiet = {add() {}, set() {}, observe() {}};

/** Telemetry that goes nowhere. */
export const silentLog: Logger = {debug() {}, info() {}, warn() {}, error() {}};
export const silentMeter: Meter = {
  counter: () => ({with: () => quiet}),
  gauge: () => ({with: () => quiet}),
  histogram: () => ({with: () => quiet}),
};

/** A call that nobody cancels, unless a signal is given. */
export function callWith(signal: AbortSignal): Call {
  return {signal, log: silentLog};
}

export const call: Call = callWith(new AbortController().signal);

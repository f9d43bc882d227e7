import {setMaxListeners} from 'node:events';
import type {Call} from '../../../core/api/adapter.js';

export function callWith(signal: AbortSignal): Call {
  return {signal, log: {debug() {}, info() {}, warn() {}, error() {}}};
}

/** For any number of calls at once. */
export function sharedController(): AbortController {
  const controller = new AbortController();
  setMaxListeners(0, controller.signal);
  return controller;
}

/** A call that nobody cancels. */
export const call = callWith(sharedController().signal);

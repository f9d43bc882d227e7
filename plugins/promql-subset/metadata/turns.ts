import {setImmediate} from 'node:timers/promises';
import type {Call} from '../../../core/api/plugin.js';

/** How long one request may hold the thread before others get their turn. */
const SLICE_MS = 20;

/** Lets other requests have their turn between the small steps of a long one. */
export class Turns {
  readonly #call: Call;
  #end = performance.now() + SLICE_MS;

  constructor(call: Call) {
    this.#call = call;
  }

  get isOver(): boolean {
    return performance.now() > this.#end;
  }

  /** Rejects when the call has been aborted meanwhile. */
  async yield(): Promise<void> {
    await setImmediate();
    this.#call.signal.throwIfAborted();
    this.#end = performance.now() + SLICE_MS;
  }
}

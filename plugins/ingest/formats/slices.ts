import {setImmediate as turn} from 'node:timers/promises';
import type {Call} from '../../../core/api/plugin.js';

/** Bytes that are worked on at once: few enough that they stay well below a slice. */
export const BLOCK_BYTES = 64 * 1024;

/** How long the thread is held before others have their turn, in milliseconds. */
const SLICE_MS = 4;

/** Long work in slices. A new one begins with the object. */
export class Slices {
  readonly #call: Call;
  #end = performance.now() + SLICE_MS;

  constructor(call: Call) {
    this.#call = call;
  }

  /** Leaves the thread to others when it has been held for long. Rejects when the call was cancelled. */
  async pause(): Promise<void> {
    if (performance.now() <= this.#end) return;
    await turn();
    this.#call.signal.throwIfAborted();
    this.#end = performance.now() + SLICE_MS;
  }
}

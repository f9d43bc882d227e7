/** Calls that have a flag at once; more go without, and end by themselves. */
const FLAGS = 1024;

/**
 * What tells a worker in the middle of its work that nobody waits for the answer any more: memory that both threads see, with
 * a flag for each call. A piece of such memory for each call would cost more than many of the calls.
 */
export class CancelFlags {
  readonly shared = new Int32Array(new SharedArrayBuffer(FLAGS * Int32Array.BYTES_PER_ELEMENT));
  readonly #free = Array.from({length: FLAGS}, (_, place) => place);

  /** The place of a flag that is not raised; undefined when all are taken. */
  take(): number | undefined {
    return this.#free.pop();
  }

  raise(place: number): void {
    Atomics.store(this.shared, place, 1);
  }

  /** Only when the worker has answered: until then it may look. */
  give(place: number): void {
    Atomics.store(this.shared, place, 0);
    this.#free.push(place);
  }
}

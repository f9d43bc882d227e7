import {compareNames} from '../../../core/api/adapter.js';

export interface PendingTrace<Trace> {
  readonly id: string;
  /** The earliest start of its spans, in microseconds. */
  readonly start: number;
  /** With its spans of all days; undefined until it has been read by its id. */
  readonly trace?: Trace;
}

/** Traces that wait for their turn: newest first, then by id. A binary heap. */
export class PendingTraces<Trace> {
  readonly #heap: PendingTrace<Trace>[] = [];

  get first(): PendingTrace<Trace> | undefined {
    return this.#heap[0];
  }

  push(added: PendingTrace<Trace>): void {
    const heap = this.#heap;
    let i = heap.length;
    for (;;) {
      const parent = (i - 1) >> 1;
      const above = heap[parent];
      if (above === undefined || !isBefore(added, above)) break;
      heap[i] = above;
      i = parent;
    }
    heap[i] = added;
  }

  pop(): PendingTrace<Trace> | undefined {
    const heap = this.#heap;
    const [top] = heap;
    const last = heap.pop();
    if (last === undefined || heap.length === 0) return top;
    let i = 0;
    for (;;) {
      const left = 2 * i + 1;
      const [first, second] = [heap[left], heap[left + 1]];
      if (first === undefined) break;
      const isRight = second !== undefined && isBefore(second, first);
      const below = isRight ? second : first;
      if (!isBefore(below, last)) break;
      heap[i] = below;
      i = isRight ? left + 1 : left;
    }
    heap[i] = last;
    return top;
  }
}

function isBefore(a: PendingTrace<unknown>, b: PendingTrace<unknown>): boolean {
  return a.start === b.start ? compareNames(a.id, b.id) < 0 : a.start > b.start;
}

import {type BlockStore, DURATIONS, type IndexBlock, isRemoved, ROWS, STARTS, TRACES} from './block-store.js';
import type {Columns} from './block-writer.js';

/** Stands for the new ordinal of a span that was removed. */
export const REMOVED = 0xffff_ffff;

export interface MergedColumns {
  readonly columns: Columns;
  /** The new ordinals of the spans of all blocks, one block after the other. */
  readonly places: Uint32Array;
}

/** Numbers the spans of blocks that were not removed by their start, over all blocks; each is in that order already. */
export function mergeColumns(store: BlockStore, blocks: readonly IndexBlock[]): MergedColumns {
  const all = (name: number): Float64Array => joined(blocks.map(({id}) => store.column(id, name).values()));
  const starts = all(STARTS);
  const rows = all(ROWS);
  const kept = new Uint32Array(starts.length);
  const runs: number[] = [0];
  let count = 0;
  let from = 0;
  for (const block of blocks) {
    const to = from + block.spans;
    const tombstones = block.removed === 0 ? undefined : store.tombstones(block.id);
    for (let at = from; at < to; at++) {
      if (tombstones !== undefined && isRemoved(tombstones, (rows[at] as number) - block.first)) continue;
      kept[count++] = at;
    }
    runs.push(count);
    from = to;
  }
  const order = mergeRuns(kept.subarray(0, count), runs, starts);
  const places = new Uint32Array(starts.length).fill(REMOVED);
  for (let place = 0; place < count; place++) places[order[place] as number] = place;
  const inOrder = (values: Float64Array): Float64Array => {
    const placed = new Float64Array(count);
    for (let place = 0; place < count; place++) placed[place] = values[order[place] as number] as number;
    return placed;
  };
  return {
    columns: {
      starts: inOrder(starts),
      durations: inOrder(all(DURATIONS)),
      traces: inOrder(all(TRACES)),
      rows: inOrder(rows),
    },
    places,
  };
}

function joined(parts: readonly Float64Array[]): Float64Array {
  const all = new Float64Array(parts.reduce((sum, {length}) => sum + length, 0));
  let at = 0;
  for (const part of parts) {
    all.set(part, at);
    at += part.length;
  }
  return all;
}

/** Brings `items` into the order of their keys; between two of `bounds` they are. Of the same key earlier runs come first. */
function mergeRuns(items: Uint32Array, bounds: readonly number[], keys: Float64Array): Uint32Array {
  let from = items;
  let to: Uint32Array = new Uint32Array(items.length);
  for (let runs = bounds; runs.length > 2; ) {
    const merged = [0];
    for (let run = 0; run + 1 < runs.length; run += 2) {
      const middle = runs[run + 1] as number;
      const end = runs[run + 2] ?? middle;
      mergePair(from, to, keys, runs[run] as number, middle, end);
      merged.push(end);
    }
    [from, to] = [to, from];
    runs = merged;
  }
  return from;
}

function mergePair(
  from: Uint32Array,
  to: Uint32Array,
  keys: Float64Array,
  begin: number,
  middle: number,
  end: number,
): void {
  let left = begin;
  let right = middle;
  for (let at = begin; at < end; at++) {
    const isLeft =
      right === end ||
      (left < middle && (keys[from[left] as number] as number) <= (keys[from[right] as number] as number));
    to[at] = from[isLeft ? left++ : right++] as number;
  }
}

import type {IndexBlock} from './block-store.js';

/** Blocks below each of these sizes (in spans) are merged with neighbours that are no larger. */
const SIZES = [64, 512, 4096, 32_768];
/** A merge that has come to this size is large enough. */
const ENOUGH = 65_536;
/** So many at a time: each span is written again once per size. */
const FAN_IN = 8;

/** Whether the block will be merged with others once there are enough of them. */
export function isSmall({spans}: IndexBlock): boolean {
  return spans < Math.max(...SIZES);
}

/** The neighbours to be merged next; `blocks` are in the order of their rows. Empty when none are due. */
export function chooseMerge(blocks: readonly IndexBlock[]): readonly IndexBlock[] {
  for (const size of SIZES) {
    let run: IndexBlock[] = [];
    let spans = 0;
    for (const block of blocks) {
      if (block.spans >= size) {
        run = [];
        spans = 0;
        continue;
      }
      run.push(block);
      spans += block.spans;
      if (run.length === FAN_IN || spans >= ENOUGH) return run;
    }
  }
  return [];
}

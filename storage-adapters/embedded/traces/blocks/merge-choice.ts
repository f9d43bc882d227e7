import type {IndexBlock} from './block-store.js';

/**
 * Blocks below each of these sizes (in spans) are merged with neighbours that are no larger, so many at a time: each span is
 * written again once per size. Those of a busy gateway, which have a thousand spans or two, become large at once.
 */
const SIZES = [
  {size: 64, fanIn: 8},
  {size: 512, fanIn: 8},
  {size: 8192, fanIn: 24},
  {size: 32_768, fanIn: 8},
];
/** A merge that has come to this size is large enough. */
const ENOUGH = 65_536;

/** Whether the block will be merged with others once there are enough of them. */
export function isSmall({spans}: IndexBlock): boolean {
  return SIZES.some(({size}) => spans < size);
}

/** The neighbours to be merged next; `blocks` are in the order of their rows. Empty when none are due. */
export function chooseMerge(blocks: readonly IndexBlock[]): readonly IndexBlock[] {
  for (const {size, fanIn} of SIZES) {
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
      if (run.length === fanIn || spans >= ENOUGH) return run;
    }
  }
  return [];
}

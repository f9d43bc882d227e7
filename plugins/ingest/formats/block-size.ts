/** Bytes that are worked on at once: few enough that they stay well below the share that long work has of a turn. */
export const BLOCK_BYTES = 64 * 1024;

import {pause} from '../../../core/toolkit/yielder.js';
import type {SeriesBlock} from '../series/series-block.js';
import type {PageBlock} from './page-block.js';

/** What one source has of a family. */
export interface FamilySource {
  /** The pod for which it speaks. */
  readonly pod: string | undefined;
  /** When it was sent, in milliseconds. */
  readonly time: number;
  readonly blocks: readonly PageBlock[];
}

/** So many characters become one block. */
const BLOCK = 65_536;

/**
 * Each series of the sources once, where it comes first. Its value is what the source says that speaks for its pod; of
 * several such, or of none, the newest one.
 */
export async function deduplicate(sources: readonly FamilySource[]): Promise<readonly SeriesBlock[]> {
  const found = new Map<string, {isOwn: boolean; time: number; line: string}>();
  for (const {pod, time, blocks} of sources) {
    for (const block of blocks) {
      const isOwn = block.pod === pod;
      await pause();
      for (const {text, line} of block.series()) {
        const other = found.get(text);
        const stands = other === undefined || (other.isOwn === isOwn ? other.time <= time : isOwn);
        if (stands) found.set(text, {isOwn, time, line});
      }
    }
  }
  const written: SeriesBlock[] = [];
  let text = '';
  const close = (): void => {
    if (text !== '') written.push({role: undefined, pod: undefined, text: Buffer.from(text)});
    text = '';
  };
  for (const {line} of found.values()) {
    text += line;
    if (text.length < BLOCK) continue;
    close();
    await pause();
  }
  close();
  return written;
}

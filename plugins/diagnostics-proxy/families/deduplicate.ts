import type {Block} from '../series/series-block.js';
import type {Turns} from '../yielding/yielder.js';

/** What one source has of a family. */
export interface Source {
  /** The pod for which it speaks. */
  readonly pod: string | undefined;
  /** When it was sent, in milliseconds. */
  readonly time: number;
  readonly blocks: readonly Block[];
}

/**
 * Each series of the sources once, where it comes first. Its value is what the source says that speaks for its pod; of
 * several such, or of none, the newest one.
 */
export async function distinct(sources: readonly Source[], turns: Turns): Promise<readonly Block[]> {
  const found = new Map<string, {isOwn: boolean; time: number; line: string}>();
  for (const {pod, time, blocks} of sources) {
    for (const block of blocks) {
      const isOwn = block.pod === pod;
      await turns.turn();
      for (const line of block.text.toString().split('\n')) {
        // The series and its value are parted by the last blank of the line; behind the last line there is nothing.
        const series = line.slice(0, line.lastIndexOf(' '));
        const other = found.get(series);
        const stands = other === undefined || (other.isOwn === isOwn ? other.time <= time : isOwn);
        if (line !== '' && stands) found.set(series, {isOwn, time, line});
      }
    }
  }
  const written: Block[] = [];
  let text = '';
  for (const {line} of found.values()) {
    text += `${line}\n`;
    if (text.length < PART) continue;
    written.push({role: undefined, pod: undefined, text: Buffer.from(text)});
    text = '';
    await turns.turn();
  }
  if (text !== '') written.push({role: undefined, pod: undefined, text: Buffer.from(text)});
  return written;
}

const PART = 65_536;

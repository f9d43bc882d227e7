import type {Block} from './block.js';
import type {Turns} from './slices.js';

/** What one source has of a family, and when it was sent, in milliseconds. */
export interface Source {
  readonly time: number;
  readonly blocks: readonly Block[];
}

/** Each series of the sources once, where it comes first, with the newest value. */
export async function distinct(sources: readonly Source[], turns: Turns): Promise<readonly Block[]> {
  const found = new Map<string, {time: number; line: string}>();
  for (const {time, blocks} of sources) {
    for (const {text} of blocks) {
      await turns.turn();
      for (const line of text.toString().split('\n')) {
        // The series and its value are parted by the last blank of the line; behind the last line there is nothing.
        const series = line.slice(0, line.lastIndexOf(' '));
        const earlier = found.get(series);
        if (line !== '' && (earlier === undefined || earlier.time <= time)) found.set(series, {time, line});
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

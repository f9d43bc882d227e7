import {pause} from '../../../core/toolkit/yielder.js';
import type {SourceFamilies} from './source-families.js';
import type {LineRun} from './source-lines.js';

/** Lines of one source. */
export interface SourceRun extends LineRun {
  readonly source: SourceFamilies;
}

/**
 * Each series of the lines once, where it comes first, as its line. Its value is what the source says that speaks for its
 * pod; of several such, or of none, the newest one.
 */
export async function deduplicate(runs: readonly SourceRun[]): Promise<Iterable<string>> {
  const found = new Map<string, {isOwn: boolean; time: number; line: string}>();
  for (const run of runs) {
    const {time, pod, lines, values} = run.source;
    const isOwn = run.pod === pod;
    await pause();
    for (const {series, line} of lines.texts(run, values)) {
      const other = found.get(series);
      const stands = other === undefined || (other.isOwn === isOwn ? other.time <= time : isOwn);
      if (stands) found.set(series, {isOwn, time, line});
    }
  }
  return Array.from(found.values(), ({line}) => line);
}

import type {Counts} from '../../copy/kind.js';
import type {Missing} from '../../copy/plan.js';
import {listOf} from '../../toolkit/messages.js';

export const NOTHING = 'nothing';

/** `3 samples, 1 span`: what there is any of, `nothing` where there is none. */
export function countsText(counts: Counts): string {
  const parts = Object.entries(counts).filter(([, count]) => count > 0);
  return parts.length === 0 ? NOTHING : parts.map(([name, count]) => `${count} ${named(name, count)}`).join(', ');
}

function named(name: string, count: number): string {
  return count === 1 ? name.replace(/s\b/g, '') : name;
}

/** What lacks and whose it would be, as a line for a person. */
export function missingText(
  {kind, capability, of}: Missing,
  files: {readonly from: string; readonly to: string},
): string {
  return `${kind.title} stay behind: the storage of ${files[of]} has no ${capability}`;
}

/** What was left out, as the end of the summary. */
export function leftText(missing: readonly Missing[]): readonly string[] {
  return missing.length === 0 ? [] : [`without ${listOf(missing.map(({kind}) => kind.title))}`];
}

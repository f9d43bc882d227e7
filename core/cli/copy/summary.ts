import type {CopyCounts} from '../../copy/kind.js';
import type {CopyPlan, Missing} from '../../copy/plan.js';
import type {VerifyTally} from '../../copy/verify/tally.js';
import {listOf} from '../../toolkit/messages.js';

export const NOTHING = 'nothing';

/** `3 samples, 1 span`: what there is any of, `nothing` where there is none. */
export function countsText(counts: CopyCounts): string {
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
export function leftText({missing}: CopyPlan): readonly string[] {
  const left = missing.map(({kind}) => kind.title);
  return left.length === 0 ? [] : [`without ${listOf(left)}`];
}

/** `3 equal, 1 missing, 2 more in the target`. */
export function tallyText({equal, missing, differing, more}: VerifyTally): string {
  const parts = [
    [missing, 'missing'],
    [differing, differing === 1 ? 'differs' : 'differ'],
    [more, 'more in the target'],
  ] as const;
  return [`${equal} equal`, ...parts.filter(([count]) => count > 0).map(part => part.join(' '))].join(', ');
}

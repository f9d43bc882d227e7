import {closestMatch} from 'leven';

/** Parts of error messages. */

/** ", did you mean 'x'?" for a near miss, else nothing. Near: at most a third of the letters differ. */
export function didYouMean(wrong: string, candidates: readonly string[]): string {
  const maxDistance = Math.max(1, Math.floor(wrong.length / 3));
  if (maxDistance > 40) return '';
  const exceptCase = candidates.find(candidate => candidate.toLowerCase() === wrong.toLowerCase());
  const near = candidates.filter(candidate => Math.abs(candidate.length - wrong.length) <= maxDistance);
  const match = exceptCase ?? closestMatch(wrong, near, {maxDistance});
  return match === undefined ? '' : `, did you mean '${match}'?`;
}

/** "'a', 'b' and 'c'". */
export function enumerate(names: readonly string[]): string {
  const quoted = names.map(name => `'${name}'`);
  return quoted.length < 2 ? quoted.join('') : `${quoted.slice(0, -1).join(', ')} and ${quoted.at(-1)}`;
}

export function counted(number: number, noun: string): string {
  return `${number} ${noun}${number === 1 ? '' : 's'}`;
}

export function needsLabels(metric: string, missing: readonly string[]): string {
  return `'${metric}' needs the label${missing.length > 1 ? 's' : ''} ${enumerate(missing)}`;
}

/** User text as it may stand in a message: a long one says nothing more after its first part. */
export function excerpt(text: string): string {
  return text.length <= 64 ? text : `${text.slice(0, 64)}…`;
}

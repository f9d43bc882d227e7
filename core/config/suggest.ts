import leven from 'leven';

/** The candidate that was probably meant, or undefined when none is near. */
export function nearest(name: string, candidates: Iterable<string>): string | undefined {
  // Two, so that two letters in the wrong order are near.
  const limit = name.length < 4 ? 1 : Math.max(2, Math.floor(name.length / 3));
  let best: string | undefined;
  let bestDistance = limit + 1;
  for (const candidate of candidates) {
    const distance = leven(name.toLowerCase(), candidate.toLowerCase());
    if (distance < bestDistance) {
      best = candidate;
      bestDistance = distance;
    }
  }
  return best;
}

/** The end of a message: `; did you mean "lookback"?`, or nothing. */
export function didYouMean(name: string, candidates: Iterable<string>): string {
  const meant = nearest(name, candidates);
  return meant === undefined ? '' : `; did you mean "${meant}"?`;
}

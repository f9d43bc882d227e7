import type {Tally} from '../tally.js';

/** `{"counts","exemptions","routes","latency","bad","requests"}`; of requests those that are not equal. */
export function jsonReport(tally: Tally): string {
  const {counts, exemptions, routes, latency, bad, unequal} = tally;
  const requests = unequal.map(({difference, ms: _, ...request}) => ({
    ...request,
    ...(difference !== undefined && {difference}),
  }));
  return `${JSON.stringify({counts, exemptions, routes, latency, bad, requests}, null, 2)}\n`;
}

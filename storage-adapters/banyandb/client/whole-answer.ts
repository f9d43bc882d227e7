import {GatewayError} from '../../../core/api/adapter.js';

/**
 * Asks with a growing limit until the answer has fewer rows than that: the server cuts answers at the limit without a
 * word, so one that reaches it may not be whole. `most` rows are refused, naming the option that would allow more.
 */
export async function wholeAnswer<Row>(
  ask: (limit: number) => Promise<readonly Row[]>,
  {
    first,
    most,
    option,
    what,
  }: {readonly first: number; readonly most: number; readonly option: string; readonly what: string},
): Promise<readonly Row[]> {
  for (let limit = Math.min(first, most); ; limit = Math.min(limit * 4, most)) {
    const rows = await ask(limit);
    if (rows.length < limit) return rows;
    if (limit >= most) throw tooMuch(what, most, option);
  }
}

export function tooMuch(what: string, most: number, option: string): GatewayError {
  return new GatewayError(
    'limit_exceeded',
    `there are ${most} or more ${what}, which is what the option ${option} of the banyandb adapter allows; ask for less, or raise it`,
  );
}

import {GatewayError, type Position} from '../../../core/api/plugin.js';
import {quote} from '../../../core/toolkit/messages.js';
import {MS_PER_DAY, MS_PER_HOUR, MS_PER_MINUTE, MS_PER_SECOND} from '../../../core/toolkit/time.js';

/** Decoding of the literals of the language: numbers are Go's, durations Prometheus's. */

/** Integers take Go's base prefixes, so a leading zero means octal where every digit allows it. */
export function decodeNumber(text: string): number {
  const plain = text.replaceAll('_', '').toLowerCase();
  if (plain === 'inf') return Number.POSITIVE_INFINITY;
  if (plain === 'nan') return Number.NaN;
  if (/^0[0-7]+$/.test(plain)) return Number.parseInt(plain, 8);
  return Number(plain);
}

/** The length of each unit in milliseconds, in the order in which they may follow each other. */
const UNITS: readonly (readonly [unit: string, length: number])[] = [
  ['w', 7 * MS_PER_DAY],
  ['d', MS_PER_DAY],
  ['h', MS_PER_HOUR],
  ['m', MS_PER_MINUTE],
  ['s', MS_PER_SECOND],
  ['ms', 1],
];

/** Milliseconds. Units come in descending order, each at most once. */
export function decodeDuration(text: string, position: Position): number {
  let total = 0;
  let last = -1;
  for (const [, digits, unit] of text.matchAll(/(\d+)(ms|[smhdwy])/g)) {
    if (unit === 'y') {
      throw new GatewayError('unsupported_query', `the unit "y" in ${quote(text)} is not in this subset: use w or d`, {
        position,
      });
    }
    const rank = UNITS.findIndex(([name]) => name === unit);
    if (rank <= last) {
      throw new GatewayError('syntax', `the units of ${quote(text)} are out of order: write them as in 1w2d3h4m5s6ms`, {
        position,
      });
    }
    last = rank;
    total += Number(digits) * (UNITS[rank]?.[1] ?? 0);
  }
  if (!Number.isSafeInteger(total))
    throw new GatewayError('syntax', `the duration ${quote(text)} is too long`, {position});
  return total;
}

import {PIECE} from '../../../core/toolkit/sum-pieces.js';

/**
 * Sums that do not depend on the order in which the server adds, by the pieces of `core/toolkit/sum-pieces.ts`. A row of
 * hours or days has them in `c0` to `c3` and `unfit`, which is null where everything fits, and in `rounded_sum` what gateways
 * before version 4 of the tables have added up.
 */
export const SUM_COLUMNS = 'c0, c1, c2, c3, unfit';

const {high, low, step, third} = PIECE;
const PIECES = ['c0', 'c1', 'c2', 'c3'];

/** The server refuses to go below the smallest double, so what is near is not cut. */
const CAN_BE_CUT = `(value = 0 OR abs(value) BETWEEN 1e-25 AND ${high * step - 1024})`;

const withoutTrunc = (rest: string): string => `((${rest} - trunc(${rest})) * ${step})`;
const R1 = `((value - trunc(value / ${high}) * ${high}) * ${low})`;
const R2 = withoutTrunc(R1);
const R3 = `CASE WHEN ${R1} = trunc(${R1}) THEN 0 ELSE ${withoutTrunc(R2)} END`;

/** The pieces of a column `value`, as columns of the same rows; null where it cannot be cut. */
export const CUT = `
  CASE WHEN ${CAN_BE_CUT} THEN trunc(value / ${high}) END AS c0, CASE WHEN ${CAN_BE_CUT} THEN trunc(${R1}) END AS c1,
  CASE WHEN ${CAN_BE_CUT} THEN trunc(${R2}) END AS c2, CASE WHEN ${CAN_BE_CUT} THEN ${R3} END AS c3`;

/** The sums over a group of rows that were cut, as SUM_COLUMNS. */
export const ADDED_UP = `${PIECES.map(piece => `coalesce(sum(${piece}) FILTER (WHERE c3 = trunc(c3)), 0) AS ${piece}`).join(', ')},
  array_agg(value) FILTER (WHERE (c3 = trunc(c3)) IS NOT TRUE) AS unfit`;

/** The same of one such row alone. */
export const AS_SUM = `${PIECES.map(piece => `CASE WHEN c3 = trunc(c3) THEN ${piece} ELSE 0 END AS ${piece}`).join(', ')},
  CASE WHEN c3 = trunc(c3) THEN NULL ELSE ARRAY[value] END AS unfit`;

/** The sum of a row, rounded; what does not fit is left out. */
export const ROUNDED = `(CASE WHEN abs(rounded_sum) < 1e-290 THEN 0 ELSE rounded_sum END + c0 * ${high} + c1 / ${low} + c2 / ${third} + c3 / ${third} / ${step})`;

/** At least the size of each of its terms. */
export const SIZE = `(abs(rounded_sum) + abs(c0) * ${high} + abs(c1) / ${low} + abs(c2) / ${third} + abs(c3) / ${third} / ${step})`;

/** The sum of a row as an array of doubles, which is all of it. */
export const TERMS = `ARRAY[rounded_sum, c0 * ${high}, c1 / ${low}, c2 / ${third}, c3 / ${third} / ${step}] || unfit`;

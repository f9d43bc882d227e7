import {PIECE} from '../../../core/toolkit/sum-pieces.js';
import {Sql, sql} from '../client/sql.js';

/**
 * Sums that do not depend on the order in which the server adds, by the pieces of `core/toolkit/sum-pieces.ts`. A level of
 * a selection has them in the columns `p0` to `p3` and `punfit`, or with another letter: 18.16 takes a column and a name
 * that is given beside it for the same.
 */
type Letter = 'p' | 'q';

const {high, low, step, third} = PIECE;
const STEPS = [0, 1, 2, 3] as const;

/** The columns `c0` to `c3`, the pieces of a column of each row, and `fits`, whether they are all of it. */
export function cut(value: Sql): Sql {
  const r1 = sql`(${value} - c0 * ${high}) * ${low}`;
  const r2 = sql`(${r1} - c1) * ${step}`;
  return sql`trunc(${value} / ${high}) AS c0, trunc(${r1}) AS c1, trunc(${r2}) AS c2, (${r2} - c2) * ${step} AS c3, c3 = trunc(c3) AND abs(c0) < ${step} AS fits`;
}

/** The sums over a group of rows that were cut, and the values that do not fit. */
export function pieces(letter: Letter, value: Sql): Sql {
  const sums = STEPS.map(i => `sumIf(c${i}, fits) AS ${letter}${i}`).join(', ');
  return sql`${new Sql(sums)}, groupArrayIf(${value}, fits = 0) AS ${new Sql(letter)}unfit`;
}

/** The same of each row alone. */
export function cutAlone(letter: Letter, value: Sql): Sql {
  const own = STEPS.map(i => `if(fits, c${i}, toFloat64(0)) AS ${letter}${i}`).join(', ');
  return sql`${new Sql(own)}, arrayFilter(one -> fits = 0, [${value}]) AS ${new Sql(letter)}unfit`;
}

/** The sums over a group of rows with sums. */
export function addedUp(from: Letter, to: Letter): Sql {
  const sums = STEPS.map(i => `sum(${from}${i}) AS ${to}${i}`).join(', ');
  return new Sql(`${sums}, groupArrayArray(${from}unfit) AS ${to}unfit`);
}

/** The sum of a row as a list of doubles: each piece in its unit, and what does not fit. */
export function partsOf(letter: Letter): Sql {
  const [p0, p1, p2, p3, unfit] = ['0', '1', '2', '3', 'unfit'].map(name => new Sql(letter + name)) as [
    Sql,
    Sql,
    Sql,
    Sql,
    Sql,
  ];
  return sql`arrayConcat([${p0} * ${high}, ${p1} / ${low}, ${p2} / ${third}, ${p3} / ${third} / ${step}], ${unfit})`;
}

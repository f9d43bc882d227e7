import {type BucketWindow, STEP_SECONDS} from '../../../core/api/adapter.js';
import type {BanyanDBMeasures, MeasureRow, RowsQuery} from '../client/measures.js';
import {tooMuch, wholeAnswer} from '../client/whole-answer.js';
import type {TimeZone} from '../schema/time-zone.js';
import {spanOf} from './bucket-times.js';

/** A call for more takes the server seconds, and nothing can be told of it meanwhile. */
export const ROWS_AT_ONCE = 20_000;
const FIRST_BUCKETS = 15;

/** How many rows a question has read, of those that it may. */
export class RowBudget {
  readonly most: number;
  #read = 0;

  constructor(most: number) {
    this.most = most;
  }

  take(rows: number, what: string): void {
    this.#read += rows;
    if (this.#read >= this.most) throw tooMuch(what, this.most, 'maxRows');
  }
}

/** Reads all rows of windows of a measure, in calls of a size that suits the server. */
export async function* scanRows(
  measures: BanyanDBMeasures,
  query: Omit<RowsQuery, 'span' | 'limit'>,
  window: BucketWindow,
  zone: TimeZone,
  budget: RowBudget,
  signal: AbortSignal,
): AsyncGenerator<readonly MeasureRow[]> {
  const {step, first, count} = window;
  const {most} = budget;
  const limit = Math.min(ROWS_AT_ONCE, most);
  let size = FIRST_BUCKETS;
  for (let done = 0; done < count; ) {
    size = Math.min(size, count - done);
    const span = spanOf({step, first: first + done * STEP_SECONDS[step], count: size}, zone);
    const ask = (rows: number): Promise<readonly MeasureRow[]> => measures.rows({...query, span, limit: rows}, signal);
    const what = `rows of ${query.schema.name} in the time asked for`;
    const rows = size > 1 ? await ask(limit) : await wholeAnswer(ask, {first: limit, most, option: 'maxRows', what});
    if (size > 1 && rows.length >= limit) {
      size = Math.ceil(size / 2);
      continue;
    }
    budget.take(rows.length, what);
    yield rows;
    done += size;
    if (rows.length < limit / 8) size *= 4;
  }
}

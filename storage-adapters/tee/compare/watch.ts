import type {Call} from '../../../core/api/adapter.js';
import type {TeeComparer} from './comparer.js';
import type {TeeQuestion} from './question.js';

/**
 * Hands the primary's answer to the comparer, which wants it. A question is made only then: most reads are not compared, and
 * cost what they cost without a tee. `copy` where the caller may write to the answer.
 */
export function watchAnswer<Answer>(
  comparer: TeeComparer,
  question: TeeQuestion<Answer>,
  answer: Promise<Answer>,
  copy: (answer: Answer) => Answer = each => each,
): Promise<Answer> {
  return answer.then(
    given => {
      comparer.compare(question, copy(given));
      return given;
    },
    (error: unknown) => {
      comparer.skip(question.capability);
      throw error;
    },
  );
}

/** A list that comes in pieces: whoever asks stops where he has enough. */
export interface TeeListQuestion<Piece, Item> extends Omit<TeeQuestion<readonly Item[]>, 'ask'> {
  pieces(readers: TeeComparer['primary'], call: Call): AsyncIterable<Piece>;
  /** What is compared of a piece: a storage may give more than it was asked for. */
  itemsOf(piece: Piece): readonly Item[];
  /** How much memory a piece takes, in units of which `MOST` may be kept. */
  sizeOf(piece: Piece): number;
}

/** Of lists that are longer nothing is compared. */
const MOST = 20_000;

/** As `watchAnswer`, for lists. What has been taken is compared when the consumer ends, with as much of the secondary's. */
export async function* watchList<Piece, Item>(
  comparer: TeeComparer,
  question: TeeListQuestion<Piece, Item>,
  pieces: AsyncIterable<Piece>,
): AsyncGenerator<Piece> {
  const taken: Item[] = [];
  let size = 0;
  let end: 'early' | 'whole' | 'failed' = 'early';
  try {
    for await (const piece of pieces) {
      size += question.sizeOf(piece);
      if (size <= MOST) taken.push(...question.itemsOf(piece));
      yield piece;
    }
    end = 'whole';
  } catch (error) {
    end = 'failed';
    throw error;
  } finally {
    if (end === 'failed' || size > MOST) comparer.skip(question.capability);
    else comparer.compare(asQuestion(question, taken.length + (end === 'whole' ? 1 : 0)), taken);
  }
}

/** The first items; one more than a whole list has tells that there are more. */
function asQuestion<Piece, Item>(list: TeeListQuestion<Piece, Item>, most: number): TeeQuestion<readonly Item[]> {
  return {
    ...list,
    ask: async (readers, call) => {
      const found: Item[] = [];
      if (most === 0) return found;
      for await (const piece of list.pieces(readers, call)) {
        found.push(...list.itemsOf(piece));
        if (found.length >= most) break;
      }
      return found.slice(0, most);
    },
  };
}

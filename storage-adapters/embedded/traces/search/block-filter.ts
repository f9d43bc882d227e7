import {type OtlpFilter, satisfiesDuration} from '../../../../core/api/adapter.js';
import {type BlockStore, DURATIONS, type IndexBlock, isRemoved, ROWS, STARTS} from '../blocks/block-store.js';
import type {ColumnCache} from '../blocks/column-cache.js';
import {termsOf} from '../index/attributes.js';
import {intersect, lowerBound, NO_ORDINALS, type Ordinals, unite} from '../index/postings.js';

/** The spans of a block that lie in a window and satisfy a filter. */
export interface SpanSelection {
  /** The ordinals in the window: from `low` on, before `high`. */
  readonly low: number;
  readonly high: number;
  /** Which of them; undefined: all. */
  readonly ordinals: Ordinals | undefined;
}

const NOTHING: SpanSelection = {low: 0, high: 0, ordinals: NO_ORDINALS};

/** Selects from blocks exactly: by postings, by the column of durations, and without what was removed. */
export class BlockFilter {
  readonly #store: BlockStore;
  readonly #columns: ColumnCache;

  constructor(store: BlockStore, columns: ColumnCache) {
    this.#store = store;
    this.#columns = columns;
  }

  select(block: IndexBlock, filter: OtlpFilter, from: number, to: number): SpanSelection {
    let ordinals = this.#byTerms(block.id, filter);
    // In most blocks of a selective search: no column has to be read.
    if (ordinals?.length === 0) return NOTHING;
    let low = 0;
    let high = block.spans;
    if (block.start < from || block.end >= to) {
      const starts = this.#columns.get(block.id, STARTS);
      low = starts.firstAtLeast(from);
      high = starts.firstAtLeast(to);
    }
    if (ordinals !== undefined) ordinals = ordinals.subarray(lowerBound(ordinals, low), lowerBound(ordinals, high));
    const durations = filter.filter(condition => condition.on === 'duration');
    if (durations.length > 0 && ordinals?.length !== 0) {
      const column = this.#columns.get(block.id, DURATIONS);
      ordinals = keep(ordinals, low, high, ordinal =>
        durations.every(condition => satisfiesDuration(condition, column.at(ordinal))),
      );
    }
    if (block.removed > 0 && ordinals?.length !== 0) {
      const rows = this.#columns.get(block.id, ROWS);
      const tombstones = this.#store.tombstones(block.id);
      ordinals = keep(ordinals, low, high, ordinal => !isRemoved(tombstones, rows.at(ordinal) - block.first));
    }
    return {low, high, ordinals};
  }

  /** Undefined when no condition is in the postings. */
  #byTerms(block: number, filter: OtlpFilter): Ordinals | undefined {
    const lists: Ordinals[] = [];
    for (const condition of filter) {
      const terms = termsOf(condition, this.#store.model);
      if (terms === undefined) continue;
      const list = terms.map(([attribute, value]) => this.#store.posting(block, attribute, value)).reduce(unite);
      if (list.length === 0) return NO_ORDINALS;
      lists.push(list);
    }
    lists.sort((a, b) => a.length - b.length);
    return lists.length === 0 ? undefined : lists.reduce(intersect);
  }
}

function keep(
  ordinals: Ordinals | undefined,
  low: number,
  high: number,
  passes: (ordinal: number) => boolean,
): Ordinals {
  const kept = new Uint32Array(ordinals?.length ?? Math.max(0, high - low));
  let count = 0;
  if (ordinals === undefined) {
    for (let ordinal = low; ordinal < high; ordinal++) if (passes(ordinal)) kept[count++] = ordinal;
  } else {
    for (const ordinal of ordinals) if (passes(ordinal)) kept[count++] = ordinal;
  }
  return kept.subarray(0, count);
}

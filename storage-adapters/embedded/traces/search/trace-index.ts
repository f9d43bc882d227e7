import type {BlockStore} from '../blocks/block-store.js';
import type {ColumnCache} from '../blocks/column-cache.js';
import type {BlockFilter} from './block-filter.js';
import type {DurationIndex} from './duration-candidates.js';
import type {EmbeddedTraceLoader} from './loader.js';
import type {MatchingFragments} from './matching-fragments.js';

/** What the searches and listings of one trace model read. */
export interface TraceIndex {
  readonly store: BlockStore;
  readonly columns: ColumnCache;
  readonly filter: BlockFilter;
  readonly loader: EmbeddedTraceLoader;
  readonly matches: MatchingFragments;
  readonly durations: DurationIndex;
}

/** What of it a search asks. */
export interface SearchedIndex {
  readonly store: Pick<BlockStore, 'model' | 'between'>;
  readonly columns: Pick<ColumnCache, 'get'>;
  readonly filter: Pick<BlockFilter, 'select'>;
  readonly loader: Pick<EmbeddedTraceLoader, 'bounds' | 'parts'>;
  readonly matches: Pick<MatchingFragments, 'of'>;
  readonly durations: Pick<DurationIndex, 'candidates'>;
}

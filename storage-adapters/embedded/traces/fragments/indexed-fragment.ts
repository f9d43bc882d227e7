import type {Body} from '../../threads/bodies.js';
import type {IndexEntry} from '../blocks/block-builder.js';

/** What the tables and the index hold of a fragment beside its body. */
export interface IndexedFragment {
  readonly identity: string;
  /** Its spans, also those without a time. */
  readonly count: number;
  readonly spans: readonly IndexEntry[];
}

/** Reads fragments as they are stored. `body` is what the model's `encode` wrote. */
export interface FragmentIndexer {
  index(traceId: string, body: Body): IndexedFragment;
}

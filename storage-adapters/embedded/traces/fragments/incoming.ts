import type {Body} from '../../threads/bodies.js';
import type {TracePart} from '../../threads/writer-protocol.js';
import type {IndexEntry} from '../blocks/block-builder.js';

/** What the tables and the index hold of a fragment beside its trace and body. */
export interface IndexedFragment {
  readonly identity: string;
  /** Its spans, also those without a time. */
  readonly count: number;
  readonly spans: readonly IndexEntry[];
}

export interface IncomingFragment extends IndexedFragment {
  readonly traceId: string;
  /** Until that of the next one is asked for. */
  readonly body: Body;
}

/** Reads the fragments of one kind of traces as they come from the serving thread. */
export interface IncomingFragments {
  read(part: TracePart): Iterable<IncomingFragment>;
}

import type {
  AttributeValuesRequest,
  Call,
  MatchedSpan,
  TagKeysRequest,
  TraceSearchRequest,
} from '../../core/api/plugin.js';
import type {OtlpTrace} from './otlp/model.js';
import type {Extent} from './search/trace-bounds.js';

/**
 * One kind of traces, as the routes that both plugins share ask for it. A source adds to a reader what is particular to
 * its kind: the form of ids, how names are spelt, the conversion. Trace and span ids on this side of it are the public
 * ones, those of the answers.
 */
export interface TraceSource {
  /** The values of `status` that lists offer, in their order: those that spans of this kind can be searched by. */
  readonly statuses: readonly string[];

  /** A service's or a span's name in a query, as spans of this kind carry it: some kinds are stored in lower case. */
  foldName(name: string): string;

  /** The trace with this public id, converted. Rejects with `bad_request` when no trace can have it. */
  trace(publicId: string, call: Call): Promise<OtlpTrace | undefined>;

  /** As the reader's `search`. Ending the iteration ends the reader's. */
  search(request: TraceSearchRequest, call: Call): AsyncIterable<FoundTrace>;

  tagKeys(request: TagKeysRequest, call: Call): Promise<readonly string[]>;

  attributeValues(request: AttributeValuesRequest, call: Call): Promise<readonly string[]>;
}

/** A trace that a reader yielded. Root and extent are those of the whole trace, and are made when they are asked for. */
export interface FoundTrace {
  readonly traceId: string;
  /** Those that satisfy the filter and perhaps others, in any order. */
  readonly spans: readonly FoundSpan[];
  readonly root: FoundSpan;
  readonly extent: Extent;
}

/** A span as a search looks at it: what filters see, and what a result shows. Both parts of it are often not asked for. */
export interface FoundSpan {
  readonly view: MatchedSpan;
  readonly spanId: string;
  /** Microseconds since the Unix epoch. */
  readonly start: number | undefined;
  /** `service.name` of the converted span's resource. Never empty. */
  readonly serviceName: string;
  /** What the trace is called when this is its root. Never empty. */
  readonly title: string;
}

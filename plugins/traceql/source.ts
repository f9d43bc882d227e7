import type {
  Call,
  MatchedSpan,
  OtlpSearchRequest,
  OtlpTagKeysRequest,
  OtlpValuesRequest,
  TypedText,
} from '../../core/api/plugin.js';
import type {QuerySubset} from './language/subset.js';
import type {Pieces, TraceForm} from './otlp/form.js';

/** The reads of one kind of traces, in the form that has room for all kinds. */
export interface SourceReader<Trace> {
  search(request: OtlpSearchRequest, call: Call): AsyncIterable<Trace>;
  tagKeys(request: OtlpTagKeysRequest, call: Call): Promise<readonly string[]>;
  attributeValues(request: OtlpValuesRequest, call: Call): Promise<readonly TypedText[]>;
}

/**
 * One kind of traces, as the routes that all plugins of traces share ask for it: a reader, and what is particular to its kind,
 * which is the form of ids, how names are spelt and the conversion. Trace and span ids of what a source makes are the
 * public ones, those of the answers.
 */
export interface TraceSource<Trace = unknown> {
  readonly reader: SourceReader<Trace>;

  /** With how many types a text may be listed. */
  readonly valueTypes: number;

  /** Which conditions a query may have. */
  readonly subset: QuerySubset;

  /** The values of `status` that lists offer, in their order: those that spans of this kind can be searched by. */
  readonly statuses: readonly string[];

  /** A service's or a span's name in a query, as spans of this kind carry it: some kinds are stored in lower case. */
  foldName(name: string): string;

  /** The id by which the reader knows the trace with this public one. Throws `bad_request` when no trace can have it. */
  storedId(publicId: string): string;

  /** The answer that shows a whole trace, by its stored id; undefined when there is none. */
  answer(id: string, form: TraceForm, call: Call): Promise<Pieces | undefined>;

  /** What a search looks at in a trace that the reader yielded. */
  candidate(trace: Trace): CandidateTrace;
}

/** From the first start to the last end of the spans of a trace. */
export interface CandidateBounds {
  /** Decimal text. */
  readonly startNanos: string;
  /** Microseconds, which need not be whole. */
  readonly duration: number;
}

/** A trace that a reader yielded. Root and bounds are those of the whole trace, and are made when they are asked for. */
export interface CandidateTrace {
  readonly traceId: string;
  /** Those that satisfy the filter and perhaps others, in any order. */
  readonly spans: readonly CandidateSpan[];
  readonly root: CandidateSpan;
  readonly bounds: CandidateBounds;
}

/** A span as a search looks at it: what filters see, and what a result shows. Both parts of it are often not asked for. */
export interface CandidateSpan {
  readonly attributes: MatchedSpan;
  readonly spanId: string;
  /** Whole microseconds since the Unix epoch. */
  readonly start: number | undefined;
  /** Decimal text; "0" without a start. */
  readonly startNanos: string;
  readonly durationNanos: string;
  /** A tag with its type; where this is missing, all are text. */
  typedTag?(key: string): TypedText | undefined;
  /** `service.name` of the converted span's resource. Never empty. */
  readonly serviceName: string;
  /** What the trace is called when this is its root. Never empty. */
  readonly rootSpanName: string;
}

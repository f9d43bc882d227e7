import type {MatchedSpan, TraceReader, TraceSummary} from '../../core/api/plugin.js';
import type {ConvertedTrace} from './otlp/model.js';

/**
 * One kind of traces, as the routes that both plugins share ask for it: a reader, and what is particular to its kind,
 * which is the form of ids, how names are spelt and the conversion. Trace and span ids of what a source makes are the
 * public ones, those of the answers.
 */
export interface TraceSource<Trace = unknown> {
  readonly reader: TraceReader<Trace>;

  /** The values of `status` that lists offer, in their order: those that spans of this kind can be searched by. */
  readonly statuses: readonly string[];

  /** A service's or a span's name in a query, as spans of this kind carry it: some kinds are stored in lower case. */
  foldName(name: string): string;

  /** The id by which the reader knows the trace with this public one. Throws `bad_request` when no trace can have it. */
  storedId(publicId: string): string;

  /** A whole trace, for the answer that shows it. */
  convert(trace: Trace): ConvertedTrace;

  /** What a search looks at in a trace that the reader yielded. */
  candidate(trace: Trace): CandidateTrace;
}

/** Microseconds: from the first start to the last end of the spans of a trace. */
export type CandidateBounds = Pick<TraceSummary<unknown>, 'start' | 'end'>;

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
  /** Microseconds since the Unix epoch. */
  readonly start: number | undefined;
  /** `service.name` of the converted span's resource. Never empty. */
  readonly serviceName: string;
  /** What the trace is called when this is its root. Never empty. */
  readonly rootSpanName: string;
}

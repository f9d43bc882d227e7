/** How a trace by its id is asked for. */
export interface TraceForm {
  /** Of the path. Both have the same JSON; in protobuf the second wraps the trace. */
  readonly version: 'v1' | 'v2';
  readonly isProtobuf: boolean;
}

/** An answer, to be sent in order, each piece made when it is asked for; at least one. */
export type Pieces = Iterator<Uint8Array, void> | AsyncIterator<Uint8Array, void>;

/** A request as one of the files has it. */
export interface RecordedRequest {
  /** Where it stands: `FILE:LINE`, or `FILE[INDEX]` of a list. */
  readonly at: string;
  /** When it came, in milliseconds since the epoch. */
  readonly time: number;
  /** Who answered it, where the file knows. */
  readonly plugin?: string;
  readonly method: string;
  /** As it was asked, with whatever prefix. */
  readonly path: string;
  /** The query string, and a form body behind it. */
  readonly parameters: string;
  /** The header `accept`, where the file has headers. */
  readonly accept?: string;
}

/** What an entry of a file is: a request, or the reason why it is none. */
export type TrafficEntry = Omit<RecordedRequest, 'at'> | {readonly bad: string};

type Members = Readonly<Record<string, unknown>>;

export function membersOf(value: unknown): Members {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Members) : {};
}

/** A time as RFC 3339 has it, or the moment in Unix seconds. */
export function momentOf(value: unknown): number | undefined {
  const time = typeof value === 'number' ? value * 1000 : typeof value === 'string' ? Date.parse(value) : Number.NaN;
  return Number.isFinite(time) ? time : undefined;
}

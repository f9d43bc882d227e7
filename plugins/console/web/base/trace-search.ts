import {ask} from './api.js';

/** A trace that a search has found. */
export interface FoundTrace {
  readonly traceID: string;
  readonly rootServiceName?: string;
  readonly rootTraceName?: string;
  /** Nanoseconds, as text: more than a number holds. */
  readonly startTimeUnixNano?: string;
  readonly durationMs?: number;
  readonly spanSets?: readonly {readonly matched?: number; readonly spans?: readonly unknown[]}[];
}

export interface SearchRequest {
  readonly plugin: string;
  readonly query: string;
  /** Seconds before now; undefined for as far back as the gateway looks. */
  readonly range: number | undefined;
  readonly limit: number;
}

export async function search(
  {plugin, query, range, limit}: SearchRequest,
  signal: AbortSignal,
): Promise<readonly FoundTrace[]> {
  const now = Math.ceil(Date.now() / 1000);
  const {traces} = await ask<{readonly traces: readonly FoundTrace[]}>(
    `${plugin}/api/search`,
    {
      limit,
      ...(query !== '' && {q: query}),
      ...(range !== undefined && {start: now - range, end: now}),
    },
    signal,
  );
  return traces;
}

export const startOf = ({startTimeUnixNano = '0'}: FoundTrace): number => Number(startTimeUnixNano) / 1e6;
export const matchedIn = ({spanSets = []}: FoundTrace): number =>
  spanSets.reduce((sum, {matched, spans}) => sum + (matched ?? spans?.length ?? 0), 0);

import type {ExecutionContext} from 'ava';
import type {SpanFilter, TimeWindow} from '../../../../core/api/adapter.js';
import {call} from '../../support/calls.js';
import {END, type Kind, segments, spans} from './measured-traces.js';
import {openScene, type Scene} from './open-adapter.js';

export const HOUR = 3_600_000;
export const DAY = 24 * HOUR;

/** The last day of the measured traces, in microseconds. */
export const RANGE: TimeWindow = {from: (END - DAY) * 1000, to: END * 1000};

/** The ids of the first traces that a search finds, in its order. */
export async function firstOf(
  {adapter}: Scene,
  kind: Kind,
  filter: SpanFilter,
  window: TimeWindow,
  limit = Number.POSITIVE_INFINITY,
): Promise<readonly string[]> {
  const ids: string[] = [];
  for await (const {traceId} of adapter[kind].search({filter, ...window}, call)) {
    ids.push(traceId);
    if (ids.length === limit) break;
  }
  return ids;
}

/** An adapter over the measured traces of one kind. */
export const openLoaded = (t: ExecutionContext, kind: Kind): Promise<Scene> =>
  openScene(t, {data: seeder => (kind === 'compat' ? seeder.spans(spans()) : seeder.segments(segments()))});

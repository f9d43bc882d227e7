import type {TimeWindow} from '../../../core/api/adapter.js';
import {call} from '../call.js';
import {searched} from '../comparable.js';
import {comparableTrace, type TraceFormat} from '../data/trace-formats.js';
import type {Question} from './question.js';

/**
 * Every trace that has one of these fragments, whole, and what a search finds of them. `window` lies within the days of the
 * group.
 */
export function traceQuestions<Fragment extends {readonly traceId: string}, Trace>(
  kind: TraceFormat<Fragment, Trace>,
  fragments: readonly Fragment[],
  window: TimeWindow,
): Question[] {
  const ids = [...new Set(fragments.map(({traceId}) => traceId))];
  const request = {filter: [], ...window};
  return [
    ...ids.map(id => ({
      about: `trace(${JSON.stringify(id)})`,
      ask: async (readers: Parameters<Question['ask']>[0]) =>
        comparableTrace(kind, await kind.of(readers).trace(id, call)),
    })),
    {
      about: `search(${JSON.stringify(request)})`,
      ask: async readers => {
        const traces = await searched(kind.of(readers), request);
        const own = traces.filter(trace => ids.includes(kind.idOf(trace)) && kind.matches([], window, trace));
        return own.map(trace => comparableTrace(kind, trace));
      },
    },
    {
      about: `tagKeys(${JSON.stringify(request)})`,
      ask: async readers => [...(await kind.of(readers).tagKeys(request, call))],
    },
  ];
}

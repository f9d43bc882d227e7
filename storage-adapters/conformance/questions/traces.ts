import type {TimeWindow} from '../../../core/api/adapter.js';
import {call} from '../call.js';
import {plainTrace, type TraceKind} from '../cases/traces/kind.js';
import {searched} from '../plain.js';
import type {Question} from './question.js';

/**
 * Every trace that has one of these units, whole, and what a search finds of them. `window` lies within the days of the
 * group.
 */
export function traceQuestions<Unit extends {readonly traceId: string}, Trace>(
  kind: TraceKind<Unit, Trace>,
  units: readonly Unit[],
  window: TimeWindow,
): Question[] {
  const ids = [...new Set(units.map(({traceId}) => traceId))];
  const request = {filter: [], ...window};
  return [
    ...ids.map(id => ({
      about: `trace(${JSON.stringify(id)})`,
      ask: async (readers: Parameters<Question['ask']>[0]) => plainTrace(kind, await kind.of(readers).trace(id, call)),
    })),
    {
      about: `search(${JSON.stringify(request)})`,
      ask: async readers => {
        const traces = await searched(kind.of(readers), request);
        const own = traces.filter(trace => ids.includes(kind.idOf(trace)) && kind.matches([], window, trace));
        return own.map(trace => plainTrace(kind, trace));
      },
    },
    {
      about: `tagKeys(${JSON.stringify(request)})`,
      ask: async readers => [...(await kind.of(readers).tagKeys(request, call))],
    },
  ];
}

import {compareNames} from '../../../core/api/plugin.js';
import {pause} from '../../../core/toolkit/yielder.js';
import type {SeriesFilter} from '../series/series-block.js';
import type {AgentWindow} from './read-window.js';

/** The series of all agents that `wanted` takes as a JSON list in parts: by name, then by agent in the order given. */
export async function* writeWindows(agents: readonly AgentWindow[], wanted: SeriesFilter): AsyncGenerator<Uint8Array> {
  const comma = Buffer.from(',');
  let isFirst = true;
  yield Buffer.from('[');
  const names = new Set(agents.flatMap(window => [...window.keys()]));
  for (const name of [...names].sort(compareNames)) {
    await pause();
    for (const block of agents.flatMap(window => window.get(name) ?? [])) {
      if (!wanted(block)) continue;
      if (!isFirst) yield comma;
      isFirst = false;
      yield block.text;
    }
  }
  yield Buffer.from(']');
}

import type {RegisteredAgent} from '../registry/registered-agent.js';

/** So many pods are named; a header must stay small enough for any client. */
const NAMED = 50;

/** The header that tells which pods gave nothing to an answer. */
export function missingHeader(agents: readonly RegisteredAgent[]): Readonly<Record<string, string>> {
  const pods = [...new Set(agents.map(({podName}) => podName))];
  if (pods.length === 0) return {};
  const named = pods.slice(0, NAMED).map(pod => encodeURIComponent(pod));
  const rest = pods.length > NAMED ? [`${pods.length - NAMED} more`] : [];
  return {'x-diagnostics-missing': [...named, ...rest].join(', ')};
}

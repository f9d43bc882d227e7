import type {Family} from '../../diagnostics/exposition/model.js';
import type {RegisteredAgent} from '../registry/registered-agent.js';

/** One series for each registered agent: 1 when it has answered. Containers tell agents of one pod apart. */
export function upFamily(agents: readonly RegisteredAgent[], answered: ReadonlySet<RegisteredAgent>): Family {
  const perPod = new Map<string, number>();
  for (const {podName} of agents) perPod.set(podName, (perPod.get(podName) ?? 0) + 1);
  return {
    name: 'diagnostics_agent_up',
    type: 'gauge',
    help: 'Whether the agent has answered this collection.',
    samples: agents.map(agent => {
      const {podName, nodeRole, containerNames} = agent;
      const isOne = perPod.get(podName) === 1 || containerNames.length === 0;
      const container = isOne ? [] : ['container_name', containerNames.join(',')];
      const labels = [...container, 'node_role', nodeRole, 'pod_name', podName];
      return {name: 'diagnostics_agent_up', labels, value: answered.has(agent) ? 1 : 0};
    }),
  };
}

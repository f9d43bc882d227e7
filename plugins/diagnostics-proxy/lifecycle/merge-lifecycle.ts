import {compareNames} from '../../../core/api/plugin.js';
import type {GroupLifecycleInfo, LifecycleData} from '../../diagnostics/proto/contract.js';
import {toJson} from '../../diagnostics/proto/message-json.js';
import type {RegisteredAgent} from '../registry/registered-agent.js';

/** The groups of the first agent that has any, a liaison before others, and the reports of every pod that answered, as JSON. */
export function mergeLifecycle(answers: readonly (readonly [RegisteredAgent, LifecycleData | null])[]): object {
  const liaisonsFirst = [...answers.filter(isLiaison), ...answers.filter(answer => !isLiaison(answer))];
  const groups = liaisonsFirst.map(([, data]) => data?.groups ?? []).find(list => list.length > 0);
  const reports = new Map<string, Map<string, string>>();
  for (const [{podName}, data] of answers) {
    const ofPod = reports.get(podName) ?? new Map<string, string>();
    reports.set(podName, ofPod);
    for (const {filename, report_json} of data?.reports ?? []) ofPod.set(filename, report_json);
  }
  const statuses = [...reports.entries()].sort(([a], [b]) => compareNames(a, b));
  return {
    groups: (groups ?? []).map(describeGroup),
    lifecycle_statuses: statuses.map(([pod, ofPod]) => ({
      pod_name: pod,
      reports: [...ofPod.entries()].map(([filename, report]) => ({filename, report_json: report})),
    })),
  };
}

const isLiaison = ([{nodeRole}]: readonly [RegisteredAgent, unknown]): boolean => /liaison/i.test(nodeRole);

/** What few groups have is left out where there is none. */
function describeGroup(group: GroupLifecycleInfo): object {
  const {errors, schema_consistency, ...rest} = toJson('GroupLifecycleInfo', group) as Readonly<
    Record<string, unknown>
  >;
  return {
    ...rest,
    ...(group.errors.length > 0 && {errors}),
    ...(group.schema_consistency !== null && {schema_consistency}),
  };
}

import {labelName} from '../../plugins/diagnostics/exposition/write.js';

/** Who the samples of an endpoint come from. */
export interface SampleIdentity {
  readonly podName: string;
  /** Empty when none is configured for the endpoint. */
  readonly containerName: string;
  /** Empty while it is not known. */
  readonly role: string;
  /** The labels of the database node itself. */
  readonly nodeLabels: Readonly<Record<string, string>>;
}

/** Labels that a proxy knows by other ways than a label of the node. */
const NOT_FROM_NODE = ['pod_name', 'container_name', 'node_role'];

/**
 * The labels that each series of an endpoint carries beside its own: names and values that are not empty. A label of the
 * node, as `type`, becomes `node_type`.
 */
export function identityLabels({
  podName,
  containerName,
  role,
  nodeLabels,
}: SampleIdentity): ReadonlyMap<string, string> {
  const labels = new Map<string, string>();
  const add = (name: string, value: string): void => {
    if (value !== '' && !labels.has(name)) labels.set(name, value);
  };
  add('node_role', role);
  add('pod_name', podName);
  add('container_name', containerName);
  for (const [name, value] of Object.entries(nodeLabels)) {
    if (!NOT_FROM_NODE.includes(name)) add(labelName(`node_${name}`), value);
  }
  return labels;
}

import type {RegisterAgentRequest} from '../../diagnostics/proto/contract.js';

/** Names stand in headers, labels and logs, where longer ones would make everything else unreadable. */
const MOST_BYTES = 1024;

/** What is wrong with a registration or a heartbeat that says something too long; undefined when nothing is. */
export function tooLong({pod_name, node_role, container_names, labels}: RegisterAgentRequest): string | undefined {
  const fields: (readonly [field: string, text: string])[] = [
    ['pod_name', pod_name],
    ['node_role', node_role],
    ...container_names.map((name, index) => [`container_names[${index}]`, name] as const),
    ...Object.keys(labels).map(key => ['a key of labels', key] as const),
    ...Object.entries(labels).map(([key, value]) => [`the value of labels[${JSON.stringify(key)}]`, value] as const),
  ];
  for (const [field, text] of fields) {
    const bytes = Buffer.byteLength(text);
    if (bytes > MOST_BYTES) return `${field} has ${bytes} bytes, at most ${MOST_BYTES} are taken`;
  }
  return undefined;
}

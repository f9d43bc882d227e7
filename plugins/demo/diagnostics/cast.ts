import {MS_PER_SECOND} from '../../../core/toolkit/time.js';
import type {Node, PartialMessage, Role} from '../../diagnostics/proto/contract.js';

/** A database node of the demo. */
export interface CastMember {
  readonly pod: string;
  readonly container: string;
  readonly role: Role;
  /** The stage of its data; a liaison has none. */
  readonly stage: string;
  /** How much it has to do, beside the others. */
  readonly load: number;
}

export const CAST: readonly CastMember[] = [
  {pod: 'liaison-0', container: 'liaison', role: 'ROLE_LIAISON', stage: '', load: 1.6},
  {pod: 'data-hot-0', container: 'data', role: 'ROLE_DATA', stage: 'hot', load: 1},
  {pod: 'data-warm-0', container: 'data', role: 'ROLE_DATA', stage: 'warm', load: 0.3},
];

const CREATED = {seconds: String(Date.UTC(2026, 0, 5) / MS_PER_SECOND), nanos: 0};

/** The node as it describes itself, at an address as in a cluster. */
export function nodeOf({pod, role, stage}: CastMember): PartialMessage<Node> {
  const address = `${pod}.database:17912`;
  return {
    metadata: {name: address},
    roles: [role],
    grpc_address: address,
    created_at: CREATED,
    labels: stage === '' ? {} : {type: stage},
  };
}

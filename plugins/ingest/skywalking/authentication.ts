import type {CredentialsPlace} from '../../../core/toolkit/grpc/access-guard.js';

/** Agents send their token, as it is, under a name of their own; what stands in front of the gateway the usual header. */
export const AGENT_CREDENTIALS: CredentialsPlace = {
  name: 'the metadata "authentication"',
  expected: 'a token, as agents send it that are given one',
  authorizationOf: metadata => {
    const [usual] = metadata.get('authorization');
    if (usual !== undefined) return String(usual);
    const [token] = metadata.get('authentication');
    return token === undefined ? undefined : `Bearer ${String(token).replace(/^Bearer /i, '')}`;
  },
};

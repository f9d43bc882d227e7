import type {Metadata} from '@grpc/grpc-js';

/** Agents send their token, as it is, under a name of their own; what stands in front of the gateway the usual header. */
export function authorizationOf(metadata: Metadata): string | undefined {
  const [usual] = metadata.get('authorization');
  if (usual !== undefined) return String(usual);
  const [token] = metadata.get('authentication');
  return token === undefined ? undefined : `Bearer ${String(token)}`;
}

import {fromJSON, type ServiceDefinition} from '@grpc/proto-loader';
import {descriptor} from './descriptor.generated.js';
import type * as messages from './messages.generated.js';

/**
 * The methods of the wire contract, ready for @grpc/grpc-js on either side. Decoded messages have every field: absent
 * messages are `null`, 64-bit integers decimal text, enums their names (an unknown value its number).
 */
export type * from './messages.generated.js';

/** A message to be sent: what is left out has its default. */
export type PartialMessage<T> = T extends object
  ? T extends Uint8Array
    ? T
    : {readonly [K in keyof T]?: PartialMessage<T[K]> | undefined}
  : T;

export interface RpcMethod<Request, Response> {
  readonly path: string;
  readonly requestStream: boolean;
  readonly responseStream: boolean;
  readonly requestSerialize: (message: PartialMessage<Request>) => Buffer;
  readonly requestDeserialize: (bytes: Buffer) => Request;
  readonly responseSerialize: (message: PartialMessage<Response>) => Buffer;
  readonly responseDeserialize: (bytes: Buffer) => Response;
}

const definitions = fromJSON(descriptor as Parameters<typeof fromJSON>[0], {
  keepCase: true,
  longs: String,
  enums: String,
  defaults: true,
  arrays: true,
  objects: true,
  oneofs: true,
});

function method<Request, Response>(service: string, name: string): RpcMethod<Request, Response> {
  const definition = (definitions[`banyandb.${service}`] as ServiceDefinition)[name];
  return definition as unknown as RpcMethod<Request, Response>;
}

const CHANNEL = 'fodc.v1.FODCService';

/** The channel between agent and proxy: seven streams, each in both directions. */
export const channelMethods = {
  RegisterAgent: method<messages.RegisterAgentRequest, messages.RegisterAgentResponse>(CHANNEL, 'RegisterAgent'),
  StreamMetrics: method<messages.StreamMetricsRequest, messages.StreamMetricsResponse>(CHANNEL, 'StreamMetrics'),
  StreamClusterTopology: method<messages.StreamClusterTopologyRequest, messages.StreamClusterTopologyResponse>(
    CHANNEL,
    'StreamClusterTopology',
  ),
  StreamLifecycle: method<messages.StreamLifecycleRequest, messages.StreamLifecycleResponse>(
    CHANNEL,
    'StreamLifecycle',
  ),
  StreamCrashDiagnostics: method<messages.StreamCrashDiagnosticsRequest, messages.StreamCrashDiagnosticsResponse>(
    CHANNEL,
    'StreamCrashDiagnostics',
  ),
  StreamPressureProfiles: method<messages.StreamPressureProfilesRequest, messages.StreamPressureProfilesResponse>(
    CHANNEL,
    'StreamPressureProfiles',
  ),
  StreamSchemaRegistry: method<messages.StreamSchemaRegistryRequest, messages.StreamSchemaRegistryResponse>(
    CHANNEL,
    'StreamSchemaRegistry',
  ),
} as const;

/** What the agent asks of the database node beside it. */
export const nodeMethods = {
  GetCurrentNode: method<messages.GetCurrentNodeRequest, messages.GetCurrentNodeResponse>(
    'database.v1.NodeQueryService',
    'GetCurrentNode',
  ),
  GetClusterState: method<messages.GetClusterStateRequest, messages.GetClusterStateResponse>(
    'database.v1.ClusterStateService',
    'GetClusterState',
  ),
  InspectAll: method<messages.InspectAllRequest, messages.InspectAllResponse>(
    'fodc.v1.GroupLifecycleService',
    'InspectAll',
  ),
} as const;

/** The metadata key by which an agent says, on every stream but `RegisterAgent`, who it is. */
export const AGENT_ID = 'agent_id';

/** The text of the status ABORTED with which the streams of an agent end when another one has taken its place. */
export const REPLACED = 'replaced by a newer registration of this pod';

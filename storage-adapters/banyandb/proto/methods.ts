import {type GrpcMethod, method} from './definitions.js';
import type * as messages from './messages.generated.js';

export type {GrpcMethod, OutgoingMessage} from './definitions.js';
export type * from './messages.generated.js';

/** The methods of a server that clients may call: what a reader needs, and what writes data to be read. */

/** Servers before 0.8 do not have it. */
export const GetAPIVersion = method<messages.GetAPIVersionRequest, messages.GetAPIVersionResponse>(
  'banyandb.common.v1.Service',
  'GetAPIVersion',
);

/** Asks for no credentials; the empty service name means the server. */
export const CheckHealth = method<messages.HealthCheckRequest, messages.HealthCheckResponse>(
  'grpc.health.v1.Health',
  'Check',
);

const GROUPS = 'banyandb.database.v1.GroupRegistryService';

export const groups = {
  Create: method<messages.GroupRegistryServiceCreateRequest, messages.GroupRegistryServiceCreateResponse>(
    GROUPS,
    'Create',
  ),
  Delete: method<messages.GroupRegistryServiceDeleteRequest, messages.GroupRegistryServiceDeleteResponse>(
    GROUPS,
    'Delete',
  ),
  Get: method<messages.GroupRegistryServiceGetRequest, messages.GroupRegistryServiceGetResponse>(GROUPS, 'Get'),
  List: method<messages.GroupRegistryServiceListRequest, messages.GroupRegistryServiceListResponse>(GROUPS, 'List'),
  Exist: method<messages.GroupRegistryServiceExistRequest, messages.GroupRegistryServiceExistResponse>(GROUPS, 'Exist'),
} as const;

/** The registry of one kind of schema; `Field` is the name of its field in the messages. */
export interface RegistryMethods<Field extends string, Schema> {
  readonly Create: GrpcMethod<{readonly [F in Field]: Schema | null}, {readonly mod_revision: string}>;
  readonly Delete: GrpcMethod<{readonly metadata: messages.Metadata | null}, {readonly deleted: boolean}>;
  /** Fails with NOT_FOUND where there is none. */
  readonly Get: GrpcMethod<{readonly metadata: messages.Metadata | null}, {readonly [F in Field]: Schema | null}>;
  /** Answers an unknown group with an empty list. */
  readonly List: GrpcMethod<{readonly group: string}, {readonly [F in Field]: readonly Schema[]}>;
  /** Never fails. */
  readonly Exist: GrpcMethod<
    {readonly metadata: messages.Metadata | null},
    {readonly has_group: boolean} & {readonly [F in Field as `has_${F}`]: boolean}
  >;
}

function registry<Field extends string, Schema>(kind: string): RegistryMethods<Field, Schema> {
  const service = `banyandb.database.v1.${kind}RegistryService`;
  return {
    Create: method(service, 'Create'),
    Delete: method(service, 'Delete'),
    Get: method(service, 'Get'),
    List: method(service, 'List'),
    Exist: method(service, 'Exist'),
  };
}

export const streams = registry<'stream', messages.Stream>('Stream');
export const measures = registry<'measure', messages.Measure>('Measure');
/** Servers before 0.9 do not have it. */
export const traces = registry<'trace', messages.DatabaseTrace>('Trace');
export const indexRules = registry<'index_rule', messages.IndexRule>('IndexRule');
export const indexRuleBindings = registry<'index_rule_binding', messages.IndexRuleBinding>('IndexRuleBinding');
export const topNAggregations = registry<'top_n_aggregation', messages.TopNAggregation>('TopNAggregation');

const MEASURE = 'banyandb.measure.v1.MeasureService';
export const QueryMeasure = method<messages.MeasureQueryRequest, messages.MeasureQueryResponse>(MEASURE, 'Query');
/** Streams both ways: one response for each request. */
export const WriteMeasure = method<messages.MeasureWriteRequest, messages.MeasureWriteResponse>(MEASURE, 'Write');
export const TopN = method<messages.TopNRequest, messages.TopNResponse>(MEASURE, 'TopN');

const STREAM = 'banyandb.stream.v1.StreamService';
export const QueryStream = method<messages.StreamQueryRequest, messages.StreamQueryResponse>(STREAM, 'Query');
export const WriteStream = method<messages.StreamWriteRequest, messages.StreamWriteResponse>(STREAM, 'Write');

const TRACE = 'banyandb.trace.v1.TraceService';
/** Servers before 0.9 do not have it. */
export const QueryTrace = method<messages.TraceQueryRequest, messages.TraceQueryResponse>(TRACE, 'Query');
export const WriteTrace = method<messages.TraceWriteRequest, messages.TraceWriteResponse>(TRACE, 'Write');

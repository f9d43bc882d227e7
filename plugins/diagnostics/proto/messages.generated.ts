// Generated from the .proto files of this folder by scripts/generate-proto.mjs. Do not edit.

export type Catalog =
  | 'CATALOG_UNSPECIFIED'
  | 'CATALOG_STREAM'
  | 'CATALOG_MEASURE'
  | 'CATALOG_PROPERTY'
  | 'CATALOG_TRACE';

export interface Metadata {
  readonly group: string;
  readonly name: string;
  readonly id: number;
  readonly create_revision: string;
  readonly mod_revision: string;
}

export interface IntervalRule {
  readonly unit: IntervalRuleUnit;
  readonly num: number;
}

export type IntervalRuleUnit =
  | 'UNIT_UNSPECIFIED'
  | 'UNIT_HOUR'
  | 'UNIT_DAY';

export interface LifecycleStage {
  readonly name: string;
  readonly shard_num: number;
  readonly segment_interval: IntervalRule | null;
  readonly ttl: IntervalRule | null;
  readonly node_selector: string;
  readonly close: boolean;
  readonly replicas: number;
}

export interface ResourceOpts {
  readonly shard_num: number;
  readonly segment_interval: IntervalRule | null;
  readonly ttl: IntervalRule | null;
  readonly stages: readonly LifecycleStage[];
  readonly default_stages: readonly string[];
  readonly replicas: number;
}

export type Role =
  | 'ROLE_UNSPECIFIED'
  | 'ROLE_META'
  | 'ROLE_DATA'
  | 'ROLE_LIAISON';

export interface Node {
  readonly metadata: Metadata | null;
  readonly roles: readonly Role[];
  readonly grpc_address: string;
  readonly http_address: string;
  readonly created_at: Timestamp | null;
  readonly labels: Readonly<Record<string, string>>;
  readonly property_repair_gossip_grpc_address: string;
  readonly property_schema_grpc_address: string;
  readonly property_schema_gossip_grpc_address: string;
}

export interface DataInfo {
  readonly node: Node | null;
  readonly segment_info: readonly SegmentInfo[];
  readonly data_size_bytes: string;
}

export interface SegmentInfo {
  readonly segment_id: string;
  readonly time_range_start: string;
  readonly time_range_end: string;
  readonly shard_info: readonly ShardInfo[];
  readonly series_index_info: SeriesIndexInfo | null;
}

export interface ShardInfo {
  readonly shard_id: number;
  readonly data_count: string;
  readonly data_size_bytes: string;
  readonly part_count: string;
  readonly inverted_index_info: InvertedIndexInfo | null;
  readonly sidx_info: SIDXInfo | null;
  readonly file_part_count: string;
}

export interface SeriesIndexInfo {
  readonly data_count: string;
  readonly data_size_bytes: string;
}

export interface InvertedIndexInfo {
  readonly data_count: string;
  readonly data_size_bytes: string;
}

export interface SIDXInfo {
  readonly data_count: string;
  readonly data_size_bytes: string;
  readonly part_count: string;
}

export type GetCurrentNodeRequest = Readonly<Record<string, never>>;

export interface GetCurrentNodeResponse {
  readonly node: Node | null;
}

export type GetClusterStateRequest = Readonly<Record<string, never>>;

export interface RouteTable {
  readonly registered: readonly Node[];
  readonly active: readonly string[];
  readonly evictable: readonly string[];
}

export interface GetClusterStateResponse {
  readonly route_tables: Readonly<Record<string, RouteTable>>;
}

export interface RegisterAgentRequest {
  readonly node_role: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly pod_name: string;
  readonly container_names: readonly string[];
}

export interface RegisterAgentResponse {
  readonly success: boolean;
  readonly message: string;
  readonly heartbeat_interval_seconds: string;
  readonly agent_id: string;
}

export interface StreamMetricsRequest {
  readonly metrics: readonly Metric[];
  readonly timestamp: Timestamp | null;
}

export type MetricType =
  | 'METRIC_TYPE_UNSPECIFIED'
  | 'METRIC_TYPE_GAUGE'
  | 'METRIC_TYPE_COUNTER'
  | 'METRIC_TYPE_HISTOGRAM'
  | 'METRIC_TYPE_SUMMARY'
  | 'METRIC_TYPE_UNTYPED';

export interface Metric {
  readonly name: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly value: number;
  readonly description: string;
  readonly timestamp: Timestamp | null;
  readonly type: MetricType;
}

export interface StreamMetricsResponse {
  readonly start_time: Timestamp | null;
  readonly end_time: Timestamp | null;
}

export interface Call {
  readonly id: string;
  readonly target: string;
  readonly source: string;
}

export interface Topology {
  readonly nodes: readonly Node[];
  readonly calls: readonly Call[];
}

export interface StreamClusterTopologyRequest {
  readonly timestamp: Timestamp | null;
  readonly topology: Topology | null;
}

export interface StreamClusterTopologyResponse {
  readonly request_topology: boolean;
}

export interface StreamLifecycleRequest {
  readonly timestamp: Timestamp | null;
  readonly pod_name: string;
  readonly lifecycle_data: LifecycleData | null;
}

export interface StreamLifecycleResponse {
  readonly request_lifecycle: boolean;
}

export interface StreamSchemaRegistryRequest {
  readonly group: SchemaRegistryGroup | null;
  readonly done: boolean;
}

export interface StreamSchemaRegistryResponse {
  readonly request_registry: boolean;
}

export interface SchemaRegistryGroup {
  readonly group: string;
  readonly objects: readonly SchemaObjectFingerprint[];
  readonly error: string;
}

export interface SchemaObjectFingerprint {
  readonly kind: string;
  readonly name: string;
  readonly fingerprint: string;
}

export interface LifecycleData {
  readonly reports: readonly LifecycleReport[];
  readonly groups: readonly GroupLifecycleInfo[];
}

export interface GroupLifecycleInfo {
  readonly name: string;
  readonly catalog: string;
  readonly resource_opts: ResourceOpts | null;
  readonly data_info: readonly DataInfo[];
  readonly errors: readonly string[];
  readonly schema_consistency: SchemaConsistency | null;
}

export interface SchemaConsistency {
  readonly status: ConsistencyStatus;
  readonly objects: readonly ObjectConsistency[];
  readonly issues: readonly SchemaIssue[];
}

export interface ObjectConsistency {
  readonly kind: string;
  readonly name: string;
  readonly registry_fingerprint: string;
  readonly node_fingerprints: readonly NodeFingerprint[];
}

export interface NodeFingerprint {
  readonly node: string;
  readonly cache_fingerprint: string;
  readonly runtime_fingerprint: string;
}

export interface SchemaIssue {
  readonly kind: string;
  readonly name: string;
  readonly node: string;
  readonly type: SchemaIssueType;
}

export type SchemaIssueType =
  | 'SCHEMA_ISSUE_TYPE_UNSPECIFIED'
  | 'SCHEMA_ISSUE_TYPE_MISSING_IN_CACHE'
  | 'SCHEMA_ISSUE_TYPE_ORPHAN'
  | 'SCHEMA_ISSUE_TYPE_CACHE_STALE'
  | 'SCHEMA_ISSUE_TYPE_RUNTIME_NOT_APPLIED';

export type ConsistencyStatus =
  | 'CONSISTENCY_STATUS_UNSPECIFIED'
  | 'CONSISTENCY_STATUS_CONSISTENT'
  | 'CONSISTENCY_STATUS_INCONSISTENT'
  | 'CONSISTENCY_STATUS_UNKNOWN';

export interface LifecycleReport {
  readonly filename: string;
  readonly report_json: string;
}

export interface CrashBreadcrumb {
  readonly time: Timestamp | null;
  readonly stage: string;
  readonly component: string;
  readonly fields: Readonly<Record<string, string>>;
}

export interface CrashPanicRecord {
  readonly occurred_at: Timestamp | null;
  readonly component: string;
  readonly panic_value: string;
  readonly recovered: boolean;
  readonly goroutine_stack: string;
  readonly breadcrumbs: readonly CrashBreadcrumb[];
  readonly process_metadata: Readonly<Record<string, string>>;
}

export interface StreamCrashDiagnosticsRequest {
  readonly fetched_at: Timestamp | null;
  readonly source_endpoint: string;
  readonly artifact_dir: string;
  readonly panic_record: CrashPanicRecord | null;
  readonly files: readonly string[];
}

export interface StreamCrashDiagnosticsResponse {
  readonly request_diagnostics: boolean;
}

export interface PressureProfileInfo {
  readonly type: string;
  readonly filename: string;
  readonly filepath: string;
  readonly format: string;
  readonly size_bytes: string;
}

export interface PressureProfileRecord {
  readonly profile_id: string;
  readonly captured_at: Timestamp | null;
  readonly source_endpoint: string;
  readonly rss_bytes: string;
  readonly cgroup_limit_bytes: string;
  readonly trigger_percent: number;
  readonly threshold_bytes: string;
  readonly profiles: readonly PressureProfileInfo[];
}

export interface PressureProfileChunk {
  readonly request_id: string;
  readonly profile_id: string;
  readonly type: string;
  readonly data: Uint8Array;
  readonly last: boolean;
  readonly error: string;
}

export interface StreamPressureProfilesRequest {
  readonly record?: PressureProfileRecord | undefined;
  readonly list_complete?: ListComplete | undefined;
  readonly chunk?: PressureProfileChunk | undefined;
  readonly payload?: 'record' | 'list_complete' | 'chunk';
}

export interface ListComplete {
  readonly request_id: string;
}

export interface FetchPressureProfile {
  readonly request_id: string;
  readonly profile_id: string;
  readonly type: string;
  readonly filepath: string;
}

export interface StreamPressureProfilesResponse {
  readonly list_profiles?: ListProfiles | undefined;
  readonly fetch_profile?: FetchPressureProfile | undefined;
  readonly command?: 'list_profiles' | 'fetch_profile';
}

export interface ListProfiles {
  readonly request_id: string;
}

export type InspectAllRequest = Readonly<Record<string, never>>;

export interface InspectAllResponse {
  readonly groups: readonly GroupLifecycleInfo[];
}

export interface Timestamp {
  readonly seconds: string;
  readonly nanos: number;
}

/**
 * The wire contract as a table: `number name type`, `*` is repeated, `?oneof:x` is a member of x. Agents and proxies that
 * are deployed already speak exactly this.
 */
export const WIRE = `
package banyandb.fodc.v1
RegisterAgentRequest: 1 node_role string; 2 labels map<string,string>; 4 pod_name string; 5 container_names string*
RegisterAgentResponse: 1 success bool; 2 message string; 3 heartbeat_interval_seconds int64; 4 agent_id string
StreamMetricsRequest: 1 metrics Metric*; 2 timestamp Timestamp
enum MetricType: METRIC_TYPE_UNSPECIFIED=0 METRIC_TYPE_GAUGE=1 METRIC_TYPE_COUNTER=2 METRIC_TYPE_HISTOGRAM=3 METRIC_TYPE_SUMMARY=4 METRIC_TYPE_UNTYPED=5
Metric: 1 name string; 2 labels map<string,string>; 3 value double; 4 description string; 5 timestamp Timestamp; 6 type MetricType
StreamMetricsResponse: 1 start_time Timestamp; 2 end_time Timestamp
Call: 1 id string; 2 target string; 3 source string
Topology: 1 nodes banyandb.database.v1.Node*; 2 calls Call*
StreamClusterTopologyRequest: 1 timestamp Timestamp; 2 topology Topology
StreamClusterTopologyResponse: 1 request_topology bool
StreamLifecycleRequest: 1 timestamp Timestamp; 2 pod_name string; 3 lifecycle_data LifecycleData
StreamLifecycleResponse: 1 request_lifecycle bool
StreamSchemaRegistryRequest: 1 group SchemaRegistryGroup; 2 done bool
StreamSchemaRegistryResponse: 1 request_registry bool
SchemaRegistryGroup: 1 group string; 2 objects SchemaObjectFingerprint*; 3 error string
SchemaObjectFingerprint: 1 kind string; 2 name string; 3 fingerprint uint64
LifecycleData: 1 reports LifecycleReport*; 2 groups GroupLifecycleInfo*
GroupLifecycleInfo: 1 name string; 2 catalog string; 3 resource_opts banyandb.common.v1.ResourceOpts; 4 data_info banyandb.database.v1.DataInfo*; 5 errors string*; 6 schema_consistency SchemaConsistency
SchemaConsistency: 1 status ConsistencyStatus; 2 objects ObjectConsistency*; 3 issues SchemaIssue*
ObjectConsistency: 1 kind string; 2 name string; 3 registry_fingerprint uint64; 4 node_fingerprints NodeFingerprint*
NodeFingerprint: 1 node string; 2 cache_fingerprint uint64; 3 runtime_fingerprint uint64
SchemaIssue: 1 kind string; 2 name string; 3 node string; 4 type SchemaIssueType
enum SchemaIssueType: SCHEMA_ISSUE_TYPE_UNSPECIFIED=0 SCHEMA_ISSUE_TYPE_MISSING_IN_CACHE=1 SCHEMA_ISSUE_TYPE_ORPHAN=2 SCHEMA_ISSUE_TYPE_CACHE_STALE=3 SCHEMA_ISSUE_TYPE_RUNTIME_NOT_APPLIED=4
enum ConsistencyStatus: CONSISTENCY_STATUS_UNSPECIFIED=0 CONSISTENCY_STATUS_CONSISTENT=1 CONSISTENCY_STATUS_INCONSISTENT=2 CONSISTENCY_STATUS_UNKNOWN=3
LifecycleReport: 1 filename string; 2 report_json string
CrashBreadcrumb: 1 time Timestamp; 2 stage string; 3 component string; 4 fields map<string,string>
CrashPanicRecord: 1 occurred_at Timestamp; 2 component string; 3 panic_value string; 4 recovered bool; 5 goroutine_stack string; 6 breadcrumbs CrashBreadcrumb*; 7 process_metadata map<string,string>
StreamCrashDiagnosticsRequest: 1 fetched_at Timestamp; 2 source_endpoint string; 3 artifact_dir string; 4 panic_record CrashPanicRecord; 5 files string*
StreamCrashDiagnosticsResponse: 1 request_diagnostics bool
PressureProfileInfo: 1 type string; 2 filename string; 3 filepath string; 4 format string; 5 size_bytes int64
PressureProfileRecord: 1 profile_id string; 2 captured_at Timestamp; 3 source_endpoint string; 4 rss_bytes uint64; 5 cgroup_limit_bytes uint64; 6 trigger_percent uint32; 7 threshold_bytes uint64; 8 profiles PressureProfileInfo*
PressureProfileChunk: 1 request_id string; 2 profile_id string; 3 type string; 4 data bytes; 5 last bool; 6 error string
StreamPressureProfilesRequest: 1 record PressureProfileRecord ?oneof:payload; 2 list_complete ListComplete ?oneof:payload; 3 chunk PressureProfileChunk ?oneof:payload
ListComplete: 1 request_id string
FetchPressureProfile: 1 request_id string; 2 profile_id string; 3 type string; 4 filepath string
StreamPressureProfilesResponse: 1 list_profiles ListProfiles ?oneof:command; 2 fetch_profile FetchPressureProfile ?oneof:command
ListProfiles: 1 request_id string
InspectAllRequest:
InspectAllResponse: 1 groups GroupLifecycleInfo*
package banyandb.common.v1
enum Catalog: CATALOG_UNSPECIFIED=0 CATALOG_STREAM=1 CATALOG_MEASURE=2 CATALOG_PROPERTY=3 CATALOG_TRACE=4
Metadata: 1 group string; 2 name string; 3 id uint32; 4 create_revision int64; 5 mod_revision int64
enum IntervalRule.Unit: UNIT_UNSPECIFIED=0 UNIT_HOUR=1 UNIT_DAY=2
IntervalRule: 1 unit IntervalRule.Unit; 2 num uint32
LifecycleStage: 1 name string; 2 shard_num uint32; 3 segment_interval IntervalRule; 4 ttl IntervalRule; 5 node_selector string; 6 close bool; 7 replicas uint32
ResourceOpts: 1 shard_num uint32; 2 segment_interval IntervalRule; 3 ttl IntervalRule; 4 stages LifecycleStage*; 5 default_stages string*; 6 replicas uint32
package banyandb.database.v1
enum Role: ROLE_UNSPECIFIED=0 ROLE_META=1 ROLE_DATA=2 ROLE_LIAISON=3
Node: 1 metadata banyandb.common.v1.Metadata; 2 roles Role*; 3 grpc_address string; 4 http_address string; 5 created_at Timestamp; 6 labels map<string,string>; 7 property_repair_gossip_grpc_address string; 8 property_schema_grpc_address string; 9 property_schema_gossip_grpc_address string
DataInfo: 1 node Node; 2 segment_info SegmentInfo*; 3 data_size_bytes int64
SegmentInfo: 1 segment_id string; 2 time_range_start string; 3 time_range_end string; 4 shard_info ShardInfo*; 5 series_index_info SeriesIndexInfo
ShardInfo: 1 shard_id uint32; 2 data_count int64; 3 data_size_bytes int64; 4 part_count int64; 5 inverted_index_info InvertedIndexInfo; 6 sidx_info SIDXInfo; 7 file_part_count int64
SeriesIndexInfo: 1 data_count int64; 2 data_size_bytes int64
InvertedIndexInfo: 1 data_count int64; 2 data_size_bytes int64
SIDXInfo: 1 data_count int64; 2 data_size_bytes int64; 3 part_count int64
GetCurrentNodeRequest:
GetCurrentNodeResponse: 1 node Node
GetClusterStateRequest:
RouteTable: 1 registered Node*; 2 active string*; 3 evictable string*
GetClusterStateResponse: 1 route_tables map<string,RouteTable>
`;

// Generated from the .proto files of this folder by scripts/generate-proto.mjs. Do not edit.

export interface APIVersion {
  readonly version: string;
  readonly revision: string;
}

export type GetAPIVersionRequest = Readonly<Record<string, never>>;

export interface GetAPIVersionResponse {
  readonly version: APIVersion | null;
}

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

export interface Group {
  readonly metadata: Metadata | null;
  readonly catalog: Catalog;
  readonly resource_opts: ResourceOpts | null;
  readonly updated_at: Timestamp | null;
  readonly created_at: Timestamp | null;
}

export type TagType =
  | 'TAG_TYPE_UNSPECIFIED'
  | 'TAG_TYPE_STRING'
  | 'TAG_TYPE_INT'
  | 'TAG_TYPE_STRING_ARRAY'
  | 'TAG_TYPE_INT_ARRAY'
  | 'TAG_TYPE_DATA_BINARY'
  | 'TAG_TYPE_TIMESTAMP';

export interface DatabaseTagFamilySpec {
  readonly name: string;
  readonly tags: readonly DatabaseTagSpec[];
}

export interface DatabaseTagSpec {
  readonly name: string;
  readonly type: TagType;
}

export interface Entity {
  readonly tag_names: readonly string[];
}

export interface ShardingKey {
  readonly tag_names: readonly string[];
}

export interface Stream {
  readonly metadata: Metadata | null;
  readonly tag_families: readonly DatabaseTagFamilySpec[];
  readonly entity: Entity | null;
  readonly updated_at: Timestamp | null;
  readonly created_at: Timestamp | null;
}

export type FieldType =
  | 'FIELD_TYPE_UNSPECIFIED'
  | 'FIELD_TYPE_STRING'
  | 'FIELD_TYPE_INT'
  | 'FIELD_TYPE_DATA_BINARY'
  | 'FIELD_TYPE_FLOAT';

export type EncodingMethod =
  | 'ENCODING_METHOD_UNSPECIFIED'
  | 'ENCODING_METHOD_GORILLA';

export type CompressionMethod =
  | 'COMPRESSION_METHOD_UNSPECIFIED'
  | 'COMPRESSION_METHOD_ZSTD';

export interface FieldSpec {
  readonly name: string;
  readonly field_type: FieldType;
  readonly encoding_method: EncodingMethod;
  readonly compression_method: CompressionMethod;
}

export interface Measure {
  readonly metadata: Metadata | null;
  readonly tag_families: readonly DatabaseTagFamilySpec[];
  readonly fields: readonly FieldSpec[];
  readonly entity: Entity | null;
  readonly interval: string;
  readonly updated_at: Timestamp | null;
  readonly index_mode: boolean;
  readonly sharding_key: ShardingKey | null;
  readonly created_at: Timestamp | null;
}

export interface TopNAggregation {
  readonly metadata: Metadata | null;
  readonly source_measure: Metadata | null;
  readonly field_name: string;
  readonly field_value_sort: Sort;
  readonly group_by_tag_names: readonly string[];
  readonly criteria: Criteria | null;
  readonly counters_number: number;
  readonly lru_size: number;
  readonly updated_at: Timestamp | null;
  readonly created_at: Timestamp | null;
}

export interface IndexRule {
  readonly metadata: Metadata | null;
  readonly tags: readonly string[];
  readonly type: IndexRuleType;
  readonly updated_at: Timestamp | null;
  readonly analyzer: string;
  readonly no_sort: boolean;
  readonly created_at: Timestamp | null;
}

export type IndexRuleType =
  | 'TYPE_UNSPECIFIED'
  | 'TYPE_INVERTED'
  | 'TYPE_SKIPPING'
  | 'TYPE_TREE';

export interface Subject {
  readonly catalog: Catalog;
  readonly name: string;
}

export interface IndexRuleBinding {
  readonly metadata: Metadata | null;
  readonly rules: readonly string[];
  readonly subject: Subject | null;
  readonly begin_at: Timestamp | null;
  readonly expire_at: Timestamp | null;
  readonly updated_at: Timestamp | null;
  readonly created_at: Timestamp | null;
}

export interface TraceTagSpec {
  readonly name: string;
  readonly type: TagType;
}

export interface DatabaseTrace {
  readonly metadata: Metadata | null;
  readonly tags: readonly TraceTagSpec[];
  readonly trace_id_tag_name: string;
  readonly timestamp_tag_name: string;
  readonly updated_at: Timestamp | null;
  readonly span_id_tag_name: string;
  readonly created_at: Timestamp | null;
}

export interface GroupRegistryServiceCreateRequest {
  readonly group: Group | null;
}

export interface GroupRegistryServiceCreateResponse {
  readonly mod_revision: string;
}

export interface GroupRegistryServiceDeleteRequest {
  readonly group: string;
}

export interface GroupRegistryServiceDeleteResponse {
  readonly deleted: boolean;
}

export interface GroupRegistryServiceGetRequest {
  readonly group: string;
}

export interface GroupRegistryServiceGetResponse {
  readonly group: Group | null;
}

export type GroupRegistryServiceListRequest = Readonly<Record<string, never>>;

export interface GroupRegistryServiceListResponse {
  readonly group: readonly Group[];
}

export interface GroupRegistryServiceExistRequest {
  readonly group: string;
}

export interface GroupRegistryServiceExistResponse {
  readonly has_group: boolean;
}

export interface StreamRegistryServiceCreateRequest {
  readonly stream: Stream | null;
}

export interface StreamRegistryServiceCreateResponse {
  readonly mod_revision: string;
}

export interface StreamRegistryServiceDeleteRequest {
  readonly metadata: Metadata | null;
}

export interface StreamRegistryServiceDeleteResponse {
  readonly deleted: boolean;
}

export interface StreamRegistryServiceGetRequest {
  readonly metadata: Metadata | null;
}

export interface StreamRegistryServiceGetResponse {
  readonly stream: Stream | null;
}

export interface StreamRegistryServiceListRequest {
  readonly group: string;
}

export interface StreamRegistryServiceListResponse {
  readonly stream: readonly Stream[];
}

export interface StreamRegistryServiceExistRequest {
  readonly metadata: Metadata | null;
}

export interface StreamRegistryServiceExistResponse {
  readonly has_group: boolean;
  readonly has_stream: boolean;
}

export interface MeasureRegistryServiceCreateRequest {
  readonly measure: Measure | null;
}

export interface MeasureRegistryServiceCreateResponse {
  readonly mod_revision: string;
}

export interface MeasureRegistryServiceDeleteRequest {
  readonly metadata: Metadata | null;
}

export interface MeasureRegistryServiceDeleteResponse {
  readonly deleted: boolean;
}

export interface MeasureRegistryServiceGetRequest {
  readonly metadata: Metadata | null;
}

export interface MeasureRegistryServiceGetResponse {
  readonly measure: Measure | null;
}

export interface MeasureRegistryServiceListRequest {
  readonly group: string;
}

export interface MeasureRegistryServiceListResponse {
  readonly measure: readonly Measure[];
}

export interface MeasureRegistryServiceExistRequest {
  readonly metadata: Metadata | null;
}

export interface MeasureRegistryServiceExistResponse {
  readonly has_group: boolean;
  readonly has_measure: boolean;
}

export interface TraceRegistryServiceCreateRequest {
  readonly trace: DatabaseTrace | null;
}

export interface TraceRegistryServiceCreateResponse {
  readonly mod_revision: string;
}

export interface TraceRegistryServiceDeleteRequest {
  readonly metadata: Metadata | null;
}

export interface TraceRegistryServiceDeleteResponse {
  readonly deleted: boolean;
}

export interface TraceRegistryServiceGetRequest {
  readonly metadata: Metadata | null;
}

export interface TraceRegistryServiceGetResponse {
  readonly trace: DatabaseTrace | null;
}

export interface TraceRegistryServiceListRequest {
  readonly group: string;
}

export interface TraceRegistryServiceListResponse {
  readonly trace: readonly DatabaseTrace[];
}

export interface TraceRegistryServiceExistRequest {
  readonly metadata: Metadata | null;
}

export interface TraceRegistryServiceExistResponse {
  readonly has_group: boolean;
  readonly has_trace: boolean;
}

export interface IndexRuleRegistryServiceCreateRequest {
  readonly index_rule: IndexRule | null;
}

export interface IndexRuleRegistryServiceCreateResponse {
  readonly mod_revision: string;
}

export interface IndexRuleRegistryServiceDeleteRequest {
  readonly metadata: Metadata | null;
}

export interface IndexRuleRegistryServiceDeleteResponse {
  readonly deleted: boolean;
}

export interface IndexRuleRegistryServiceGetRequest {
  readonly metadata: Metadata | null;
}

export interface IndexRuleRegistryServiceGetResponse {
  readonly index_rule: IndexRule | null;
}

export interface IndexRuleRegistryServiceListRequest {
  readonly group: string;
}

export interface IndexRuleRegistryServiceListResponse {
  readonly index_rule: readonly IndexRule[];
}

export interface IndexRuleRegistryServiceExistRequest {
  readonly metadata: Metadata | null;
}

export interface IndexRuleRegistryServiceExistResponse {
  readonly has_group: boolean;
  readonly has_index_rule: boolean;
}

export interface IndexRuleBindingRegistryServiceCreateRequest {
  readonly index_rule_binding: IndexRuleBinding | null;
}

export interface IndexRuleBindingRegistryServiceCreateResponse {
  readonly mod_revision: string;
}

export interface IndexRuleBindingRegistryServiceDeleteRequest {
  readonly metadata: Metadata | null;
}

export interface IndexRuleBindingRegistryServiceDeleteResponse {
  readonly deleted: boolean;
}

export interface IndexRuleBindingRegistryServiceGetRequest {
  readonly metadata: Metadata | null;
}

export interface IndexRuleBindingRegistryServiceGetResponse {
  readonly index_rule_binding: IndexRuleBinding | null;
}

export interface IndexRuleBindingRegistryServiceListRequest {
  readonly group: string;
}

export interface IndexRuleBindingRegistryServiceListResponse {
  readonly index_rule_binding: readonly IndexRuleBinding[];
}

export interface IndexRuleBindingRegistryServiceExistRequest {
  readonly metadata: Metadata | null;
}

export interface IndexRuleBindingRegistryServiceExistResponse {
  readonly has_group: boolean;
  readonly has_index_rule_binding: boolean;
}

export interface TopNAggregationRegistryServiceCreateRequest {
  readonly top_n_aggregation: TopNAggregation | null;
}

export interface TopNAggregationRegistryServiceCreateResponse {
  readonly mod_revision: string;
}

export interface TopNAggregationRegistryServiceDeleteRequest {
  readonly metadata: Metadata | null;
}

export interface TopNAggregationRegistryServiceDeleteResponse {
  readonly deleted: boolean;
}

export interface TopNAggregationRegistryServiceGetRequest {
  readonly metadata: Metadata | null;
}

export interface TopNAggregationRegistryServiceGetResponse {
  readonly top_n_aggregation: TopNAggregation | null;
}

export interface TopNAggregationRegistryServiceListRequest {
  readonly group: string;
}

export interface TopNAggregationRegistryServiceListResponse {
  readonly top_n_aggregation: readonly TopNAggregation[];
}

export interface TopNAggregationRegistryServiceExistRequest {
  readonly metadata: Metadata | null;
}

export interface TopNAggregationRegistryServiceExistResponse {
  readonly has_group: boolean;
  readonly has_top_n_aggregation: boolean;
}

export interface Str {
  readonly value: string;
}

export interface Int {
  readonly value: string;
}

export interface Float {
  readonly value: number;
}

export interface StrArray {
  readonly value: readonly string[];
}

export interface IntArray {
  readonly value: readonly string[];
}

export interface TagValue {
  readonly null?: NullValue;
  readonly str?: Str | undefined;
  readonly str_array?: StrArray | undefined;
  readonly int?: Int | undefined;
  readonly int_array?: IntArray | undefined;
  readonly binary_data?: Uint8Array;
  readonly timestamp?: Timestamp | undefined;
  readonly value?: 'null' | 'str' | 'str_array' | 'int' | 'int_array' | 'binary_data' | 'timestamp';
}

export interface FieldValue {
  readonly null?: NullValue;
  readonly str?: Str | undefined;
  readonly int?: Int | undefined;
  readonly binary_data?: Uint8Array;
  readonly float?: Float | undefined;
  readonly value?: 'null' | 'str' | 'int' | 'binary_data' | 'float';
}

export type AggregationFunction =
  | 'AGGREGATION_FUNCTION_UNSPECIFIED'
  | 'AGGREGATION_FUNCTION_MEAN'
  | 'AGGREGATION_FUNCTION_MAX'
  | 'AGGREGATION_FUNCTION_MIN'
  | 'AGGREGATION_FUNCTION_COUNT'
  | 'AGGREGATION_FUNCTION_SUM';

export interface Tag {
  readonly key: string;
  readonly value: TagValue | null;
}

export interface TagFamily {
  readonly name: string;
  readonly tags: readonly Tag[];
}

export interface TagFamilyForWrite {
  readonly tags: readonly TagValue[];
}

export interface Condition {
  readonly name: string;
  readonly op: ConditionBinaryOp;
  readonly value: TagValue | null;
  readonly match_option: ConditionMatchOption | null;
}

export type ConditionBinaryOp =
  | 'BINARY_OP_UNSPECIFIED'
  | 'BINARY_OP_EQ'
  | 'BINARY_OP_NE'
  | 'BINARY_OP_LT'
  | 'BINARY_OP_GT'
  | 'BINARY_OP_LE'
  | 'BINARY_OP_GE'
  | 'BINARY_OP_HAVING'
  | 'BINARY_OP_NOT_HAVING'
  | 'BINARY_OP_IN'
  | 'BINARY_OP_NOT_IN'
  | 'BINARY_OP_MATCH';

export interface ConditionMatchOption {
  readonly analyzer: string;
  readonly operator: MatchOptionOperator;
}

export type MatchOptionOperator =
  | 'OPERATOR_UNSPECIFIED'
  | 'OPERATOR_AND'
  | 'OPERATOR_OR';

export interface Criteria {
  readonly le?: LogicalExpression | undefined;
  readonly condition?: Condition | undefined;
  readonly exp?: 'le' | 'condition';
}

export interface LogicalExpression {
  readonly op: LogicalExpressionLogicalOp;
  readonly left: Criteria | null;
  readonly right: Criteria | null;
}

export type LogicalExpressionLogicalOp =
  | 'LOGICAL_OP_UNSPECIFIED'
  | 'LOGICAL_OP_AND'
  | 'LOGICAL_OP_OR';

export type Sort =
  | 'SORT_UNSPECIFIED'
  | 'SORT_DESC'
  | 'SORT_ASC';

export interface QueryOrder {
  readonly index_rule_name: string;
  readonly sort: Sort;
}

export interface TagProjection {
  readonly tag_families: readonly TagProjectionTagFamily[];
}

export interface TagProjectionTagFamily {
  readonly name: string;
  readonly tags: readonly string[];
}

export interface TimeRange {
  readonly begin: Timestamp | null;
  readonly end: Timestamp | null;
}

export type Status =
  | 'STATUS_UNSPECIFIED'
  | 'STATUS_SUCCEED'
  | 'STATUS_INVALID_TIMESTAMP'
  | 'STATUS_NOT_FOUND'
  | 'STATUS_EXPIRED_SCHEMA'
  | 'STATUS_INTERNAL_ERROR'
  | 'STATUS_DISK_FULL'
  | 'STATUS_VERSION_UNSUPPORTED'
  | 'STATUS_VERSION_DEPRECATED'
  | 'STATUS_METADATA_REQUIRED'
  | 'STATUS_SCHEMA_NOT_APPLIED';

export interface DataPoint {
  readonly timestamp: Timestamp | null;
  readonly tag_families: readonly TagFamily[];
  readonly fields: readonly DataPointField[];
  readonly sid: string;
  readonly version: string;
}

export interface DataPointField {
  readonly name: string;
  readonly value: FieldValue | null;
}

export interface MeasureQueryRequest {
  readonly groups: readonly string[];
  readonly name: string;
  readonly time_range: TimeRange | null;
  readonly criteria: Criteria | null;
  readonly tag_projection: TagProjection | null;
  readonly field_projection: QueryRequestFieldProjection | null;
  readonly group_by: QueryRequestGroupBy | null;
  readonly agg: QueryRequestAggregation | null;
  readonly top: QueryRequestTop | null;
  readonly offset: number;
  readonly limit: number;
  readonly order_by: QueryOrder | null;
  readonly trace: boolean;
  readonly stages: readonly string[];
  readonly rewrite_agg_top_n_result: boolean;
  readonly group_mod_revisions: Readonly<Record<string, string>>;
}

export interface QueryRequestFieldProjection {
  readonly names: readonly string[];
}

export interface QueryRequestGroupBy {
  readonly tag_projection: TagProjection | null;
  readonly field_name: string;
}

export interface QueryRequestAggregation {
  readonly function: AggregationFunction;
  readonly field_name: string;
}

export interface QueryRequestTop {
  readonly number: number;
  readonly field_name: string;
  readonly field_value_sort: Sort;
}

export interface MeasureQueryResponse {
  readonly data_points: readonly DataPoint[];
  readonly group_statuses: Readonly<Record<string, Status>>;
}

export interface TopNList {
  readonly timestamp: Timestamp | null;
  readonly items: readonly TopNListItem[];
}

export interface TopNListItem {
  readonly entity: readonly Tag[];
  readonly value: FieldValue | null;
  readonly version: string;
  readonly timestamp: Timestamp | null;
}

export interface TopNRequest {
  readonly groups: readonly string[];
  readonly name: string;
  readonly time_range: TimeRange | null;
  readonly top_n: number;
  readonly agg: AggregationFunction;
  readonly conditions: readonly Condition[];
  readonly field_value_sort: Sort;
  readonly trace: boolean;
  readonly stages: readonly string[];
}

export interface TopNResponse {
  readonly lists: readonly TopNList[];
}

export interface MeasureTagFamilySpec {
  readonly name: string;
  readonly tag_names: readonly string[];
}

export interface DataPointSpec {
  readonly tag_family_spec: readonly MeasureTagFamilySpec[];
  readonly field_names: readonly string[];
}

export interface DataPointValue {
  readonly timestamp: Timestamp | null;
  readonly tag_families: readonly TagFamilyForWrite[];
  readonly fields: readonly FieldValue[];
  readonly version: string;
}

export interface MeasureWriteRequest {
  readonly metadata: Metadata | null;
  readonly data_point: DataPointValue | null;
  readonly message_id: string;
  readonly data_point_spec: DataPointSpec | null;
}

export interface MeasureWriteResponse {
  readonly message_id: string;
  readonly status: string;
  readonly metadata: Metadata | null;
}

export interface Element {
  readonly element_id: string;
  readonly timestamp: Timestamp | null;
  readonly tag_families: readonly TagFamily[];
}

export interface StreamQueryRequest {
  readonly groups: readonly string[];
  readonly name: string;
  readonly time_range: TimeRange | null;
  readonly offset: number;
  readonly limit: number;
  readonly order_by: QueryOrder | null;
  readonly criteria: Criteria | null;
  readonly projection: TagProjection | null;
  readonly trace: boolean;
  readonly stages: readonly string[];
  readonly group_mod_revisions: Readonly<Record<string, string>>;
}

export interface StreamQueryResponse {
  readonly elements: readonly Element[];
  readonly group_statuses: Readonly<Record<string, Status>>;
}

export interface StreamTagFamilySpec {
  readonly name: string;
  readonly tag_names: readonly string[];
}

export interface ElementValue {
  readonly element_id: string;
  readonly timestamp: Timestamp | null;
  readonly tag_families: readonly TagFamilyForWrite[];
}

export interface StreamWriteRequest {
  readonly metadata: Metadata | null;
  readonly element: ElementValue | null;
  readonly message_id: string;
  readonly tag_family_spec: readonly StreamTagFamilySpec[];
}

export interface StreamWriteResponse {
  readonly message_id: string;
  readonly status: string;
  readonly metadata: Metadata | null;
}

export interface TraceSpan {
  readonly tags: readonly Tag[];
  readonly span: Uint8Array;
  readonly span_id: string;
}

export interface TraceTrace {
  readonly spans: readonly TraceSpan[];
  readonly trace_id: string;
}

export interface TraceQueryRequest {
  readonly groups: readonly string[];
  readonly name: string;
  readonly time_range: TimeRange | null;
  readonly offset: number;
  readonly limit: number;
  readonly order_by: QueryOrder | null;
  readonly criteria: Criteria | null;
  readonly tag_projection: readonly string[];
  readonly trace: boolean;
  readonly stages: readonly string[];
  readonly group_mod_revisions: Readonly<Record<string, string>>;
}

export interface TraceQueryResponse {
  readonly traces: readonly TraceTrace[];
  readonly group_statuses: Readonly<Record<string, Status>>;
}

export interface TraceTagSpec {
  readonly tag_names: readonly string[];
}

export interface TraceWriteRequest {
  readonly metadata: Metadata | null;
  readonly tags: readonly TagValue[];
  readonly span: Uint8Array;
  readonly version: string;
  readonly tag_spec: TraceTagSpec | null;
}

export interface TraceWriteResponse {
  readonly metadata: Metadata | null;
  readonly version: string;
  readonly status: string;
}

export interface Timestamp {
  readonly seconds: string;
  readonly nanos: number;
}

export interface Struct {
  readonly fields: Readonly<Record<string, Value>>;
}

export interface Value {
  readonly nullValue?: NullValue;
  readonly numberValue?: number;
  readonly stringValue?: string;
  readonly boolValue?: boolean;
  readonly structValue?: Struct | undefined;
  readonly listValue?: ListValue | undefined;
  readonly kind?: 'nullValue' | 'numberValue' | 'stringValue' | 'boolValue' | 'structValue' | 'listValue';
}

export type NullValue =
  | 'NULL_VALUE';

export interface ListValue {
  readonly values: readonly Value[];
}

export interface HealthCheckRequest {
  readonly service: string;
}

export interface HealthCheckResponse {
  readonly status: HealthCheckResponseServingStatus;
}

export type HealthCheckResponseServingStatus =
  | 'UNKNOWN'
  | 'SERVING'
  | 'NOT_SERVING'
  | 'SERVICE_UNKNOWN';

export interface SpanWrapper {
  readonly span: Uint8Array;
  readonly source: SpanWrapperSource;
}

export type SpanWrapperSource =
  | 'SKYWALKING'
  | 'SKYWALKING_EVENT'
  | 'ZIPKIN'
  | 'ZIPKIN_EVENT';

export interface SegmentObject {
  readonly traceId: string;
  readonly traceSegmentId: string;
  readonly spans: readonly SpanObject[];
  readonly service: string;
  readonly serviceInstance: string;
  readonly isSizeLimited: boolean;
}

export type SpanType =
  | 'Entry'
  | 'Exit'
  | 'Local';

export type SpanLayer =
  | 'Unknown'
  | 'Database'
  | 'RPCFramework'
  | 'Http'
  | 'MQ'
  | 'Cache'
  | 'FAAS'
  | 'GenAI';

export interface SpanObject {
  readonly spanId: number;
  readonly parentSpanId: number;
  readonly startTime: string;
  readonly endTime: string;
  readonly refs: readonly SegmentReference[];
  readonly operationName: string;
  readonly peer: string;
  readonly spanType: SpanType;
  readonly spanLayer: SpanLayer;
  readonly componentId: number;
  readonly isError: boolean;
  readonly tags: readonly KeyStringValuePair[];
  readonly logs: readonly Log[];
  readonly skipAnalysis: boolean;
}

export type RefType =
  | 'CrossProcess'
  | 'CrossThread';

export interface SegmentReference {
  readonly refType: RefType;
  readonly traceId: string;
  readonly parentTraceSegmentId: string;
  readonly parentSpanId: number;
  readonly parentService: string;
  readonly parentServiceInstance: string;
  readonly parentEndpoint: string;
  readonly networkAddressUsedAtPeer: string;
}

export interface Log {
  readonly time: string;
  readonly data: readonly KeyStringValuePair[];
}

export interface KeyStringValuePair {
  readonly key: string;
  readonly value: string;
}

export interface KeyIntValuePair {
  readonly key: string;
  readonly value: string;
}

export interface SpanAttachedEvent {
  readonly startTime: Instant | null;
  readonly event: string;
  readonly endTime: Instant | null;
  readonly tags: readonly KeyStringValuePair[];
  readonly summary: readonly KeyIntValuePair[];
  readonly traceContext: SpanAttachedEventSpanReference | null;
}

export interface SpanAttachedEventSpanReference {
  readonly type: SpanReferenceSpanReferenceType;
  readonly traceId: string;
  readonly traceSegmentId: string;
  readonly spanId: string;
}

export type SpanReferenceSpanReferenceType =
  | 'SKYWALKING'
  | 'ZIPKIN';

export interface Instant {
  readonly seconds: string;
  readonly nanos: number;
}

export interface ListOfSpans {
  readonly spans: readonly ZipkinSpan[];
}

export interface ZipkinSpan {
  readonly trace_id: Uint8Array;
  readonly parent_id: Uint8Array;
  readonly id: Uint8Array;
  readonly kind: SpanKind;
  readonly name: string;
  readonly timestamp: string;
  readonly duration: string;
  readonly local_endpoint: Endpoint | null;
  readonly remote_endpoint: Endpoint | null;
  readonly annotations: readonly Annotation[];
  readonly tags: Readonly<Record<string, string>>;
  readonly debug: boolean;
  readonly shared: boolean;
}

export type SpanKind =
  | 'SPAN_KIND_UNSPECIFIED'
  | 'CLIENT'
  | 'SERVER'
  | 'PRODUCER'
  | 'CONSUMER';

export interface Endpoint {
  readonly service_name: string;
  readonly ipv4: Uint8Array;
  readonly ipv6: Uint8Array;
  readonly port: number;
}

export interface Annotation {
  readonly timestamp: string;
  readonly value: string;
}

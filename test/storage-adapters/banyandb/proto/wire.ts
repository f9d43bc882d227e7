/**
 * The wire contract as a table: `number name type`, `*` is repeated, `?oneof:x` is a member of x. Servers that are
 * deployed already speak exactly this. The messages of the registries follow one pattern and have their own test.
 */
export const WIRE = `
package banyandb.common.v1
enum Catalog: CATALOG_UNSPECIFIED=0 CATALOG_STREAM=1 CATALOG_MEASURE=2 CATALOG_PROPERTY=3 CATALOG_TRACE=4
Metadata: 1 group string; 2 name string; 3 id uint32; 4 create_revision int64; 5 mod_revision int64
IntervalRule: 1 unit IntervalRule.Unit; 2 num uint32
enum IntervalRule.Unit: UNIT_UNSPECIFIED=0 UNIT_HOUR=1 UNIT_DAY=2
LifecycleStage: 1 name string; 2 shard_num uint32; 3 segment_interval IntervalRule; 4 ttl IntervalRule; 5 node_selector string; 6 close bool; 7 replicas uint32
ResourceOpts: 1 shard_num uint32; 2 segment_interval IntervalRule; 3 ttl IntervalRule; 4 stages LifecycleStage*; 5 default_stages string*; 6 replicas uint32
Group: 1 metadata Metadata; 2 catalog Catalog; 3 resource_opts ResourceOpts; 4 updated_at Timestamp; 5 created_at Timestamp
APIVersion: 1 version string; 2 revision string
GetAPIVersionRequest:
GetAPIVersionResponse: 1 version APIVersion
package banyandb.model.v1
Str: 1 value string
Int: 1 value int64
Float: 1 value double
StrArray: 1 value string*
IntArray: 1 value int64*
TagValue: 1 null google.protobuf.NullValue ?oneof:value; 2 str Str ?oneof:value; 3 str_array StrArray ?oneof:value; 4 int Int ?oneof:value; 5 int_array IntArray ?oneof:value; 6 binary_data bytes ?oneof:value; 7 timestamp Timestamp ?oneof:value
TagFamilyForWrite: 1 tags TagValue*
FieldValue: 1 null google.protobuf.NullValue ?oneof:value; 2 str Str ?oneof:value; 3 int Int ?oneof:value; 4 binary_data bytes ?oneof:value; 5 float Float ?oneof:value
enum AggregationFunction: AGGREGATION_FUNCTION_UNSPECIFIED=0 AGGREGATION_FUNCTION_MEAN=1 AGGREGATION_FUNCTION_MAX=2 AGGREGATION_FUNCTION_MIN=3 AGGREGATION_FUNCTION_COUNT=4 AGGREGATION_FUNCTION_SUM=5
Tag: 1 key string; 2 value TagValue
TagFamily: 1 name string; 2 tags Tag*
Condition: 1 name string; 2 op Condition.BinaryOp; 3 value TagValue; 4 match_option Condition.MatchOption
enum Condition.BinaryOp: BINARY_OP_UNSPECIFIED=0 BINARY_OP_EQ=1 BINARY_OP_NE=2 BINARY_OP_LT=3 BINARY_OP_GT=4 BINARY_OP_LE=5 BINARY_OP_GE=6 BINARY_OP_HAVING=7 BINARY_OP_NOT_HAVING=8 BINARY_OP_IN=9 BINARY_OP_NOT_IN=10 BINARY_OP_MATCH=11
Condition.MatchOption: 1 analyzer string; 2 operator Condition.MatchOption.Operator
enum Condition.MatchOption.Operator: OPERATOR_UNSPECIFIED=0 OPERATOR_AND=1 OPERATOR_OR=2
Criteria: 1 le LogicalExpression ?oneof:exp; 2 condition Condition ?oneof:exp
LogicalExpression: 1 op LogicalExpression.LogicalOp; 2 left Criteria; 3 right Criteria
enum LogicalExpression.LogicalOp: LOGICAL_OP_UNSPECIFIED=0 LOGICAL_OP_AND=1 LOGICAL_OP_OR=2
enum Sort: SORT_UNSPECIFIED=0 SORT_DESC=1 SORT_ASC=2
QueryOrder: 1 index_rule_name string; 2 sort Sort
TagProjection: 1 tag_families TagProjection.TagFamily*
TagProjection.TagFamily: 1 name string; 2 tags string*
TimeRange: 1 begin Timestamp; 2 end Timestamp
enum Status: STATUS_UNSPECIFIED=0 STATUS_SUCCEED=1 STATUS_INVALID_TIMESTAMP=2 STATUS_NOT_FOUND=3 STATUS_EXPIRED_SCHEMA=4 STATUS_INTERNAL_ERROR=5 STATUS_DISK_FULL=6 STATUS_VERSION_UNSUPPORTED=7 STATUS_VERSION_DEPRECATED=8 STATUS_METADATA_REQUIRED=9 STATUS_SCHEMA_NOT_APPLIED=10
package banyandb.measure.v1
DataPoint: 1 timestamp Timestamp; 2 tag_families banyandb.model.v1.TagFamily*; 3 fields DataPoint.Field*; 4 sid uint64; 5 version int64
DataPoint.Field: 1 name string; 2 value banyandb.model.v1.FieldValue
QueryResponse: 1 data_points DataPoint*; 50 group_statuses map<string,banyandb.model.v1.Status>
QueryRequest: 1 groups string*; 2 name string; 3 time_range banyandb.model.v1.TimeRange; 4 criteria banyandb.model.v1.Criteria; 5 tag_projection banyandb.model.v1.TagProjection; 6 field_projection QueryRequest.FieldProjection; 7 group_by QueryRequest.GroupBy; 8 agg QueryRequest.Aggregation; 9 top QueryRequest.Top; 10 offset uint32; 11 limit uint32; 12 order_by banyandb.model.v1.QueryOrder; 13 trace bool; 14 stages string*; 15 rewrite_agg_top_n_result bool; 50 group_mod_revisions map<string,int64>
QueryRequest.FieldProjection: 1 names string*
QueryRequest.GroupBy: 1 tag_projection banyandb.model.v1.TagProjection; 2 field_name string
QueryRequest.Aggregation: 1 function banyandb.model.v1.AggregationFunction; 2 field_name string
QueryRequest.Top: 1 number int32; 2 field_name string; 3 field_value_sort banyandb.model.v1.Sort
TopNList: 1 timestamp Timestamp; 2 items TopNList.Item*
TopNList.Item: 1 entity banyandb.model.v1.Tag*; 2 value banyandb.model.v1.FieldValue; 3 version int64; 4 timestamp Timestamp
TopNResponse: 1 lists TopNList*
TopNRequest: 1 groups string*; 2 name string; 3 time_range banyandb.model.v1.TimeRange; 4 top_n int32; 5 agg banyandb.model.v1.AggregationFunction; 6 conditions banyandb.model.v1.Condition*; 7 field_value_sort banyandb.model.v1.Sort; 8 trace bool; 9 stages string*
TagFamilySpec: 1 name string; 2 tag_names string*
DataPointSpec: 1 tag_family_spec TagFamilySpec*; 2 field_names string*
DataPointValue: 1 timestamp Timestamp; 2 tag_families banyandb.model.v1.TagFamilyForWrite*; 3 fields banyandb.model.v1.FieldValue*; 4 version int64
WriteRequest: 1 metadata banyandb.common.v1.Metadata; 2 data_point DataPointValue; 3 message_id uint64; 4 data_point_spec DataPointSpec
WriteResponse: 1 message_id uint64; 2 status string; 3 metadata banyandb.common.v1.Metadata
package banyandb.stream.v1
Element: 1 element_id string; 2 timestamp Timestamp; 3 tag_families banyandb.model.v1.TagFamily*
QueryResponse: 1 elements Element*; 50 group_statuses map<string,banyandb.model.v1.Status>
QueryRequest: 1 groups string*; 2 name string; 3 time_range banyandb.model.v1.TimeRange; 4 offset uint32; 5 limit uint32; 6 order_by banyandb.model.v1.QueryOrder; 7 criteria banyandb.model.v1.Criteria; 8 projection banyandb.model.v1.TagProjection; 9 trace bool; 10 stages string*; 50 group_mod_revisions map<string,int64>
TagFamilySpec: 1 name string; 2 tag_names string*
ElementValue: 1 element_id string; 2 timestamp Timestamp; 3 tag_families banyandb.model.v1.TagFamilyForWrite*
WriteRequest: 1 metadata banyandb.common.v1.Metadata; 2 element ElementValue; 3 message_id uint64; 4 tag_family_spec TagFamilySpec*
WriteResponse: 1 message_id uint64; 2 status string; 3 metadata banyandb.common.v1.Metadata
package banyandb.trace.v1
Span: 1 tags banyandb.model.v1.Tag*; 2 span bytes; 3 span_id string
Trace: 1 spans Span*; 2 trace_id string
QueryResponse: 1 traces Trace*; 50 group_statuses map<string,banyandb.model.v1.Status>
QueryRequest: 1 groups string*; 2 name string; 3 time_range banyandb.model.v1.TimeRange; 4 offset uint32; 5 limit uint32; 6 order_by banyandb.model.v1.QueryOrder; 7 criteria banyandb.model.v1.Criteria; 8 tag_projection string*; 9 trace bool; 10 stages string*; 50 group_mod_revisions map<string,int64>
TagSpec: 1 tag_names string*
WriteRequest: 1 metadata banyandb.common.v1.Metadata; 2 tags banyandb.model.v1.TagValue*; 3 span bytes; 4 version uint64; 5 tag_spec TagSpec
WriteResponse: 1 metadata banyandb.common.v1.Metadata; 2 version uint64; 3 status string
package banyandb.database.v1
enum TagType: TAG_TYPE_UNSPECIFIED=0 TAG_TYPE_STRING=1 TAG_TYPE_INT=2 TAG_TYPE_STRING_ARRAY=3 TAG_TYPE_INT_ARRAY=4 TAG_TYPE_DATA_BINARY=5 TAG_TYPE_TIMESTAMP=6
TagFamilySpec: 1 name string; 2 tags TagSpec*
TagSpec: 1 name string; 2 type TagType
Stream: 1 metadata banyandb.common.v1.Metadata; 2 tag_families TagFamilySpec*; 3 entity Entity; 4 updated_at Timestamp; 5 created_at Timestamp
Entity: 1 tag_names string*
ShardingKey: 1 tag_names string*
enum FieldType: FIELD_TYPE_UNSPECIFIED=0 FIELD_TYPE_STRING=1 FIELD_TYPE_INT=2 FIELD_TYPE_DATA_BINARY=3 FIELD_TYPE_FLOAT=4
enum EncodingMethod: ENCODING_METHOD_UNSPECIFIED=0 ENCODING_METHOD_GORILLA=1
enum CompressionMethod: COMPRESSION_METHOD_UNSPECIFIED=0 COMPRESSION_METHOD_ZSTD=1
FieldSpec: 1 name string; 2 field_type FieldType; 3 encoding_method EncodingMethod; 4 compression_method CompressionMethod
Measure: 1 metadata banyandb.common.v1.Metadata; 2 tag_families TagFamilySpec*; 3 fields FieldSpec*; 4 entity Entity; 5 interval string; 6 updated_at Timestamp; 7 index_mode bool; 8 sharding_key ShardingKey; 9 created_at Timestamp
TopNAggregation: 1 metadata banyandb.common.v1.Metadata; 2 source_measure banyandb.common.v1.Metadata; 3 field_name string; 4 field_value_sort banyandb.model.v1.Sort; 5 group_by_tag_names string*; 6 criteria banyandb.model.v1.Criteria; 7 counters_number int32; 8 lru_size int32; 9 updated_at Timestamp; 10 created_at Timestamp
IndexRule: 1 metadata banyandb.common.v1.Metadata; 2 tags string*; 3 type IndexRule.Type; 4 updated_at Timestamp; 5 analyzer string; 6 no_sort bool; 7 created_at Timestamp
enum IndexRule.Type: TYPE_UNSPECIFIED=0 TYPE_INVERTED=1 TYPE_SKIPPING=2 TYPE_TREE=3
Subject: 1 catalog banyandb.common.v1.Catalog; 2 name string
IndexRuleBinding: 1 metadata banyandb.common.v1.Metadata; 2 rules string*; 3 subject Subject; 4 begin_at Timestamp; 5 expire_at Timestamp; 6 updated_at Timestamp; 7 created_at Timestamp
TraceTagSpec: 1 name string; 2 type TagType
Trace: 1 metadata banyandb.common.v1.Metadata; 2 tags TraceTagSpec*; 3 trace_id_tag_name string; 4 timestamp_tag_name string; 5 updated_at Timestamp; 6 span_id_tag_name string; 7 created_at Timestamp
package grpc.health.v1
HealthCheckRequest: 1 service string
HealthCheckResponse: 1 status HealthCheckResponse.ServingStatus
enum HealthCheckResponse.ServingStatus: UNKNOWN=0 SERVING=1 NOT_SERVING=2 SERVICE_UNKNOWN=3
package skywalking.v3
SpanWrapper: 1 span bytes; 2 source SpanWrapper.Source
enum SpanWrapper.Source: SKYWALKING=0 SKYWALKING_EVENT=1 ZIPKIN=2 ZIPKIN_EVENT=3
SegmentObject: 1 traceId string; 2 traceSegmentId string; 3 spans SpanObject*; 4 service string; 5 serviceInstance string; 6 isSizeLimited bool
SpanObject: 1 spanId int32; 2 parentSpanId int32; 3 startTime int64; 4 endTime int64; 5 refs SegmentReference*; 6 operationName string; 7 peer string; 8 spanType SpanType; 9 spanLayer SpanLayer; 10 componentId int32; 11 isError bool; 12 tags KeyStringValuePair*; 13 logs Log*; 14 skipAnalysis bool
enum SpanType: Entry=0 Exit=1 Local=2
enum SpanLayer: Unknown=0 Database=1 RPCFramework=2 Http=3 MQ=4 Cache=5 FAAS=6 GenAI=7
SegmentReference: 1 refType RefType; 2 traceId string; 3 parentTraceSegmentId string; 4 parentSpanId int32; 5 parentService string; 6 parentServiceInstance string; 7 parentEndpoint string; 8 networkAddressUsedAtPeer string
enum RefType: CrossProcess=0 CrossThread=1
Log: 1 time int64; 2 data KeyStringValuePair*
KeyStringValuePair: 1 key string; 2 value string
KeyIntValuePair: 1 key string; 2 value int64
SpanAttachedEvent: 1 startTime Instant; 2 event string; 3 endTime Instant; 4 tags KeyStringValuePair*; 5 summary KeyIntValuePair*; 6 traceContext SpanAttachedEvent.SpanReference
SpanAttachedEvent.SpanReference: 1 type SpanAttachedEvent.SpanReference.SpanReferenceType; 2 traceId string; 3 traceSegmentId string; 4 spanId string
enum SpanAttachedEvent.SpanReference.SpanReferenceType: SKYWALKING=0 ZIPKIN=1
Instant: 1 seconds int64; 2 nanos int32
package zipkin.proto3
ListOfSpans: 1 spans Span*
Span: 1 trace_id bytes; 2 parent_id bytes; 3 id bytes; 4 kind Span.Kind; 5 name string; 6 timestamp fixed64; 7 duration uint64; 8 local_endpoint Endpoint; 9 remote_endpoint Endpoint; 10 annotations Annotation*; 11 tags map<string,string>; 12 debug bool; 13 shared bool
enum Span.Kind: SPAN_KIND_UNSPECIFIED=0 CLIENT=1 SERVER=2 PRODUCER=3 CONSUMER=4
Endpoint: 1 service_name string; 2 ipv4 bytes; 3 ipv6 bytes; 4 port int32
Annotation: 1 timestamp fixed64; 2 value string
`;

// Generated from the .proto files of this folder by scripts/generate-proto.mjs. Do not edit.

export const descriptor: object = {
  "nested": {
    "banyandb": {
      "nested": {
        "common": {
          "nested": {
            "v1": {
              "nested": {
                "Service": {
                  "methods": {
                    "GetAPIVersion": {
                      "requestType": "GetAPIVersionRequest",
                      "responseType": "GetAPIVersionResponse"
                    }
                  }
                },
                "APIVersion": {
                  "fields": {
                    "version": {
                      "type": "string",
                      "id": 1
                    },
                    "revision": {
                      "type": "string",
                      "id": 2
                    }
                  }
                },
                "GetAPIVersionRequest": {
                  "fields": {}
                },
                "GetAPIVersionResponse": {
                  "fields": {
                    "version": {
                      "type": "APIVersion",
                      "id": 1
                    }
                  }
                },
                "Catalog": {
                  "values": {
                    "CATALOG_UNSPECIFIED": 0,
                    "CATALOG_STREAM": 1,
                    "CATALOG_MEASURE": 2,
                    "CATALOG_PROPERTY": 3,
                    "CATALOG_TRACE": 4
                  }
                },
                "Metadata": {
                  "fields": {
                    "group": {
                      "type": "string",
                      "id": 1
                    },
                    "name": {
                      "type": "string",
                      "id": 2
                    },
                    "id": {
                      "type": "uint32",
                      "id": 3
                    },
                    "create_revision": {
                      "type": "int64",
                      "id": 4
                    },
                    "mod_revision": {
                      "type": "int64",
                      "id": 5
                    }
                  }
                },
                "IntervalRule": {
                  "fields": {
                    "unit": {
                      "type": "Unit",
                      "id": 1
                    },
                    "num": {
                      "type": "uint32",
                      "id": 2
                    }
                  },
                  "nested": {
                    "Unit": {
                      "values": {
                        "UNIT_UNSPECIFIED": 0,
                        "UNIT_HOUR": 1,
                        "UNIT_DAY": 2
                      }
                    }
                  }
                },
                "LifecycleStage": {
                  "fields": {
                    "name": {
                      "type": "string",
                      "id": 1
                    },
                    "shard_num": {
                      "type": "uint32",
                      "id": 2
                    },
                    "segment_interval": {
                      "type": "IntervalRule",
                      "id": 3
                    },
                    "ttl": {
                      "type": "IntervalRule",
                      "id": 4
                    },
                    "node_selector": {
                      "type": "string",
                      "id": 5
                    },
                    "close": {
                      "type": "bool",
                      "id": 6
                    },
                    "replicas": {
                      "type": "uint32",
                      "id": 7
                    }
                  }
                },
                "ResourceOpts": {
                  "fields": {
                    "shard_num": {
                      "type": "uint32",
                      "id": 1
                    },
                    "segment_interval": {
                      "type": "IntervalRule",
                      "id": 2
                    },
                    "ttl": {
                      "type": "IntervalRule",
                      "id": 3
                    },
                    "stages": {
                      "rule": "repeated",
                      "type": "LifecycleStage",
                      "id": 4
                    },
                    "default_stages": {
                      "rule": "repeated",
                      "type": "string",
                      "id": 5
                    },
                    "replicas": {
                      "type": "uint32",
                      "id": 6
                    }
                  }
                },
                "Group": {
                  "fields": {
                    "metadata": {
                      "type": "Metadata",
                      "id": 1
                    },
                    "catalog": {
                      "type": "Catalog",
                      "id": 2
                    },
                    "resource_opts": {
                      "type": "ResourceOpts",
                      "id": 3
                    },
                    "updated_at": {
                      "type": "google.protobuf.Timestamp",
                      "id": 4
                    },
                    "created_at": {
                      "type": "google.protobuf.Timestamp",
                      "id": 5
                    }
                  }
                }
              }
            }
          }
        },
        "database": {
          "nested": {
            "v1": {
              "nested": {
                "TagType": {
                  "values": {
                    "TAG_TYPE_UNSPECIFIED": 0,
                    "TAG_TYPE_STRING": 1,
                    "TAG_TYPE_INT": 2,
                    "TAG_TYPE_STRING_ARRAY": 3,
                    "TAG_TYPE_INT_ARRAY": 4,
                    "TAG_TYPE_DATA_BINARY": 5,
                    "TAG_TYPE_TIMESTAMP": 6
                  }
                },
                "TagFamilySpec": {
                  "fields": {
                    "name": {
                      "type": "string",
                      "id": 1
                    },
                    "tags": {
                      "rule": "repeated",
                      "type": "TagSpec",
                      "id": 2
                    }
                  }
                },
                "TagSpec": {
                  "fields": {
                    "name": {
                      "type": "string",
                      "id": 1
                    },
                    "type": {
                      "type": "TagType",
                      "id": 2
                    }
                  }
                },
                "Entity": {
                  "fields": {
                    "tag_names": {
                      "rule": "repeated",
                      "type": "string",
                      "id": 1
                    }
                  }
                },
                "ShardingKey": {
                  "fields": {
                    "tag_names": {
                      "rule": "repeated",
                      "type": "string",
                      "id": 1
                    }
                  }
                },
                "Stream": {
                  "fields": {
                    "metadata": {
                      "type": "common.v1.Metadata",
                      "id": 1
                    },
                    "tag_families": {
                      "rule": "repeated",
                      "type": "TagFamilySpec",
                      "id": 2
                    },
                    "entity": {
                      "type": "Entity",
                      "id": 3
                    },
                    "updated_at": {
                      "type": "google.protobuf.Timestamp",
                      "id": 4
                    },
                    "created_at": {
                      "type": "google.protobuf.Timestamp",
                      "id": 5
                    }
                  }
                },
                "FieldType": {
                  "values": {
                    "FIELD_TYPE_UNSPECIFIED": 0,
                    "FIELD_TYPE_STRING": 1,
                    "FIELD_TYPE_INT": 2,
                    "FIELD_TYPE_DATA_BINARY": 3,
                    "FIELD_TYPE_FLOAT": 4
                  }
                },
                "EncodingMethod": {
                  "values": {
                    "ENCODING_METHOD_UNSPECIFIED": 0,
                    "ENCODING_METHOD_GORILLA": 1
                  }
                },
                "CompressionMethod": {
                  "values": {
                    "COMPRESSION_METHOD_UNSPECIFIED": 0,
                    "COMPRESSION_METHOD_ZSTD": 1
                  }
                },
                "FieldSpec": {
                  "fields": {
                    "name": {
                      "type": "string",
                      "id": 1
                    },
                    "field_type": {
                      "type": "FieldType",
                      "id": 2
                    },
                    "encoding_method": {
                      "type": "EncodingMethod",
                      "id": 3
                    },
                    "compression_method": {
                      "type": "CompressionMethod",
                      "id": 4
                    }
                  }
                },
                "Measure": {
                  "fields": {
                    "metadata": {
                      "type": "common.v1.Metadata",
                      "id": 1
                    },
                    "tag_families": {
                      "rule": "repeated",
                      "type": "TagFamilySpec",
                      "id": 2
                    },
                    "fields": {
                      "rule": "repeated",
                      "type": "FieldSpec",
                      "id": 3
                    },
                    "entity": {
                      "type": "Entity",
                      "id": 4
                    },
                    "interval": {
                      "type": "string",
                      "id": 5
                    },
                    "updated_at": {
                      "type": "google.protobuf.Timestamp",
                      "id": 6
                    },
                    "index_mode": {
                      "type": "bool",
                      "id": 7
                    },
                    "sharding_key": {
                      "type": "ShardingKey",
                      "id": 8
                    },
                    "created_at": {
                      "type": "google.protobuf.Timestamp",
                      "id": 9
                    }
                  }
                },
                "TopNAggregation": {
                  "fields": {
                    "metadata": {
                      "type": "common.v1.Metadata",
                      "id": 1
                    },
                    "source_measure": {
                      "type": "common.v1.Metadata",
                      "id": 2
                    },
                    "field_name": {
                      "type": "string",
                      "id": 3
                    },
                    "field_value_sort": {
                      "type": "model.v1.Sort",
                      "id": 4
                    },
                    "group_by_tag_names": {
                      "rule": "repeated",
                      "type": "string",
                      "id": 5
                    },
                    "criteria": {
                      "type": "model.v1.Criteria",
                      "id": 6
                    },
                    "counters_number": {
                      "type": "int32",
                      "id": 7
                    },
                    "lru_size": {
                      "type": "int32",
                      "id": 8
                    },
                    "updated_at": {
                      "type": "google.protobuf.Timestamp",
                      "id": 9
                    },
                    "created_at": {
                      "type": "google.protobuf.Timestamp",
                      "id": 10
                    }
                  }
                },
                "IndexRule": {
                  "fields": {
                    "metadata": {
                      "type": "common.v1.Metadata",
                      "id": 1
                    },
                    "tags": {
                      "rule": "repeated",
                      "type": "string",
                      "id": 2
                    },
                    "type": {
                      "type": "Type",
                      "id": 3
                    },
                    "updated_at": {
                      "type": "google.protobuf.Timestamp",
                      "id": 4
                    },
                    "analyzer": {
                      "type": "string",
                      "id": 5
                    },
                    "no_sort": {
                      "type": "bool",
                      "id": 6
                    },
                    "created_at": {
                      "type": "google.protobuf.Timestamp",
                      "id": 7
                    }
                  },
                  "nested": {
                    "Type": {
                      "values": {
                        "TYPE_UNSPECIFIED": 0,
                        "TYPE_INVERTED": 1,
                        "TYPE_SKIPPING": 2,
                        "TYPE_TREE": 3
                      }
                    }
                  }
                },
                "Subject": {
                  "fields": {
                    "catalog": {
                      "type": "common.v1.Catalog",
                      "id": 1
                    },
                    "name": {
                      "type": "string",
                      "id": 2
                    }
                  }
                },
                "IndexRuleBinding": {
                  "fields": {
                    "metadata": {
                      "type": "common.v1.Metadata",
                      "id": 1
                    },
                    "rules": {
                      "rule": "repeated",
                      "type": "string",
                      "id": 2
                    },
                    "subject": {
                      "type": "Subject",
                      "id": 3
                    },
                    "begin_at": {
                      "type": "google.protobuf.Timestamp",
                      "id": 4
                    },
                    "expire_at": {
                      "type": "google.protobuf.Timestamp",
                      "id": 5
                    },
                    "updated_at": {
                      "type": "google.protobuf.Timestamp",
                      "id": 6
                    },
                    "created_at": {
                      "type": "google.protobuf.Timestamp",
                      "id": 7
                    }
                  }
                },
                "TraceTagSpec": {
                  "fields": {
                    "name": {
                      "type": "string",
                      "id": 1
                    },
                    "type": {
                      "type": "TagType",
                      "id": 2
                    }
                  }
                },
                "Trace": {
                  "fields": {
                    "metadata": {
                      "type": "common.v1.Metadata",
                      "id": 1
                    },
                    "tags": {
                      "rule": "repeated",
                      "type": "TraceTagSpec",
                      "id": 2
                    },
                    "trace_id_tag_name": {
                      "type": "string",
                      "id": 3
                    },
                    "timestamp_tag_name": {
                      "type": "string",
                      "id": 4
                    },
                    "updated_at": {
                      "type": "google.protobuf.Timestamp",
                      "id": 5
                    },
                    "span_id_tag_name": {
                      "type": "string",
                      "id": 6
                    },
                    "created_at": {
                      "type": "google.protobuf.Timestamp",
                      "id": 7
                    }
                  }
                },
                "GroupRegistryService": {
                  "methods": {
                    "Create": {
                      "requestType": "GroupRegistryServiceCreateRequest",
                      "responseType": "GroupRegistryServiceCreateResponse"
                    },
                    "Delete": {
                      "requestType": "GroupRegistryServiceDeleteRequest",
                      "responseType": "GroupRegistryServiceDeleteResponse"
                    },
                    "Get": {
                      "requestType": "GroupRegistryServiceGetRequest",
                      "responseType": "GroupRegistryServiceGetResponse"
                    },
                    "List": {
                      "requestType": "GroupRegistryServiceListRequest",
                      "responseType": "GroupRegistryServiceListResponse"
                    },
                    "Exist": {
                      "requestType": "GroupRegistryServiceExistRequest",
                      "responseType": "GroupRegistryServiceExistResponse"
                    }
                  }
                },
                "GroupRegistryServiceCreateRequest": {
                  "fields": {
                    "group": {
                      "type": "common.v1.Group",
                      "id": 1
                    }
                  }
                },
                "GroupRegistryServiceCreateResponse": {
                  "fields": {
                    "mod_revision": {
                      "type": "int64",
                      "id": 1
                    }
                  }
                },
                "GroupRegistryServiceDeleteRequest": {
                  "fields": {
                    "group": {
                      "type": "string",
                      "id": 1
                    }
                  }
                },
                "GroupRegistryServiceDeleteResponse": {
                  "fields": {
                    "deleted": {
                      "type": "bool",
                      "id": 1
                    }
                  }
                },
                "GroupRegistryServiceGetRequest": {
                  "fields": {
                    "group": {
                      "type": "string",
                      "id": 1
                    }
                  }
                },
                "GroupRegistryServiceGetResponse": {
                  "fields": {
                    "group": {
                      "type": "common.v1.Group",
                      "id": 1
                    }
                  }
                },
                "GroupRegistryServiceListRequest": {
                  "fields": {}
                },
                "GroupRegistryServiceListResponse": {
                  "fields": {
                    "group": {
                      "rule": "repeated",
                      "type": "common.v1.Group",
                      "id": 1
                    }
                  }
                },
                "GroupRegistryServiceExistRequest": {
                  "fields": {
                    "group": {
                      "type": "string",
                      "id": 1
                    }
                  }
                },
                "GroupRegistryServiceExistResponse": {
                  "fields": {
                    "has_group": {
                      "type": "bool",
                      "id": 1
                    }
                  }
                },
                "StreamRegistryService": {
                  "methods": {
                    "Create": {
                      "requestType": "StreamRegistryServiceCreateRequest",
                      "responseType": "StreamRegistryServiceCreateResponse"
                    },
                    "Delete": {
                      "requestType": "StreamRegistryServiceDeleteRequest",
                      "responseType": "StreamRegistryServiceDeleteResponse"
                    },
                    "Get": {
                      "requestType": "StreamRegistryServiceGetRequest",
                      "responseType": "StreamRegistryServiceGetResponse"
                    },
                    "List": {
                      "requestType": "StreamRegistryServiceListRequest",
                      "responseType": "StreamRegistryServiceListResponse"
                    },
                    "Exist": {
                      "requestType": "StreamRegistryServiceExistRequest",
                      "responseType": "StreamRegistryServiceExistResponse"
                    }
                  }
                },
                "StreamRegistryServiceCreateRequest": {
                  "fields": {
                    "stream": {
                      "type": "Stream",
                      "id": 1
                    }
                  }
                },
                "StreamRegistryServiceCreateResponse": {
                  "fields": {
                    "mod_revision": {
                      "type": "int64",
                      "id": 1
                    }
                  }
                },
                "StreamRegistryServiceDeleteRequest": {
                  "fields": {
                    "metadata": {
                      "type": "common.v1.Metadata",
                      "id": 1
                    }
                  }
                },
                "StreamRegistryServiceDeleteResponse": {
                  "fields": {
                    "deleted": {
                      "type": "bool",
                      "id": 1
                    }
                  }
                },
                "StreamRegistryServiceGetRequest": {
                  "fields": {
                    "metadata": {
                      "type": "common.v1.Metadata",
                      "id": 1
                    }
                  }
                },
                "StreamRegistryServiceGetResponse": {
                  "fields": {
                    "stream": {
                      "type": "Stream",
                      "id": 1
                    }
                  }
                },
                "StreamRegistryServiceListRequest": {
                  "fields": {
                    "group": {
                      "type": "string",
                      "id": 1
                    }
                  }
                },
                "StreamRegistryServiceListResponse": {
                  "fields": {
                    "stream": {
                      "rule": "repeated",
                      "type": "Stream",
                      "id": 1
                    }
                  }
                },
                "StreamRegistryServiceExistRequest": {
                  "fields": {
                    "metadata": {
                      "type": "common.v1.Metadata",
                      "id": 1
                    }
                  }
                },
                "StreamRegistryServiceExistResponse": {
                  "fields": {
                    "has_group": {
                      "type": "bool",
                      "id": 1
                    },
                    "has_stream": {
                      "type": "bool",
                      "id": 2
                    }
                  }
                },
                "MeasureRegistryService": {
                  "methods": {
                    "Create": {
                      "requestType": "MeasureRegistryServiceCreateRequest",
                      "responseType": "MeasureRegistryServiceCreateResponse"
                    },
                    "Delete": {
                      "requestType": "MeasureRegistryServiceDeleteRequest",
                      "responseType": "MeasureRegistryServiceDeleteResponse"
                    },
                    "Get": {
                      "requestType": "MeasureRegistryServiceGetRequest",
                      "responseType": "MeasureRegistryServiceGetResponse"
                    },
                    "List": {
                      "requestType": "MeasureRegistryServiceListRequest",
                      "responseType": "MeasureRegistryServiceListResponse"
                    },
                    "Exist": {
                      "requestType": "MeasureRegistryServiceExistRequest",
                      "responseType": "MeasureRegistryServiceExistResponse"
                    }
                  }
                },
                "MeasureRegistryServiceCreateRequest": {
                  "fields": {
                    "measure": {
                      "type": "Measure",
                      "id": 1
                    }
                  }
                },
                "MeasureRegistryServiceCreateResponse": {
                  "fields": {
                    "mod_revision": {
                      "type": "int64",
                      "id": 1
                    }
                  }
                },
                "MeasureRegistryServiceDeleteRequest": {
                  "fields": {
                    "metadata": {
                      "type": "common.v1.Metadata",
                      "id": 1
                    }
                  }
                },
                "MeasureRegistryServiceDeleteResponse": {
                  "fields": {
                    "deleted": {
                      "type": "bool",
                      "id": 1
                    }
                  }
                },
                "MeasureRegistryServiceGetRequest": {
                  "fields": {
                    "metadata": {
                      "type": "common.v1.Metadata",
                      "id": 1
                    }
                  }
                },
                "MeasureRegistryServiceGetResponse": {
                  "fields": {
                    "measure": {
                      "type": "Measure",
                      "id": 1
                    }
                  }
                },
                "MeasureRegistryServiceListRequest": {
                  "fields": {
                    "group": {
                      "type": "string",
                      "id": 1
                    }
                  }
                },
                "MeasureRegistryServiceListResponse": {
                  "fields": {
                    "measure": {
                      "rule": "repeated",
                      "type": "Measure",
                      "id": 1
                    }
                  }
                },
                "MeasureRegistryServiceExistRequest": {
                  "fields": {
                    "metadata": {
                      "type": "common.v1.Metadata",
                      "id": 1
                    }
                  }
                },
                "MeasureRegistryServiceExistResponse": {
                  "fields": {
                    "has_group": {
                      "type": "bool",
                      "id": 1
                    },
                    "has_measure": {
                      "type": "bool",
                      "id": 2
                    }
                  }
                },
                "TraceRegistryService": {
                  "methods": {
                    "Create": {
                      "requestType": "TraceRegistryServiceCreateRequest",
                      "responseType": "TraceRegistryServiceCreateResponse"
                    },
                    "Delete": {
                      "requestType": "TraceRegistryServiceDeleteRequest",
                      "responseType": "TraceRegistryServiceDeleteResponse"
                    },
                    "Get": {
                      "requestType": "TraceRegistryServiceGetRequest",
                      "responseType": "TraceRegistryServiceGetResponse"
                    },
                    "List": {
                      "requestType": "TraceRegistryServiceListRequest",
                      "responseType": "TraceRegistryServiceListResponse"
                    },
                    "Exist": {
                      "requestType": "TraceRegistryServiceExistRequest",
                      "responseType": "TraceRegistryServiceExistResponse"
                    }
                  }
                },
                "TraceRegistryServiceCreateRequest": {
                  "fields": {
                    "trace": {
                      "type": "Trace",
                      "id": 1
                    }
                  }
                },
                "TraceRegistryServiceCreateResponse": {
                  "fields": {
                    "mod_revision": {
                      "type": "int64",
                      "id": 1
                    }
                  }
                },
                "TraceRegistryServiceDeleteRequest": {
                  "fields": {
                    "metadata": {
                      "type": "common.v1.Metadata",
                      "id": 1
                    }
                  }
                },
                "TraceRegistryServiceDeleteResponse": {
                  "fields": {
                    "deleted": {
                      "type": "bool",
                      "id": 1
                    }
                  }
                },
                "TraceRegistryServiceGetRequest": {
                  "fields": {
                    "metadata": {
                      "type": "common.v1.Metadata",
                      "id": 1
                    }
                  }
                },
                "TraceRegistryServiceGetResponse": {
                  "fields": {
                    "trace": {
                      "type": "Trace",
                      "id": 1
                    }
                  }
                },
                "TraceRegistryServiceListRequest": {
                  "fields": {
                    "group": {
                      "type": "string",
                      "id": 1
                    }
                  }
                },
                "TraceRegistryServiceListResponse": {
                  "fields": {
                    "trace": {
                      "rule": "repeated",
                      "type": "Trace",
                      "id": 1
                    }
                  }
                },
                "TraceRegistryServiceExistRequest": {
                  "fields": {
                    "metadata": {
                      "type": "common.v1.Metadata",
                      "id": 1
                    }
                  }
                },
                "TraceRegistryServiceExistResponse": {
                  "fields": {
                    "has_group": {
                      "type": "bool",
                      "id": 1
                    },
                    "has_trace": {
                      "type": "bool",
                      "id": 2
                    }
                  }
                },
                "IndexRuleRegistryService": {
                  "methods": {
                    "Create": {
                      "requestType": "IndexRuleRegistryServiceCreateRequest",
                      "responseType": "IndexRuleRegistryServiceCreateResponse"
                    },
                    "Delete": {
                      "requestType": "IndexRuleRegistryServiceDeleteRequest",
                      "responseType": "IndexRuleRegistryServiceDeleteResponse"
                    },
                    "Get": {
                      "requestType": "IndexRuleRegistryServiceGetRequest",
                      "responseType": "IndexRuleRegistryServiceGetResponse"
                    },
                    "List": {
                      "requestType": "IndexRuleRegistryServiceListRequest",
                      "responseType": "IndexRuleRegistryServiceListResponse"
                    },
                    "Exist": {
                      "requestType": "IndexRuleRegistryServiceExistRequest",
                      "responseType": "IndexRuleRegistryServiceExistResponse"
                    }
                  }
                },
                "IndexRuleRegistryServiceCreateRequest": {
                  "fields": {
                    "index_rule": {
                      "type": "IndexRule",
                      "id": 1
                    }
                  }
                },
                "IndexRuleRegistryServiceCreateResponse": {
                  "fields": {
                    "mod_revision": {
                      "type": "int64",
                      "id": 1
                    }
                  }
                },
                "IndexRuleRegistryServiceDeleteRequest": {
                  "fields": {
                    "metadata": {
                      "type": "common.v1.Metadata",
                      "id": 1
                    }
                  }
                },
                "IndexRuleRegistryServiceDeleteResponse": {
                  "fields": {
                    "deleted": {
                      "type": "bool",
                      "id": 1
                    }
                  }
                },
                "IndexRuleRegistryServiceGetRequest": {
                  "fields": {
                    "metadata": {
                      "type": "common.v1.Metadata",
                      "id": 1
                    }
                  }
                },
                "IndexRuleRegistryServiceGetResponse": {
                  "fields": {
                    "index_rule": {
                      "type": "IndexRule",
                      "id": 1
                    }
                  }
                },
                "IndexRuleRegistryServiceListRequest": {
                  "fields": {
                    "group": {
                      "type": "string",
                      "id": 1
                    }
                  }
                },
                "IndexRuleRegistryServiceListResponse": {
                  "fields": {
                    "index_rule": {
                      "rule": "repeated",
                      "type": "IndexRule",
                      "id": 1
                    }
                  }
                },
                "IndexRuleRegistryServiceExistRequest": {
                  "fields": {
                    "metadata": {
                      "type": "common.v1.Metadata",
                      "id": 1
                    }
                  }
                },
                "IndexRuleRegistryServiceExistResponse": {
                  "fields": {
                    "has_group": {
                      "type": "bool",
                      "id": 1
                    },
                    "has_index_rule": {
                      "type": "bool",
                      "id": 2
                    }
                  }
                },
                "IndexRuleBindingRegistryService": {
                  "methods": {
                    "Create": {
                      "requestType": "IndexRuleBindingRegistryServiceCreateRequest",
                      "responseType": "IndexRuleBindingRegistryServiceCreateResponse"
                    },
                    "Delete": {
                      "requestType": "IndexRuleBindingRegistryServiceDeleteRequest",
                      "responseType": "IndexRuleBindingRegistryServiceDeleteResponse"
                    },
                    "Get": {
                      "requestType": "IndexRuleBindingRegistryServiceGetRequest",
                      "responseType": "IndexRuleBindingRegistryServiceGetResponse"
                    },
                    "List": {
                      "requestType": "IndexRuleBindingRegistryServiceListRequest",
                      "responseType": "IndexRuleBindingRegistryServiceListResponse"
                    },
                    "Exist": {
                      "requestType": "IndexRuleBindingRegistryServiceExistRequest",
                      "responseType": "IndexRuleBindingRegistryServiceExistResponse"
                    }
                  }
                },
                "IndexRuleBindingRegistryServiceCreateRequest": {
                  "fields": {
                    "index_rule_binding": {
                      "type": "IndexRuleBinding",
                      "id": 1
                    }
                  }
                },
                "IndexRuleBindingRegistryServiceCreateResponse": {
                  "fields": {
                    "mod_revision": {
                      "type": "int64",
                      "id": 1
                    }
                  }
                },
                "IndexRuleBindingRegistryServiceDeleteRequest": {
                  "fields": {
                    "metadata": {
                      "type": "common.v1.Metadata",
                      "id": 1
                    }
                  }
                },
                "IndexRuleBindingRegistryServiceDeleteResponse": {
                  "fields": {
                    "deleted": {
                      "type": "bool",
                      "id": 1
                    }
                  }
                },
                "IndexRuleBindingRegistryServiceGetRequest": {
                  "fields": {
                    "metadata": {
                      "type": "common.v1.Metadata",
                      "id": 1
                    }
                  }
                },
                "IndexRuleBindingRegistryServiceGetResponse": {
                  "fields": {
                    "index_rule_binding": {
                      "type": "IndexRuleBinding",
                      "id": 1
                    }
                  }
                },
                "IndexRuleBindingRegistryServiceListRequest": {
                  "fields": {
                    "group": {
                      "type": "string",
                      "id": 1
                    }
                  }
                },
                "IndexRuleBindingRegistryServiceListResponse": {
                  "fields": {
                    "index_rule_binding": {
                      "rule": "repeated",
                      "type": "IndexRuleBinding",
                      "id": 1
                    }
                  }
                },
                "IndexRuleBindingRegistryServiceExistRequest": {
                  "fields": {
                    "metadata": {
                      "type": "common.v1.Metadata",
                      "id": 1
                    }
                  }
                },
                "IndexRuleBindingRegistryServiceExistResponse": {
                  "fields": {
                    "has_group": {
                      "type": "bool",
                      "id": 1
                    },
                    "has_index_rule_binding": {
                      "type": "bool",
                      "id": 2
                    }
                  }
                },
                "TopNAggregationRegistryService": {
                  "methods": {
                    "Create": {
                      "requestType": "TopNAggregationRegistryServiceCreateRequest",
                      "responseType": "TopNAggregationRegistryServiceCreateResponse"
                    },
                    "Delete": {
                      "requestType": "TopNAggregationRegistryServiceDeleteRequest",
                      "responseType": "TopNAggregationRegistryServiceDeleteResponse"
                    },
                    "Get": {
                      "requestType": "TopNAggregationRegistryServiceGetRequest",
                      "responseType": "TopNAggregationRegistryServiceGetResponse"
                    },
                    "List": {
                      "requestType": "TopNAggregationRegistryServiceListRequest",
                      "responseType": "TopNAggregationRegistryServiceListResponse"
                    },
                    "Exist": {
                      "requestType": "TopNAggregationRegistryServiceExistRequest",
                      "responseType": "TopNAggregationRegistryServiceExistResponse"
                    }
                  }
                },
                "TopNAggregationRegistryServiceCreateRequest": {
                  "fields": {
                    "top_n_aggregation": {
                      "type": "TopNAggregation",
                      "id": 1
                    }
                  }
                },
                "TopNAggregationRegistryServiceCreateResponse": {
                  "fields": {
                    "mod_revision": {
                      "type": "int64",
                      "id": 1
                    }
                  }
                },
                "TopNAggregationRegistryServiceDeleteRequest": {
                  "fields": {
                    "metadata": {
                      "type": "common.v1.Metadata",
                      "id": 1
                    }
                  }
                },
                "TopNAggregationRegistryServiceDeleteResponse": {
                  "fields": {
                    "deleted": {
                      "type": "bool",
                      "id": 1
                    }
                  }
                },
                "TopNAggregationRegistryServiceGetRequest": {
                  "fields": {
                    "metadata": {
                      "type": "common.v1.Metadata",
                      "id": 1
                    }
                  }
                },
                "TopNAggregationRegistryServiceGetResponse": {
                  "fields": {
                    "top_n_aggregation": {
                      "type": "TopNAggregation",
                      "id": 1
                    }
                  }
                },
                "TopNAggregationRegistryServiceListRequest": {
                  "fields": {
                    "group": {
                      "type": "string",
                      "id": 1
                    }
                  }
                },
                "TopNAggregationRegistryServiceListResponse": {
                  "fields": {
                    "top_n_aggregation": {
                      "rule": "repeated",
                      "type": "TopNAggregation",
                      "id": 1
                    }
                  }
                },
                "TopNAggregationRegistryServiceExistRequest": {
                  "fields": {
                    "metadata": {
                      "type": "common.v1.Metadata",
                      "id": 1
                    }
                  }
                },
                "TopNAggregationRegistryServiceExistResponse": {
                  "fields": {
                    "has_group": {
                      "type": "bool",
                      "id": 1
                    },
                    "has_top_n_aggregation": {
                      "type": "bool",
                      "id": 2
                    }
                  }
                }
              }
            }
          }
        },
        "model": {
          "nested": {
            "v1": {
              "nested": {
                "Str": {
                  "fields": {
                    "value": {
                      "type": "string",
                      "id": 1
                    }
                  }
                },
                "Int": {
                  "fields": {
                    "value": {
                      "type": "int64",
                      "id": 1
                    }
                  }
                },
                "Float": {
                  "fields": {
                    "value": {
                      "type": "double",
                      "id": 1
                    }
                  }
                },
                "StrArray": {
                  "fields": {
                    "value": {
                      "rule": "repeated",
                      "type": "string",
                      "id": 1
                    }
                  }
                },
                "IntArray": {
                  "fields": {
                    "value": {
                      "rule": "repeated",
                      "type": "int64",
                      "id": 1
                    }
                  }
                },
                "TagValue": {
                  "oneofs": {
                    "value": {
                      "oneof": [
                        "null",
                        "str",
                        "str_array",
                        "int",
                        "int_array",
                        "binary_data",
                        "timestamp"
                      ]
                    }
                  },
                  "fields": {
                    "null": {
                      "type": "google.protobuf.NullValue",
                      "id": 1
                    },
                    "str": {
                      "type": "Str",
                      "id": 2
                    },
                    "str_array": {
                      "type": "StrArray",
                      "id": 3
                    },
                    "int": {
                      "type": "Int",
                      "id": 4
                    },
                    "int_array": {
                      "type": "IntArray",
                      "id": 5
                    },
                    "binary_data": {
                      "type": "bytes",
                      "id": 6
                    },
                    "timestamp": {
                      "type": "google.protobuf.Timestamp",
                      "id": 7
                    }
                  }
                },
                "FieldValue": {
                  "oneofs": {
                    "value": {
                      "oneof": [
                        "null",
                        "str",
                        "int",
                        "binary_data",
                        "float"
                      ]
                    }
                  },
                  "fields": {
                    "null": {
                      "type": "google.protobuf.NullValue",
                      "id": 1
                    },
                    "str": {
                      "type": "Str",
                      "id": 2
                    },
                    "int": {
                      "type": "Int",
                      "id": 3
                    },
                    "binary_data": {
                      "type": "bytes",
                      "id": 4
                    },
                    "float": {
                      "type": "Float",
                      "id": 5
                    }
                  }
                },
                "AggregationFunction": {
                  "values": {
                    "AGGREGATION_FUNCTION_UNSPECIFIED": 0,
                    "AGGREGATION_FUNCTION_MEAN": 1,
                    "AGGREGATION_FUNCTION_MAX": 2,
                    "AGGREGATION_FUNCTION_MIN": 3,
                    "AGGREGATION_FUNCTION_COUNT": 4,
                    "AGGREGATION_FUNCTION_SUM": 5
                  }
                },
                "Tag": {
                  "fields": {
                    "key": {
                      "type": "string",
                      "id": 1
                    },
                    "value": {
                      "type": "TagValue",
                      "id": 2
                    }
                  }
                },
                "TagFamily": {
                  "fields": {
                    "name": {
                      "type": "string",
                      "id": 1
                    },
                    "tags": {
                      "rule": "repeated",
                      "type": "Tag",
                      "id": 2
                    }
                  }
                },
                "TagFamilyForWrite": {
                  "fields": {
                    "tags": {
                      "rule": "repeated",
                      "type": "TagValue",
                      "id": 1
                    }
                  }
                },
                "Condition": {
                  "fields": {
                    "name": {
                      "type": "string",
                      "id": 1
                    },
                    "op": {
                      "type": "BinaryOp",
                      "id": 2
                    },
                    "value": {
                      "type": "TagValue",
                      "id": 3
                    },
                    "match_option": {
                      "type": "MatchOption",
                      "id": 4
                    }
                  },
                  "nested": {
                    "BinaryOp": {
                      "values": {
                        "BINARY_OP_UNSPECIFIED": 0,
                        "BINARY_OP_EQ": 1,
                        "BINARY_OP_NE": 2,
                        "BINARY_OP_LT": 3,
                        "BINARY_OP_GT": 4,
                        "BINARY_OP_LE": 5,
                        "BINARY_OP_GE": 6,
                        "BINARY_OP_HAVING": 7,
                        "BINARY_OP_NOT_HAVING": 8,
                        "BINARY_OP_IN": 9,
                        "BINARY_OP_NOT_IN": 10,
                        "BINARY_OP_MATCH": 11
                      }
                    },
                    "MatchOption": {
                      "fields": {
                        "analyzer": {
                          "type": "string",
                          "id": 1
                        },
                        "operator": {
                          "type": "Operator",
                          "id": 2
                        }
                      },
                      "nested": {
                        "Operator": {
                          "values": {
                            "OPERATOR_UNSPECIFIED": 0,
                            "OPERATOR_AND": 1,
                            "OPERATOR_OR": 2
                          }
                        }
                      }
                    }
                  }
                },
                "Criteria": {
                  "oneofs": {
                    "exp": {
                      "oneof": [
                        "le",
                        "condition"
                      ]
                    }
                  },
                  "fields": {
                    "le": {
                      "type": "LogicalExpression",
                      "id": 1
                    },
                    "condition": {
                      "type": "Condition",
                      "id": 2
                    }
                  }
                },
                "LogicalExpression": {
                  "fields": {
                    "op": {
                      "type": "LogicalOp",
                      "id": 1
                    },
                    "left": {
                      "type": "Criteria",
                      "id": 2
                    },
                    "right": {
                      "type": "Criteria",
                      "id": 3
                    }
                  },
                  "nested": {
                    "LogicalOp": {
                      "values": {
                        "LOGICAL_OP_UNSPECIFIED": 0,
                        "LOGICAL_OP_AND": 1,
                        "LOGICAL_OP_OR": 2
                      }
                    }
                  }
                },
                "Sort": {
                  "values": {
                    "SORT_UNSPECIFIED": 0,
                    "SORT_DESC": 1,
                    "SORT_ASC": 2
                  }
                },
                "QueryOrder": {
                  "fields": {
                    "index_rule_name": {
                      "type": "string",
                      "id": 1
                    },
                    "sort": {
                      "type": "Sort",
                      "id": 2
                    }
                  }
                },
                "TagProjection": {
                  "fields": {
                    "tag_families": {
                      "rule": "repeated",
                      "type": "TagFamily",
                      "id": 1
                    }
                  },
                  "nested": {
                    "TagFamily": {
                      "fields": {
                        "name": {
                          "type": "string",
                          "id": 1
                        },
                        "tags": {
                          "rule": "repeated",
                          "type": "string",
                          "id": 2
                        }
                      }
                    }
                  }
                },
                "TimeRange": {
                  "fields": {
                    "begin": {
                      "type": "google.protobuf.Timestamp",
                      "id": 1
                    },
                    "end": {
                      "type": "google.protobuf.Timestamp",
                      "id": 2
                    }
                  }
                },
                "Status": {
                  "values": {
                    "STATUS_UNSPECIFIED": 0,
                    "STATUS_SUCCEED": 1,
                    "STATUS_INVALID_TIMESTAMP": 2,
                    "STATUS_NOT_FOUND": 3,
                    "STATUS_EXPIRED_SCHEMA": 4,
                    "STATUS_INTERNAL_ERROR": 5,
                    "STATUS_DISK_FULL": 6,
                    "STATUS_VERSION_UNSUPPORTED": 7,
                    "STATUS_VERSION_DEPRECATED": 8,
                    "STATUS_METADATA_REQUIRED": 9,
                    "STATUS_SCHEMA_NOT_APPLIED": 10
                  }
                }
              }
            }
          }
        },
        "measure": {
          "nested": {
            "v1": {
              "nested": {
                "MeasureService": {
                  "methods": {
                    "Query": {
                      "requestType": "QueryRequest",
                      "responseType": "QueryResponse"
                    },
                    "Write": {
                      "requestType": "WriteRequest",
                      "requestStream": true,
                      "responseType": "WriteResponse",
                      "responseStream": true
                    },
                    "TopN": {
                      "requestType": "TopNRequest",
                      "responseType": "TopNResponse"
                    }
                  }
                },
                "DataPoint": {
                  "fields": {
                    "timestamp": {
                      "type": "google.protobuf.Timestamp",
                      "id": 1
                    },
                    "tag_families": {
                      "rule": "repeated",
                      "type": "model.v1.TagFamily",
                      "id": 2
                    },
                    "fields": {
                      "rule": "repeated",
                      "type": "Field",
                      "id": 3
                    },
                    "sid": {
                      "type": "uint64",
                      "id": 4
                    },
                    "version": {
                      "type": "int64",
                      "id": 5
                    }
                  },
                  "nested": {
                    "Field": {
                      "fields": {
                        "name": {
                          "type": "string",
                          "id": 1
                        },
                        "value": {
                          "type": "model.v1.FieldValue",
                          "id": 2
                        }
                      }
                    }
                  }
                },
                "QueryRequest": {
                  "fields": {
                    "groups": {
                      "rule": "repeated",
                      "type": "string",
                      "id": 1
                    },
                    "name": {
                      "type": "string",
                      "id": 2
                    },
                    "time_range": {
                      "type": "model.v1.TimeRange",
                      "id": 3
                    },
                    "criteria": {
                      "type": "model.v1.Criteria",
                      "id": 4
                    },
                    "tag_projection": {
                      "type": "model.v1.TagProjection",
                      "id": 5
                    },
                    "field_projection": {
                      "type": "FieldProjection",
                      "id": 6
                    },
                    "group_by": {
                      "type": "GroupBy",
                      "id": 7
                    },
                    "agg": {
                      "type": "Aggregation",
                      "id": 8
                    },
                    "top": {
                      "type": "Top",
                      "id": 9
                    },
                    "offset": {
                      "type": "uint32",
                      "id": 10
                    },
                    "limit": {
                      "type": "uint32",
                      "id": 11
                    },
                    "order_by": {
                      "type": "model.v1.QueryOrder",
                      "id": 12
                    },
                    "trace": {
                      "type": "bool",
                      "id": 13
                    },
                    "stages": {
                      "rule": "repeated",
                      "type": "string",
                      "id": 14
                    },
                    "rewrite_agg_top_n_result": {
                      "type": "bool",
                      "id": 15
                    },
                    "group_mod_revisions": {
                      "keyType": "string",
                      "type": "int64",
                      "id": 50
                    }
                  },
                  "nested": {
                    "FieldProjection": {
                      "fields": {
                        "names": {
                          "rule": "repeated",
                          "type": "string",
                          "id": 1
                        }
                      }
                    },
                    "GroupBy": {
                      "fields": {
                        "tag_projection": {
                          "type": "model.v1.TagProjection",
                          "id": 1
                        },
                        "field_name": {
                          "type": "string",
                          "id": 2
                        }
                      }
                    },
                    "Aggregation": {
                      "fields": {
                        "function": {
                          "type": "model.v1.AggregationFunction",
                          "id": 1
                        },
                        "field_name": {
                          "type": "string",
                          "id": 2
                        }
                      }
                    },
                    "Top": {
                      "fields": {
                        "number": {
                          "type": "int32",
                          "id": 1
                        },
                        "field_name": {
                          "type": "string",
                          "id": 2
                        },
                        "field_value_sort": {
                          "type": "model.v1.Sort",
                          "id": 3
                        }
                      }
                    }
                  }
                },
                "QueryResponse": {
                  "fields": {
                    "data_points": {
                      "rule": "repeated",
                      "type": "DataPoint",
                      "id": 1
                    },
                    "group_statuses": {
                      "keyType": "string",
                      "type": "model.v1.Status",
                      "id": 50
                    }
                  }
                },
                "TopNList": {
                  "fields": {
                    "timestamp": {
                      "type": "google.protobuf.Timestamp",
                      "id": 1
                    },
                    "items": {
                      "rule": "repeated",
                      "type": "Item",
                      "id": 2
                    }
                  },
                  "nested": {
                    "Item": {
                      "fields": {
                        "entity": {
                          "rule": "repeated",
                          "type": "model.v1.Tag",
                          "id": 1
                        },
                        "value": {
                          "type": "model.v1.FieldValue",
                          "id": 2
                        },
                        "version": {
                          "type": "int64",
                          "id": 3
                        },
                        "timestamp": {
                          "type": "google.protobuf.Timestamp",
                          "id": 4
                        }
                      }
                    }
                  }
                },
                "TopNRequest": {
                  "fields": {
                    "groups": {
                      "rule": "repeated",
                      "type": "string",
                      "id": 1
                    },
                    "name": {
                      "type": "string",
                      "id": 2
                    },
                    "time_range": {
                      "type": "model.v1.TimeRange",
                      "id": 3
                    },
                    "top_n": {
                      "type": "int32",
                      "id": 4
                    },
                    "agg": {
                      "type": "model.v1.AggregationFunction",
                      "id": 5
                    },
                    "conditions": {
                      "rule": "repeated",
                      "type": "model.v1.Condition",
                      "id": 6
                    },
                    "field_value_sort": {
                      "type": "model.v1.Sort",
                      "id": 7
                    },
                    "trace": {
                      "type": "bool",
                      "id": 8
                    },
                    "stages": {
                      "rule": "repeated",
                      "type": "string",
                      "id": 9
                    }
                  }
                },
                "TopNResponse": {
                  "fields": {
                    "lists": {
                      "rule": "repeated",
                      "type": "TopNList",
                      "id": 1
                    }
                  }
                },
                "TagFamilySpec": {
                  "fields": {
                    "name": {
                      "type": "string",
                      "id": 1
                    },
                    "tag_names": {
                      "rule": "repeated",
                      "type": "string",
                      "id": 2
                    }
                  }
                },
                "DataPointSpec": {
                  "fields": {
                    "tag_family_spec": {
                      "rule": "repeated",
                      "type": "TagFamilySpec",
                      "id": 1
                    },
                    "field_names": {
                      "rule": "repeated",
                      "type": "string",
                      "id": 2
                    }
                  }
                },
                "DataPointValue": {
                  "fields": {
                    "timestamp": {
                      "type": "google.protobuf.Timestamp",
                      "id": 1
                    },
                    "tag_families": {
                      "rule": "repeated",
                      "type": "model.v1.TagFamilyForWrite",
                      "id": 2
                    },
                    "fields": {
                      "rule": "repeated",
                      "type": "model.v1.FieldValue",
                      "id": 3
                    },
                    "version": {
                      "type": "int64",
                      "id": 4
                    }
                  }
                },
                "WriteRequest": {
                  "fields": {
                    "metadata": {
                      "type": "common.v1.Metadata",
                      "id": 1
                    },
                    "data_point": {
                      "type": "DataPointValue",
                      "id": 2
                    },
                    "message_id": {
                      "type": "uint64",
                      "id": 3
                    },
                    "data_point_spec": {
                      "type": "DataPointSpec",
                      "id": 4
                    }
                  }
                },
                "WriteResponse": {
                  "fields": {
                    "message_id": {
                      "type": "uint64",
                      "id": 1
                    },
                    "status": {
                      "type": "string",
                      "id": 2
                    },
                    "metadata": {
                      "type": "common.v1.Metadata",
                      "id": 3
                    }
                  }
                }
              }
            }
          }
        },
        "stream": {
          "nested": {
            "v1": {
              "nested": {
                "StreamService": {
                  "methods": {
                    "Query": {
                      "requestType": "QueryRequest",
                      "responseType": "QueryResponse"
                    },
                    "Write": {
                      "requestType": "WriteRequest",
                      "requestStream": true,
                      "responseType": "WriteResponse",
                      "responseStream": true
                    }
                  }
                },
                "Element": {
                  "fields": {
                    "element_id": {
                      "type": "string",
                      "id": 1
                    },
                    "timestamp": {
                      "type": "google.protobuf.Timestamp",
                      "id": 2
                    },
                    "tag_families": {
                      "rule": "repeated",
                      "type": "model.v1.TagFamily",
                      "id": 3
                    }
                  }
                },
                "QueryRequest": {
                  "fields": {
                    "groups": {
                      "rule": "repeated",
                      "type": "string",
                      "id": 1
                    },
                    "name": {
                      "type": "string",
                      "id": 2
                    },
                    "time_range": {
                      "type": "model.v1.TimeRange",
                      "id": 3
                    },
                    "offset": {
                      "type": "uint32",
                      "id": 4
                    },
                    "limit": {
                      "type": "uint32",
                      "id": 5
                    },
                    "order_by": {
                      "type": "model.v1.QueryOrder",
                      "id": 6
                    },
                    "criteria": {
                      "type": "model.v1.Criteria",
                      "id": 7
                    },
                    "projection": {
                      "type": "model.v1.TagProjection",
                      "id": 8
                    },
                    "trace": {
                      "type": "bool",
                      "id": 9
                    },
                    "stages": {
                      "rule": "repeated",
                      "type": "string",
                      "id": 10
                    },
                    "group_mod_revisions": {
                      "keyType": "string",
                      "type": "int64",
                      "id": 50
                    }
                  }
                },
                "QueryResponse": {
                  "fields": {
                    "elements": {
                      "rule": "repeated",
                      "type": "Element",
                      "id": 1
                    },
                    "group_statuses": {
                      "keyType": "string",
                      "type": "model.v1.Status",
                      "id": 50
                    }
                  }
                },
                "TagFamilySpec": {
                  "fields": {
                    "name": {
                      "type": "string",
                      "id": 1
                    },
                    "tag_names": {
                      "rule": "repeated",
                      "type": "string",
                      "id": 2
                    }
                  }
                },
                "ElementValue": {
                  "fields": {
                    "element_id": {
                      "type": "string",
                      "id": 1
                    },
                    "timestamp": {
                      "type": "google.protobuf.Timestamp",
                      "id": 2
                    },
                    "tag_families": {
                      "rule": "repeated",
                      "type": "model.v1.TagFamilyForWrite",
                      "id": 3
                    }
                  }
                },
                "WriteRequest": {
                  "fields": {
                    "metadata": {
                      "type": "common.v1.Metadata",
                      "id": 1
                    },
                    "element": {
                      "type": "ElementValue",
                      "id": 2
                    },
                    "message_id": {
                      "type": "uint64",
                      "id": 3
                    },
                    "tag_family_spec": {
                      "rule": "repeated",
                      "type": "TagFamilySpec",
                      "id": 4
                    }
                  }
                },
                "WriteResponse": {
                  "fields": {
                    "message_id": {
                      "type": "uint64",
                      "id": 1
                    },
                    "status": {
                      "type": "string",
                      "id": 2
                    },
                    "metadata": {
                      "type": "common.v1.Metadata",
                      "id": 3
                    }
                  }
                }
              }
            }
          }
        },
        "trace": {
          "nested": {
            "v1": {
              "nested": {
                "TraceService": {
                  "methods": {
                    "Query": {
                      "requestType": "QueryRequest",
                      "responseType": "QueryResponse"
                    },
                    "Write": {
                      "requestType": "WriteRequest",
                      "requestStream": true,
                      "responseType": "WriteResponse",
                      "responseStream": true
                    }
                  }
                },
                "Span": {
                  "fields": {
                    "tags": {
                      "rule": "repeated",
                      "type": "model.v1.Tag",
                      "id": 1
                    },
                    "span": {
                      "type": "bytes",
                      "id": 2
                    },
                    "span_id": {
                      "type": "string",
                      "id": 3
                    }
                  }
                },
                "Trace": {
                  "fields": {
                    "spans": {
                      "rule": "repeated",
                      "type": "Span",
                      "id": 1
                    },
                    "trace_id": {
                      "type": "string",
                      "id": 2
                    }
                  }
                },
                "QueryRequest": {
                  "fields": {
                    "groups": {
                      "rule": "repeated",
                      "type": "string",
                      "id": 1
                    },
                    "name": {
                      "type": "string",
                      "id": 2
                    },
                    "time_range": {
                      "type": "model.v1.TimeRange",
                      "id": 3
                    },
                    "offset": {
                      "type": "uint32",
                      "id": 4
                    },
                    "limit": {
                      "type": "uint32",
                      "id": 5
                    },
                    "order_by": {
                      "type": "model.v1.QueryOrder",
                      "id": 6
                    },
                    "criteria": {
                      "type": "model.v1.Criteria",
                      "id": 7
                    },
                    "tag_projection": {
                      "rule": "repeated",
                      "type": "string",
                      "id": 8
                    },
                    "trace": {
                      "type": "bool",
                      "id": 9
                    },
                    "stages": {
                      "rule": "repeated",
                      "type": "string",
                      "id": 10
                    },
                    "group_mod_revisions": {
                      "keyType": "string",
                      "type": "int64",
                      "id": 50
                    }
                  }
                },
                "QueryResponse": {
                  "fields": {
                    "traces": {
                      "rule": "repeated",
                      "type": "Trace",
                      "id": 1
                    },
                    "group_statuses": {
                      "keyType": "string",
                      "type": "model.v1.Status",
                      "id": 50
                    }
                  }
                },
                "TagSpec": {
                  "fields": {
                    "tag_names": {
                      "rule": "repeated",
                      "type": "string",
                      "id": 1
                    }
                  }
                },
                "WriteRequest": {
                  "fields": {
                    "metadata": {
                      "type": "common.v1.Metadata",
                      "id": 1
                    },
                    "tags": {
                      "rule": "repeated",
                      "type": "model.v1.TagValue",
                      "id": 2
                    },
                    "span": {
                      "type": "bytes",
                      "id": 3
                    },
                    "version": {
                      "type": "uint64",
                      "id": 4
                    },
                    "tag_spec": {
                      "type": "TagSpec",
                      "id": 5
                    }
                  }
                },
                "WriteResponse": {
                  "fields": {
                    "metadata": {
                      "type": "common.v1.Metadata",
                      "id": 1
                    },
                    "version": {
                      "type": "uint64",
                      "id": 2
                    },
                    "status": {
                      "type": "string",
                      "id": 3
                    }
                  }
                }
              }
            }
          }
        }
      }
    },
    "google": {
      "nested": {
        "protobuf": {
          "nested": {
            "Timestamp": {
              "fields": {
                "seconds": {
                  "type": "int64",
                  "id": 1
                },
                "nanos": {
                  "type": "int32",
                  "id": 2
                }
              }
            },
            "Struct": {
              "fields": {
                "fields": {
                  "keyType": "string",
                  "type": "Value",
                  "id": 1
                }
              }
            },
            "Value": {
              "oneofs": {
                "kind": {
                  "oneof": [
                    "nullValue",
                    "numberValue",
                    "stringValue",
                    "boolValue",
                    "structValue",
                    "listValue"
                  ]
                }
              },
              "fields": {
                "nullValue": {
                  "type": "NullValue",
                  "id": 1
                },
                "numberValue": {
                  "type": "double",
                  "id": 2
                },
                "stringValue": {
                  "type": "string",
                  "id": 3
                },
                "boolValue": {
                  "type": "bool",
                  "id": 4
                },
                "structValue": {
                  "type": "Struct",
                  "id": 5
                },
                "listValue": {
                  "type": "ListValue",
                  "id": 6
                }
              }
            },
            "NullValue": {
              "values": {
                "NULL_VALUE": 0
              }
            },
            "ListValue": {
              "fields": {
                "values": {
                  "rule": "repeated",
                  "type": "Value",
                  "id": 1
                }
              }
            }
          }
        }
      }
    },
    "grpc": {
      "nested": {
        "health": {
          "nested": {
            "v1": {
              "nested": {
                "Health": {
                  "methods": {
                    "Check": {
                      "requestType": "HealthCheckRequest",
                      "responseType": "HealthCheckResponse"
                    }
                  }
                },
                "HealthCheckRequest": {
                  "fields": {
                    "service": {
                      "type": "string",
                      "id": 1
                    }
                  }
                },
                "HealthCheckResponse": {
                  "fields": {
                    "status": {
                      "type": "ServingStatus",
                      "id": 1
                    }
                  },
                  "nested": {
                    "ServingStatus": {
                      "values": {
                        "UNKNOWN": 0,
                        "SERVING": 1,
                        "NOT_SERVING": 2,
                        "SERVICE_UNKNOWN": 3
                      }
                    }
                  }
                }
              }
            }
          }
        }
      }
    },
    "skywalking": {
      "nested": {
        "v3": {
          "nested": {
            "SpanWrapper": {
              "fields": {
                "span": {
                  "type": "bytes",
                  "id": 1
                },
                "source": {
                  "type": "Source",
                  "id": 2
                }
              },
              "nested": {
                "Source": {
                  "values": {
                    "SKYWALKING": 0,
                    "SKYWALKING_EVENT": 1,
                    "ZIPKIN": 2,
                    "ZIPKIN_EVENT": 3
                  }
                }
              }
            },
            "SegmentObject": {
              "fields": {
                "traceId": {
                  "type": "string",
                  "id": 1
                },
                "traceSegmentId": {
                  "type": "string",
                  "id": 2
                },
                "spans": {
                  "rule": "repeated",
                  "type": "SpanObject",
                  "id": 3
                },
                "service": {
                  "type": "string",
                  "id": 4
                },
                "serviceInstance": {
                  "type": "string",
                  "id": 5
                },
                "isSizeLimited": {
                  "type": "bool",
                  "id": 6
                }
              }
            },
            "SpanType": {
              "values": {
                "Entry": 0,
                "Exit": 1,
                "Local": 2
              }
            },
            "SpanLayer": {
              "values": {
                "Unknown": 0,
                "Database": 1,
                "RPCFramework": 2,
                "Http": 3,
                "MQ": 4,
                "Cache": 5,
                "FAAS": 6,
                "GenAI": 7
              }
            },
            "SpanObject": {
              "fields": {
                "spanId": {
                  "type": "int32",
                  "id": 1
                },
                "parentSpanId": {
                  "type": "int32",
                  "id": 2
                },
                "startTime": {
                  "type": "int64",
                  "id": 3
                },
                "endTime": {
                  "type": "int64",
                  "id": 4
                },
                "refs": {
                  "rule": "repeated",
                  "type": "SegmentReference",
                  "id": 5
                },
                "operationName": {
                  "type": "string",
                  "id": 6
                },
                "peer": {
                  "type": "string",
                  "id": 7
                },
                "spanType": {
                  "type": "SpanType",
                  "id": 8
                },
                "spanLayer": {
                  "type": "SpanLayer",
                  "id": 9
                },
                "componentId": {
                  "type": "int32",
                  "id": 10
                },
                "isError": {
                  "type": "bool",
                  "id": 11
                },
                "tags": {
                  "rule": "repeated",
                  "type": "KeyStringValuePair",
                  "id": 12
                },
                "logs": {
                  "rule": "repeated",
                  "type": "Log",
                  "id": 13
                },
                "skipAnalysis": {
                  "type": "bool",
                  "id": 14
                }
              }
            },
            "RefType": {
              "values": {
                "CrossProcess": 0,
                "CrossThread": 1
              }
            },
            "SegmentReference": {
              "fields": {
                "refType": {
                  "type": "RefType",
                  "id": 1
                },
                "traceId": {
                  "type": "string",
                  "id": 2
                },
                "parentTraceSegmentId": {
                  "type": "string",
                  "id": 3
                },
                "parentSpanId": {
                  "type": "int32",
                  "id": 4
                },
                "parentService": {
                  "type": "string",
                  "id": 5
                },
                "parentServiceInstance": {
                  "type": "string",
                  "id": 6
                },
                "parentEndpoint": {
                  "type": "string",
                  "id": 7
                },
                "networkAddressUsedAtPeer": {
                  "type": "string",
                  "id": 8
                }
              }
            },
            "Log": {
              "fields": {
                "time": {
                  "type": "int64",
                  "id": 1
                },
                "data": {
                  "rule": "repeated",
                  "type": "KeyStringValuePair",
                  "id": 2
                }
              }
            },
            "KeyStringValuePair": {
              "fields": {
                "key": {
                  "type": "string",
                  "id": 1
                },
                "value": {
                  "type": "string",
                  "id": 2
                }
              }
            },
            "KeyIntValuePair": {
              "fields": {
                "key": {
                  "type": "string",
                  "id": 1
                },
                "value": {
                  "type": "int64",
                  "id": 2
                }
              }
            },
            "SpanAttachedEvent": {
              "fields": {
                "startTime": {
                  "type": "Instant",
                  "id": 1
                },
                "event": {
                  "type": "string",
                  "id": 2
                },
                "endTime": {
                  "type": "Instant",
                  "id": 3
                },
                "tags": {
                  "rule": "repeated",
                  "type": "KeyStringValuePair",
                  "id": 4
                },
                "summary": {
                  "rule": "repeated",
                  "type": "KeyIntValuePair",
                  "id": 5
                },
                "traceContext": {
                  "type": "SpanReference",
                  "id": 6
                }
              },
              "nested": {
                "SpanReference": {
                  "fields": {
                    "type": {
                      "type": "SpanReferenceType",
                      "id": 1
                    },
                    "traceId": {
                      "type": "string",
                      "id": 2
                    },
                    "traceSegmentId": {
                      "type": "string",
                      "id": 3
                    },
                    "spanId": {
                      "type": "string",
                      "id": 4
                    }
                  },
                  "nested": {
                    "SpanReferenceType": {
                      "values": {
                        "SKYWALKING": 0,
                        "ZIPKIN": 1
                      }
                    }
                  }
                }
              }
            },
            "Instant": {
              "fields": {
                "seconds": {
                  "type": "int64",
                  "id": 1
                },
                "nanos": {
                  "type": "int32",
                  "id": 2
                }
              }
            }
          }
        }
      }
    },
    "zipkin": {
      "nested": {
        "proto3": {
          "nested": {
            "ListOfSpans": {
              "fields": {
                "spans": {
                  "rule": "repeated",
                  "type": "Span",
                  "id": 1
                }
              }
            },
            "Span": {
              "fields": {
                "trace_id": {
                  "type": "bytes",
                  "id": 1
                },
                "parent_id": {
                  "type": "bytes",
                  "id": 2
                },
                "id": {
                  "type": "bytes",
                  "id": 3
                },
                "kind": {
                  "type": "Kind",
                  "id": 4
                },
                "name": {
                  "type": "string",
                  "id": 5
                },
                "timestamp": {
                  "type": "fixed64",
                  "id": 6
                },
                "duration": {
                  "type": "uint64",
                  "id": 7
                },
                "local_endpoint": {
                  "type": "Endpoint",
                  "id": 8
                },
                "remote_endpoint": {
                  "type": "Endpoint",
                  "id": 9
                },
                "annotations": {
                  "rule": "repeated",
                  "type": "Annotation",
                  "id": 10
                },
                "tags": {
                  "keyType": "string",
                  "type": "string",
                  "id": 11
                },
                "debug": {
                  "type": "bool",
                  "id": 12
                },
                "shared": {
                  "type": "bool",
                  "id": 13
                }
              },
              "nested": {
                "Kind": {
                  "values": {
                    "SPAN_KIND_UNSPECIFIED": 0,
                    "CLIENT": 1,
                    "SERVER": 2,
                    "PRODUCER": 3,
                    "CONSUMER": 4
                  }
                }
              }
            },
            "Endpoint": {
              "fields": {
                "service_name": {
                  "type": "string",
                  "id": 1
                },
                "ipv4": {
                  "type": "bytes",
                  "id": 2
                },
                "ipv6": {
                  "type": "bytes",
                  "id": 3
                },
                "port": {
                  "type": "int32",
                  "id": 4
                }
              }
            },
            "Annotation": {
              "fields": {
                "timestamp": {
                  "type": "fixed64",
                  "id": 1
                },
                "value": {
                  "type": "string",
                  "id": 2
                }
              }
            }
          }
        }
      }
    }
  }
};

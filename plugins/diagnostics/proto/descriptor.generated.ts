// Generated from the .proto files of this folder by scripts/generate-proto.mjs. Do not edit.

export const descriptor: object = {
  "nested": {
    "banyandb": {
      "nested": {
        "common": {
          "nested": {
            "v1": {
              "nested": {
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
                }
              }
            }
          }
        },
        "database": {
          "nested": {
            "v1": {
              "nested": {
                "NodeQueryService": {
                  "methods": {
                    "GetCurrentNode": {
                      "requestType": "GetCurrentNodeRequest",
                      "responseType": "GetCurrentNodeResponse"
                    }
                  }
                },
                "ClusterStateService": {
                  "methods": {
                    "GetClusterState": {
                      "requestType": "GetClusterStateRequest",
                      "responseType": "GetClusterStateResponse"
                    }
                  }
                },
                "Role": {
                  "values": {
                    "ROLE_UNSPECIFIED": 0,
                    "ROLE_META": 1,
                    "ROLE_DATA": 2,
                    "ROLE_LIAISON": 3
                  }
                },
                "Node": {
                  "fields": {
                    "metadata": {
                      "type": "banyandb.common.v1.Metadata",
                      "id": 1
                    },
                    "roles": {
                      "rule": "repeated",
                      "type": "Role",
                      "id": 2
                    },
                    "grpc_address": {
                      "type": "string",
                      "id": 3
                    },
                    "http_address": {
                      "type": "string",
                      "id": 4
                    },
                    "created_at": {
                      "type": "google.protobuf.Timestamp",
                      "id": 5
                    },
                    "labels": {
                      "keyType": "string",
                      "type": "string",
                      "id": 6
                    },
                    "property_repair_gossip_grpc_address": {
                      "type": "string",
                      "id": 7
                    },
                    "property_schema_grpc_address": {
                      "type": "string",
                      "id": 8
                    },
                    "property_schema_gossip_grpc_address": {
                      "type": "string",
                      "id": 9
                    }
                  }
                },
                "DataInfo": {
                  "fields": {
                    "node": {
                      "type": "Node",
                      "id": 1
                    },
                    "segment_info": {
                      "rule": "repeated",
                      "type": "SegmentInfo",
                      "id": 2
                    },
                    "data_size_bytes": {
                      "type": "int64",
                      "id": 3
                    }
                  }
                },
                "SegmentInfo": {
                  "fields": {
                    "segment_id": {
                      "type": "string",
                      "id": 1
                    },
                    "time_range_start": {
                      "type": "string",
                      "id": 2
                    },
                    "time_range_end": {
                      "type": "string",
                      "id": 3
                    },
                    "shard_info": {
                      "rule": "repeated",
                      "type": "ShardInfo",
                      "id": 4
                    },
                    "series_index_info": {
                      "type": "SeriesIndexInfo",
                      "id": 5
                    }
                  }
                },
                "ShardInfo": {
                  "fields": {
                    "shard_id": {
                      "type": "uint32",
                      "id": 1
                    },
                    "data_count": {
                      "type": "int64",
                      "id": 2
                    },
                    "data_size_bytes": {
                      "type": "int64",
                      "id": 3
                    },
                    "part_count": {
                      "type": "int64",
                      "id": 4
                    },
                    "inverted_index_info": {
                      "type": "InvertedIndexInfo",
                      "id": 5
                    },
                    "sidx_info": {
                      "type": "SIDXInfo",
                      "id": 6
                    },
                    "file_part_count": {
                      "type": "int64",
                      "id": 7
                    }
                  }
                },
                "SeriesIndexInfo": {
                  "fields": {
                    "data_count": {
                      "type": "int64",
                      "id": 1
                    },
                    "data_size_bytes": {
                      "type": "int64",
                      "id": 2
                    }
                  }
                },
                "InvertedIndexInfo": {
                  "fields": {
                    "data_count": {
                      "type": "int64",
                      "id": 1
                    },
                    "data_size_bytes": {
                      "type": "int64",
                      "id": 2
                    }
                  }
                },
                "SIDXInfo": {
                  "fields": {
                    "data_count": {
                      "type": "int64",
                      "id": 1
                    },
                    "data_size_bytes": {
                      "type": "int64",
                      "id": 2
                    },
                    "part_count": {
                      "type": "int64",
                      "id": 3
                    }
                  }
                },
                "GetCurrentNodeRequest": {
                  "fields": {}
                },
                "GetCurrentNodeResponse": {
                  "fields": {
                    "node": {
                      "type": "Node",
                      "id": 1
                    }
                  }
                },
                "GetClusterStateRequest": {
                  "fields": {}
                },
                "RouteTable": {
                  "fields": {
                    "registered": {
                      "rule": "repeated",
                      "type": "Node",
                      "id": 1
                    },
                    "active": {
                      "rule": "repeated",
                      "type": "string",
                      "id": 2
                    },
                    "evictable": {
                      "rule": "repeated",
                      "type": "string",
                      "id": 3
                    }
                  }
                },
                "GetClusterStateResponse": {
                  "fields": {
                    "route_tables": {
                      "keyType": "string",
                      "type": "RouteTable",
                      "id": 1
                    }
                  }
                }
              }
            }
          }
        },
        "fodc": {
          "nested": {
            "v1": {
              "nested": {
                "FODCService": {
                  "methods": {
                    "RegisterAgent": {
                      "requestType": "RegisterAgentRequest",
                      "requestStream": true,
                      "responseType": "RegisterAgentResponse",
                      "responseStream": true
                    },
                    "StreamMetrics": {
                      "requestType": "StreamMetricsRequest",
                      "requestStream": true,
                      "responseType": "StreamMetricsResponse",
                      "responseStream": true
                    },
                    "StreamClusterTopology": {
                      "requestType": "StreamClusterTopologyRequest",
                      "requestStream": true,
                      "responseType": "StreamClusterTopologyResponse",
                      "responseStream": true
                    },
                    "StreamLifecycle": {
                      "requestType": "StreamLifecycleRequest",
                      "requestStream": true,
                      "responseType": "StreamLifecycleResponse",
                      "responseStream": true
                    },
                    "StreamCrashDiagnostics": {
                      "requestType": "StreamCrashDiagnosticsRequest",
                      "requestStream": true,
                      "responseType": "StreamCrashDiagnosticsResponse",
                      "responseStream": true
                    },
                    "StreamPressureProfiles": {
                      "requestType": "StreamPressureProfilesRequest",
                      "requestStream": true,
                      "responseType": "StreamPressureProfilesResponse",
                      "responseStream": true
                    },
                    "StreamSchemaRegistry": {
                      "requestType": "StreamSchemaRegistryRequest",
                      "requestStream": true,
                      "responseType": "StreamSchemaRegistryResponse",
                      "responseStream": true
                    }
                  }
                },
                "GroupLifecycleService": {
                  "methods": {
                    "InspectAll": {
                      "requestType": "InspectAllRequest",
                      "responseType": "InspectAllResponse"
                    }
                  }
                },
                "RegisterAgentRequest": {
                  "fields": {
                    "node_role": {
                      "type": "string",
                      "id": 1
                    },
                    "labels": {
                      "keyType": "string",
                      "type": "string",
                      "id": 2
                    },
                    "pod_name": {
                      "type": "string",
                      "id": 4
                    },
                    "container_names": {
                      "rule": "repeated",
                      "type": "string",
                      "id": 5
                    }
                  }
                },
                "RegisterAgentResponse": {
                  "fields": {
                    "success": {
                      "type": "bool",
                      "id": 1
                    },
                    "message": {
                      "type": "string",
                      "id": 2
                    },
                    "heartbeat_interval_seconds": {
                      "type": "int64",
                      "id": 3
                    },
                    "agent_id": {
                      "type": "string",
                      "id": 4
                    }
                  }
                },
                "StreamMetricsRequest": {
                  "fields": {
                    "metrics": {
                      "rule": "repeated",
                      "type": "Metric",
                      "id": 1
                    },
                    "timestamp": {
                      "type": "google.protobuf.Timestamp",
                      "id": 2
                    }
                  }
                },
                "MetricType": {
                  "values": {
                    "METRIC_TYPE_UNSPECIFIED": 0,
                    "METRIC_TYPE_GAUGE": 1,
                    "METRIC_TYPE_COUNTER": 2,
                    "METRIC_TYPE_HISTOGRAM": 3,
                    "METRIC_TYPE_SUMMARY": 4,
                    "METRIC_TYPE_UNTYPED": 5
                  }
                },
                "Metric": {
                  "fields": {
                    "name": {
                      "type": "string",
                      "id": 1
                    },
                    "labels": {
                      "keyType": "string",
                      "type": "string",
                      "id": 2
                    },
                    "value": {
                      "type": "double",
                      "id": 3
                    },
                    "description": {
                      "type": "string",
                      "id": 4
                    },
                    "timestamp": {
                      "type": "google.protobuf.Timestamp",
                      "id": 5
                    },
                    "type": {
                      "type": "MetricType",
                      "id": 6
                    }
                  }
                },
                "StreamMetricsResponse": {
                  "fields": {
                    "start_time": {
                      "type": "google.protobuf.Timestamp",
                      "id": 1
                    },
                    "end_time": {
                      "type": "google.protobuf.Timestamp",
                      "id": 2
                    }
                  }
                },
                "Call": {
                  "fields": {
                    "id": {
                      "type": "string",
                      "id": 1
                    },
                    "target": {
                      "type": "string",
                      "id": 2
                    },
                    "source": {
                      "type": "string",
                      "id": 3
                    }
                  }
                },
                "Topology": {
                  "fields": {
                    "nodes": {
                      "rule": "repeated",
                      "type": "banyandb.database.v1.Node",
                      "id": 1
                    },
                    "calls": {
                      "rule": "repeated",
                      "type": "Call",
                      "id": 2
                    }
                  }
                },
                "StreamClusterTopologyRequest": {
                  "fields": {
                    "timestamp": {
                      "type": "google.protobuf.Timestamp",
                      "id": 1
                    },
                    "topology": {
                      "type": "Topology",
                      "id": 2
                    }
                  }
                },
                "StreamClusterTopologyResponse": {
                  "fields": {
                    "request_topology": {
                      "type": "bool",
                      "id": 1
                    }
                  }
                },
                "StreamLifecycleRequest": {
                  "fields": {
                    "timestamp": {
                      "type": "google.protobuf.Timestamp",
                      "id": 1
                    },
                    "pod_name": {
                      "type": "string",
                      "id": 2
                    },
                    "lifecycle_data": {
                      "type": "LifecycleData",
                      "id": 3
                    }
                  }
                },
                "StreamLifecycleResponse": {
                  "fields": {
                    "request_lifecycle": {
                      "type": "bool",
                      "id": 1
                    }
                  }
                },
                "StreamSchemaRegistryRequest": {
                  "fields": {
                    "group": {
                      "type": "SchemaRegistryGroup",
                      "id": 1
                    },
                    "done": {
                      "type": "bool",
                      "id": 2
                    }
                  }
                },
                "StreamSchemaRegistryResponse": {
                  "fields": {
                    "request_registry": {
                      "type": "bool",
                      "id": 1
                    }
                  }
                },
                "SchemaRegistryGroup": {
                  "fields": {
                    "group": {
                      "type": "string",
                      "id": 1
                    },
                    "objects": {
                      "rule": "repeated",
                      "type": "SchemaObjectFingerprint",
                      "id": 2
                    },
                    "error": {
                      "type": "string",
                      "id": 3
                    }
                  }
                },
                "SchemaObjectFingerprint": {
                  "fields": {
                    "kind": {
                      "type": "string",
                      "id": 1
                    },
                    "name": {
                      "type": "string",
                      "id": 2
                    },
                    "fingerprint": {
                      "type": "uint64",
                      "id": 3
                    }
                  }
                },
                "LifecycleData": {
                  "fields": {
                    "reports": {
                      "rule": "repeated",
                      "type": "LifecycleReport",
                      "id": 1
                    },
                    "groups": {
                      "rule": "repeated",
                      "type": "GroupLifecycleInfo",
                      "id": 2
                    }
                  }
                },
                "GroupLifecycleInfo": {
                  "fields": {
                    "name": {
                      "type": "string",
                      "id": 1
                    },
                    "catalog": {
                      "type": "string",
                      "id": 2
                    },
                    "resource_opts": {
                      "type": "banyandb.common.v1.ResourceOpts",
                      "id": 3
                    },
                    "data_info": {
                      "rule": "repeated",
                      "type": "banyandb.database.v1.DataInfo",
                      "id": 4
                    },
                    "errors": {
                      "rule": "repeated",
                      "type": "string",
                      "id": 5
                    },
                    "schema_consistency": {
                      "type": "SchemaConsistency",
                      "id": 6
                    }
                  }
                },
                "SchemaConsistency": {
                  "fields": {
                    "status": {
                      "type": "ConsistencyStatus",
                      "id": 1
                    },
                    "objects": {
                      "rule": "repeated",
                      "type": "ObjectConsistency",
                      "id": 2
                    },
                    "issues": {
                      "rule": "repeated",
                      "type": "SchemaIssue",
                      "id": 3
                    }
                  }
                },
                "ObjectConsistency": {
                  "fields": {
                    "kind": {
                      "type": "string",
                      "id": 1
                    },
                    "name": {
                      "type": "string",
                      "id": 2
                    },
                    "registry_fingerprint": {
                      "type": "uint64",
                      "id": 3
                    },
                    "node_fingerprints": {
                      "rule": "repeated",
                      "type": "NodeFingerprint",
                      "id": 4
                    }
                  }
                },
                "NodeFingerprint": {
                  "fields": {
                    "node": {
                      "type": "string",
                      "id": 1
                    },
                    "cache_fingerprint": {
                      "type": "uint64",
                      "id": 2
                    },
                    "runtime_fingerprint": {
                      "type": "uint64",
                      "id": 3
                    }
                  }
                },
                "SchemaIssue": {
                  "fields": {
                    "kind": {
                      "type": "string",
                      "id": 1
                    },
                    "name": {
                      "type": "string",
                      "id": 2
                    },
                    "node": {
                      "type": "string",
                      "id": 3
                    },
                    "type": {
                      "type": "SchemaIssueType",
                      "id": 4
                    }
                  }
                },
                "SchemaIssueType": {
                  "values": {
                    "SCHEMA_ISSUE_TYPE_UNSPECIFIED": 0,
                    "SCHEMA_ISSUE_TYPE_MISSING_IN_CACHE": 1,
                    "SCHEMA_ISSUE_TYPE_ORPHAN": 2,
                    "SCHEMA_ISSUE_TYPE_CACHE_STALE": 3,
                    "SCHEMA_ISSUE_TYPE_RUNTIME_NOT_APPLIED": 4
                  }
                },
                "ConsistencyStatus": {
                  "values": {
                    "CONSISTENCY_STATUS_UNSPECIFIED": 0,
                    "CONSISTENCY_STATUS_CONSISTENT": 1,
                    "CONSISTENCY_STATUS_INCONSISTENT": 2,
                    "CONSISTENCY_STATUS_UNKNOWN": 3
                  }
                },
                "LifecycleReport": {
                  "fields": {
                    "filename": {
                      "type": "string",
                      "id": 1
                    },
                    "report_json": {
                      "type": "string",
                      "id": 2
                    }
                  }
                },
                "CrashBreadcrumb": {
                  "fields": {
                    "time": {
                      "type": "google.protobuf.Timestamp",
                      "id": 1
                    },
                    "stage": {
                      "type": "string",
                      "id": 2
                    },
                    "component": {
                      "type": "string",
                      "id": 3
                    },
                    "fields": {
                      "keyType": "string",
                      "type": "string",
                      "id": 4
                    }
                  }
                },
                "CrashPanicRecord": {
                  "fields": {
                    "occurred_at": {
                      "type": "google.protobuf.Timestamp",
                      "id": 1
                    },
                    "component": {
                      "type": "string",
                      "id": 2
                    },
                    "panic_value": {
                      "type": "string",
                      "id": 3
                    },
                    "recovered": {
                      "type": "bool",
                      "id": 4
                    },
                    "goroutine_stack": {
                      "type": "string",
                      "id": 5
                    },
                    "breadcrumbs": {
                      "rule": "repeated",
                      "type": "CrashBreadcrumb",
                      "id": 6
                    },
                    "process_metadata": {
                      "keyType": "string",
                      "type": "string",
                      "id": 7
                    }
                  }
                },
                "StreamCrashDiagnosticsRequest": {
                  "fields": {
                    "fetched_at": {
                      "type": "google.protobuf.Timestamp",
                      "id": 1
                    },
                    "source_endpoint": {
                      "type": "string",
                      "id": 2
                    },
                    "artifact_dir": {
                      "type": "string",
                      "id": 3
                    },
                    "panic_record": {
                      "type": "CrashPanicRecord",
                      "id": 4
                    },
                    "files": {
                      "rule": "repeated",
                      "type": "string",
                      "id": 5
                    }
                  }
                },
                "StreamCrashDiagnosticsResponse": {
                  "fields": {
                    "request_diagnostics": {
                      "type": "bool",
                      "id": 1
                    }
                  }
                },
                "PressureProfileInfo": {
                  "fields": {
                    "type": {
                      "type": "string",
                      "id": 1
                    },
                    "filename": {
                      "type": "string",
                      "id": 2
                    },
                    "filepath": {
                      "type": "string",
                      "id": 3
                    },
                    "format": {
                      "type": "string",
                      "id": 4
                    },
                    "size_bytes": {
                      "type": "int64",
                      "id": 5
                    }
                  }
                },
                "PressureProfileRecord": {
                  "fields": {
                    "profile_id": {
                      "type": "string",
                      "id": 1
                    },
                    "captured_at": {
                      "type": "google.protobuf.Timestamp",
                      "id": 2
                    },
                    "source_endpoint": {
                      "type": "string",
                      "id": 3
                    },
                    "rss_bytes": {
                      "type": "uint64",
                      "id": 4
                    },
                    "cgroup_limit_bytes": {
                      "type": "uint64",
                      "id": 5
                    },
                    "trigger_percent": {
                      "type": "uint32",
                      "id": 6
                    },
                    "threshold_bytes": {
                      "type": "uint64",
                      "id": 7
                    },
                    "profiles": {
                      "rule": "repeated",
                      "type": "PressureProfileInfo",
                      "id": 8
                    }
                  }
                },
                "PressureProfileChunk": {
                  "fields": {
                    "request_id": {
                      "type": "string",
                      "id": 1
                    },
                    "profile_id": {
                      "type": "string",
                      "id": 2
                    },
                    "type": {
                      "type": "string",
                      "id": 3
                    },
                    "data": {
                      "type": "bytes",
                      "id": 4
                    },
                    "last": {
                      "type": "bool",
                      "id": 5
                    },
                    "error": {
                      "type": "string",
                      "id": 6
                    }
                  }
                },
                "StreamPressureProfilesRequest": {
                  "oneofs": {
                    "payload": {
                      "oneof": [
                        "record",
                        "list_complete",
                        "chunk"
                      ]
                    }
                  },
                  "fields": {
                    "record": {
                      "type": "PressureProfileRecord",
                      "id": 1
                    },
                    "list_complete": {
                      "type": "ListComplete",
                      "id": 2
                    },
                    "chunk": {
                      "type": "PressureProfileChunk",
                      "id": 3
                    }
                  }
                },
                "ListComplete": {
                  "fields": {
                    "request_id": {
                      "type": "string",
                      "id": 1
                    }
                  }
                },
                "FetchPressureProfile": {
                  "fields": {
                    "request_id": {
                      "type": "string",
                      "id": 1
                    },
                    "profile_id": {
                      "type": "string",
                      "id": 2
                    },
                    "type": {
                      "type": "string",
                      "id": 3
                    },
                    "filepath": {
                      "type": "string",
                      "id": 4
                    }
                  }
                },
                "StreamPressureProfilesResponse": {
                  "oneofs": {
                    "command": {
                      "oneof": [
                        "list_profiles",
                        "fetch_profile"
                      ]
                    }
                  },
                  "fields": {
                    "list_profiles": {
                      "type": "ListProfiles",
                      "id": 1
                    },
                    "fetch_profile": {
                      "type": "FetchPressureProfile",
                      "id": 2
                    }
                  }
                },
                "ListProfiles": {
                  "fields": {
                    "request_id": {
                      "type": "string",
                      "id": 1
                    }
                  }
                },
                "InspectAllRequest": {
                  "fields": {}
                },
                "InspectAllResponse": {
                  "fields": {
                    "groups": {
                      "rule": "repeated",
                      "type": "GroupLifecycleInfo",
                      "id": 1
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
            }
          }
        }
      }
    }
  }
};

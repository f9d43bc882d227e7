// Generated from the .proto files of this folder by scripts/generate-proto.mjs. Do not edit.

export const descriptor: object = {
  "nested": {
    "skywalking": {
      "nested": {
        "v3": {
          "nested": {
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
            "Commands": {
              "fields": {}
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
                "FAAS": 6
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
            "SegmentCollection": {
              "fields": {
                "segments": {
                  "rule": "repeated",
                  "type": "bytes",
                  "id": 1
                }
              }
            },
            "TraceSegmentReportService": {
              "methods": {
                "collect": {
                  "requestType": "SegmentObject",
                  "requestStream": true,
                  "responseType": "Commands"
                },
                "collectInSync": {
                  "requestType": "SegmentCollection",
                  "responseType": "Commands"
                }
              }
            },
            "InstanceProperties": {
              "fields": {
                "service": {
                  "type": "string",
                  "id": 1
                },
                "serviceInstance": {
                  "type": "string",
                  "id": 2
                },
                "properties": {
                  "rule": "repeated",
                  "type": "KeyStringValuePair",
                  "id": 3
                },
                "layer": {
                  "type": "string",
                  "id": 4
                }
              }
            },
            "InstancePingPkg": {
              "fields": {
                "service": {
                  "type": "string",
                  "id": 1
                },
                "serviceInstance": {
                  "type": "string",
                  "id": 2
                },
                "layer": {
                  "type": "string",
                  "id": 3
                }
              }
            },
            "ManagementService": {
              "methods": {
                "reportInstanceProperties": {
                  "requestType": "InstanceProperties",
                  "responseType": "Commands"
                },
                "keepAlive": {
                  "requestType": "InstancePingPkg",
                  "responseType": "Commands"
                }
              }
            }
          }
        }
      }
    }
  }
};

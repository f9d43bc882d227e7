// Generated from the .proto files of this folder by scripts/generate-proto.mjs. Do not edit.

export interface KeyStringValuePair {
  readonly key: string;
  readonly value: string;
}

export type Commands = Readonly<Record<string, never>>;

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
  | 'FAAS';

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

export interface SegmentObject {
  readonly traceId: string;
  readonly traceSegmentId: string;
  readonly spans: readonly SpanObject[];
  readonly service: string;
  readonly serviceInstance: string;
  readonly isSizeLimited: boolean;
}

export interface SegmentCollection {
  readonly segments: readonly Uint8Array[];
}

export interface InstanceProperties {
  readonly service: string;
  readonly serviceInstance: string;
  readonly properties: readonly KeyStringValuePair[];
  readonly layer: string;
}

export interface InstancePingPkg {
  readonly service: string;
  readonly serviceInstance: string;
  readonly layer: string;
}

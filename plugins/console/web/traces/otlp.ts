/** A trace in OTLP's JSON, as the Tempo API answers it. */
export interface JsonTrace {
  readonly resourceSpans?: readonly {
    readonly resource?: {readonly attributes?: readonly JsonAttribute[]};
    readonly scopeSpans?: readonly {
      readonly scope?: {readonly name?: string; readonly version?: string};
      readonly spans?: readonly JsonSpan[];
    }[];
  }[];
}

export interface JsonSpan {
  readonly traceId?: string;
  readonly spanId: string;
  readonly parentSpanId?: string;
  readonly name?: string;
  readonly kind?: string | number;
  readonly startTimeUnixNano?: string;
  readonly endTimeUnixNano?: string;
  readonly attributes?: readonly JsonAttribute[];
  readonly events?: readonly {
    readonly name?: string;
    readonly timeUnixNano?: string;
    readonly attributes?: readonly JsonAttribute[];
  }[];
  readonly links?: readonly {
    readonly traceId?: string;
    readonly spanId?: string;
    readonly attributes?: readonly JsonAttribute[];
  }[];
  readonly status?: {readonly code?: string | number; readonly message?: string};
}

export interface JsonAttribute {
  readonly key: string;
  readonly value?: Value;
}

interface Value {
  readonly stringValue?: string;
  readonly intValue?: string | number;
  readonly doubleValue?: number;
  readonly boolValue?: boolean;
  readonly bytesValue?: string;
  readonly arrayValue?: {readonly values?: readonly Value[]};
  readonly kvlistValue?: {readonly values?: readonly JsonAttribute[]};
}

/** A value as text, nested ones as JSON. */
export function textOf(value: Value | undefined): string {
  const plain = plainOf(value);
  return typeof plain === 'object' && plain !== null ? JSON.stringify(plain) : String(plain ?? '');
}

function plainOf(value: Value | undefined): unknown {
  if (value?.arrayValue !== undefined) return (value.arrayValue.values ?? []).map(plainOf);
  if (value?.kvlistValue !== undefined) {
    return Object.fromEntries((value.kvlistValue.values ?? []).map(({key, value: each}) => [key, plainOf(each)]));
  }
  return value?.stringValue ?? value?.intValue ?? value?.doubleValue ?? value?.boolValue ?? value?.bytesValue;
}

const KINDS = ['UNSPECIFIED', 'INTERNAL', 'SERVER', 'CLIENT', 'PRODUCER', 'CONSUMER'];

/** A kind in lower case; one that nobody knows is its number. */
export function kindOf(kind: string | number | undefined): string {
  const name = typeof kind === 'number' ? (KINDS[kind] ?? String(kind)) : (kind ?? '').replace('SPAN_KIND_', '');
  return name === 'UNSPECIFIED' ? '' : name.toLowerCase();
}

export function isError({status}: JsonSpan): boolean {
  return status?.code === 'STATUS_CODE_ERROR' || status?.code === 2;
}
